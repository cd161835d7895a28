package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fields of a completion that can be read, and when, by every interface to completion queues that a provider has:
 * of a failure wr_id, status, qp_num and vendor_err alone (ibv_poll_cq(3)), and outside a batch none.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.sluice.verbs.DeviceFixtures#variants")
class CompletionValidityTest {
    private static final int CAPACITY = 32;

    @Parameter
    DeviceFixture fixture;
    private Rig rig;
    private CompletionQueue sends;
    private CompletionQueue receives;
    private Endpoint left;
    private Endpoint right;

    /** Queues with all fields that the device has. */
    @BeforeEach
    void connect() {
        rig = new Rig(fixture);
        sends = rig.keep(rig.first.createCompletionQueue(
            new CompletionQueueAttributes(CAPACITY, rig.first.attributes().completionFields(), null)));
        receives = rig.keep(rig.second.createCompletionQueue(
            new CompletionQueueAttributes(CAPACITY, rig.second.attributes().completionFields(), null)));
        final Rig.Link link = rig.link(
            new EndpointOptions().queues(sends, rig.queueOnFirst(CAPACITY, null)),
            new EndpointOptions().queues(rig.queueOnSecond(CAPACITY, null), receives));
        left = link.left();
        right = link.right();
    }

    @AfterEach
    void closeDevices() {
        rig.close();
    }

    private void start(final CompletionQueue queue) {
        CompletionReaders.checkOutside(queue);
        rig.until("a completion", () -> queue.startPoll() == Errno.OK);
    }

    private static void end(final CompletionQueue queue) {
        queue.endPoll();
        CompletionReaders.checkOutside(queue);
    }

    @Test
    void shouldReadAllFieldsOfASuccess() {
        right.queuePair.postReceives(1, 1);
        left.writeImmediate(2, WorkFlags.SIGNALED, 0, 8, right, 0x0102_0304);

        start(receives);
        CompletionReaders.checkSuccess(receives);
        assertEquals(0x0102_0304, receives.immediateData());
        end(receives);
        start(sends);
        CompletionReaders.checkSuccess(sends);
        assertEquals(2, sends.workRequestId());
        end(sends);
    }

    @Test
    void shouldReadFourFieldsOfAFailureOnly() {
        right.queuePair.postReceives(7, 1);
        left.writeImmediate(8, WorkFlags.SIGNALED, 0, 8, right, 1);
        start(receives);
        assertNotEquals(0, receives.opcode(), "so that there is something to forget");
        end(receives);
        assertEquals(Errno.OK, right.queuePair.postReceives(9, 1));
        rig.awaitSuccess(left.sendQueue);

        left.queuePair.postWriteWithImmediate(10, WorkFlags.SIGNALED, left.address(0), left.region.localKey(), 8,
            right.address(-1), right.region.remoteKey(), 13);

        start(sends);
        assertEquals(WorkStatus.REM_ACCESS_ERR, sends.status());
        assertFailure(sends, 10, left);
        right.queuePair.fail();
        start(receives);
        assertNotEquals(WorkStatus.SUCCESS, receives.status());
        assertFailure(receives, 9, right);
    }

    @Test
    void shouldReadFourFieldsOfAFlushedRequestOnly() {
        right.receive(3, 0, 64);
        right.queuePair.fail();
        left.queuePair.fail();
        left.send(4, WorkFlags.SIGNALED, 0, 8);

        start(receives);
        assertEquals(WorkStatus.WR_FLUSH_ERR, receives.status());
        assertFailure(receives, 3, right);
        start(sends);
        assertEquals(WorkStatus.WR_FLUSH_ERR, sends.status());
        assertFailure(sends, 4, left);
    }

    private static void assertFailure(final CompletionQueue queue, final long id, final Endpoint of) {
        assertEquals(id, queue.workRequestId());
        assertEquals(of.queuePair.number(), queue.queuePairNumber());
        CompletionReaders.checkFailure(queue);
        end(queue);
    }
}
