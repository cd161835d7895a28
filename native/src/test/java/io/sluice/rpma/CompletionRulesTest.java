package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Promises of the manual pages of rpma_cq_get_wc(3), rpma_cq_wait(3), rpma_conn_wait(3), rpma_conn_get_rcq(3) and
 * rpma_send(3) about completions.
 */
class CompletionRulesTest extends RpmaDeviceTests {
    private static final int MESSAGES = 6;

    private final WorkCompletions completions = new WorkCompletions(4);

    private static RpmaConnectionConfiguration withReceiveQueue() {
        return RpmaRig.CONFIGURATION.withReceiveCompletionQueueSize(RpmaRig.RECEIVE_QUEUE_SIZE);
    }

    private static void send(final RpmaSide side, final int flags, final long id) {
        assertEquals(RpmaError.OK, side.connection.send(side.region, RpmaSide.LOCAL, 8, flags, id));
    }

    /** Fails by what the other side forbids. */
    private static void writeBeyondTheEnd(final RpmaSide side, final int flags, final long id) {
        assertEquals(RpmaError.OK, side.connection.write(
            side.remote, RpmaSide.REGION_LENGTH - 8, side.region, RpmaSide.LOCAL, 64, flags, id));
    }

    /** Looks until there are completions; the result of the last look. */
    private static int await(final IntSupplier look) {
        final int[] result = new int[1];
        RpmaRig.until("a completion", () -> {
            result[0] = look.getAsInt();
            return result[0] != RpmaError.E_NO_COMPLETION;
        });
        return result[0];
    }

    private int awaitOne(final RpmaCompletionQueue queue) {
        return await(() -> queue.getCompletion(completions));
    }

    @Test
    void shouldNeverHaveReceivesInTheMainQueueWhenTheyHaveOne() {
        final SideOptions options = new SideOptions().configuration(withReceiveQueue()).receives(MESSAGES);
        final RpmaRig.Link link = rig.link(options, options);
        for (int i = 0; i < MESSAGES; i++) {
            send(link.client(), RpmaCompletionFlags.ALWAYS, i);
            send(link.server(), RpmaCompletionFlags.ALWAYS, i);
        }

        for (final RpmaSide side : List.of(link.client(), link.server())) {
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals(WorkOpcode.RECV, side.receives.nextSuccess().opcode());
                assertEquals(WorkOpcode.SEND, side.main.nextSuccess().opcode());
            }
            side.receives.requireEmpty();
            side.main.requireEmpty();
        }
    }

    @Test
    void shouldLetTheConnectionWaitWhereTheChannelIsShared() {
        final RpmaConnection connection = rig.link(new SideOptions().configuration(
            withReceiveQueue().withSharedCompletionChannel(true)), new SideOptions()).server().connection;

        assertEquals(RpmaError.E_SHARED_CHANNEL, connection.completionQueue().await(RpmaRig.TIMEOUT_NS));
        assertEquals(RpmaError.E_SHARED_CHANNEL, connection.receiveCompletionQueue().await(RpmaRig.TIMEOUT_NS));
        assertEquals(connection.completionDescriptor(), connection.completionQueue().descriptor());
        assertEquals(connection.completionDescriptor(), connection.receiveCompletionQueue().descriptor());
    }

    @Test
    void shouldLetEachQueueWaitWhereTheChannelIsNotShared() {
        final RpmaConnection connection = rig.link(
            new SideOptions().configuration(withReceiveQueue()), new SideOptions()).server().connection;

        assertEquals(RpmaError.E_NOT_SHARED_CHANNEL, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));
        assertNull(connection.signalledQueue());
        final RpmaException failure = assertThrows(RpmaException.class, connection::completionDescriptor);
        assertEquals(RpmaError.E_NOT_SHARED_CHANNEL, failure.code());
        assertTrue(connection.completionQueue().descriptor() != connection.receiveCompletionQueue().descriptor());
    }

    @Test
    void shouldTellWhichQueueOfASharedChannelHasSomething() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1).configuration(
            withReceiveQueue().withSharedCompletionChannel(true)), new SideOptions().receives(1));
        final RpmaConnection connection = link.server().connection;

        send(link.client(), RpmaCompletionFlags.ON_ERROR, 1);
        assertEquals(RpmaError.OK, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));
        assertSame(connection.receiveCompletionQueue(), connection.signalledQueue());
        assertEquals(WorkOpcode.RECV, link.server().receives.nextSuccess().opcode());

        send(link.server(), RpmaCompletionFlags.ALWAYS, 2);
        assertEquals(RpmaError.OK, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));
        assertSame(connection.completionQueue(), connection.signalledQueue());
        assertEquals(WorkOpcode.SEND, link.server().main.nextSuccess().opcode());
        assertEquals(RpmaError.E_NO_COMPLETION, connection.awaitCompletion(0));
    }

    @Test
    void shouldFindNoCompletionAfterAnEventForOneThatIsTaken() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(2), new SideOptions());
        final RpmaCompletionQueue queue = link.client().connection.completionQueue();
        send(link.client(), RpmaCompletionFlags.ALWAYS, 1);
        assertEquals(RpmaError.OK, awaitOne(queue));

        assertEquals(RpmaError.OK, queue.await(RpmaRig.TIMEOUT_NS));

        assertEquals(RpmaError.E_NO_COMPLETION, queue.getCompletion(completions));
        assertEquals(RpmaError.E_NO_COMPLETION, queue.getCompletions(2, completions));
        assertEquals(Errno.ENOENT, queue.startPoll());
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(0));
        send(link.client(), RpmaCompletionFlags.ALWAYS, 2);
        assertEquals(RpmaError.OK, queue.await(RpmaRig.TIMEOUT_NS), "the wait has armed the queue");
        assertEquals(RpmaError.OK, queue.getCompletion(completions));
        assertEquals(2, completions.workRequestId(0));
    }

    @Test
    void shouldAnnounceTheFirstOfSeveralCompletionsOnly() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(MESSAGES), new SideOptions());
        final RpmaCompletionQueue queue = link.client().connection.completionQueue();
        for (int i = 0; i < MESSAGES; i++) {
            send(link.client(), RpmaCompletionFlags.ALWAYS, i);
        }
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i, link.client().main.nextSuccess().workRequestId());
        }

        assertEquals(RpmaError.OK, queue.await(RpmaRig.TIMEOUT_NS));

        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(0));
    }

    @Test
    void shouldCompleteOnErrorOnlyWhenThatIsAskedFor() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(2), new SideOptions());
        final RpmaSide client = link.client();

        send(client, RpmaCompletionFlags.ON_ERROR, 1);
        send(client, RpmaCompletionFlags.ALWAYS, 2);
        assertEquals(2, client.awaitSent().workRequestId());
        client.main.requireEmpty();

        writeBeyondTheEnd(client, RpmaCompletionFlags.ON_ERROR, 3);
        assertEquals(WorkStatus.REM_ACCESS_ERR, client.main.nextFailure(3));
    }

    @Test
    void shouldHaveFourFieldsOnlyInAFailedCompletionOfABatch() {
        final RpmaSide client = rig.link().client();
        final RpmaCompletionQueue queue = client.connection.completionQueue();
        writeBeyondTheEnd(client, RpmaCompletionFlags.ALWAYS, 3);

        RpmaRig.until("a batch", () -> queue.startPoll() == Errno.OK);

        assertEquals(3, queue.workRequestId());
        assertEquals(WorkStatus.REM_ACCESS_ERR, queue.status());
        assertEquals(client.connection.queuePairNumber(), queue.queuePairNumber());
        assertEquals(0, queue.vendorError(), "soft-RoCE has no words of its own");
        for (final Executable reader : List.<Executable>of(queue::opcode, queue::flags, queue::byteLength,
            queue::immediateData, queue::sourceQueuePair, queue::sourceLid, queue::serviceLevel,
            queue::destinationPathBits, queue::partitionKeyIndex)) {
            assertThrows(IllegalStateException.class, reader);
        }
        queue.endPoll();
    }

    @Test
    void shouldHaveFourFieldsOnlyInAFailedRecord() {
        final RpmaSide client = rig.link().client();
        writeBeyondTheEnd(client, RpmaCompletionFlags.ALWAYS, 3);

        assertEquals(RpmaError.OK, awaitOne(client.connection.completionQueue()));

        assertEquals(3, completions.workRequestId(0));
        assertEquals(WorkStatus.REM_ACCESS_ERR, completions.status(0));
        assertEquals(client.connection.queuePairNumber(), completions.queuePairNumber(0));
        assertEquals(0, completions.vendorError(0), "soft-RoCE has no words of its own");
        for (final Executable reader : List.<Executable>of(() -> completions.opcode(0), () -> completions.flags(0),
            () -> completions.byteLength(0), () -> completions.immediateData(0))) {
            assertThrows(IllegalStateException.class, reader);
        }
    }

    @Test
    void shouldTakeNoMoreCompletionsThanAskedFor() {
        final RpmaSide client = rig.link(new SideOptions().receives(MESSAGES), new SideOptions()).client();
        final RpmaCompletionQueue queue = client.connection.completionQueue();
        for (int i = 0; i < MESSAGES; i++) {
            send(client, i < MESSAGES - 1 ? RpmaCompletionFlags.ALWAYS : RpmaCompletionFlags.ON_ERROR, i);
        }
        int first = 0;
        while (first < MESSAGES - 1) {
            final int count = await(() -> queue.getCompletions(2, completions));
            assertTrue(count >= 1 && count <= 2, () -> "count=" + count);
            for (int i = 0; i < count; i++) {
                assertEquals(first, completions.workRequestId(i));
                first++;
            }
        }
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(0, completions));
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(-1, completions));
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(completions.capacity() + 1, completions));
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(1, null));
        assertEquals(RpmaError.E_INVAL, queue.getCompletion(null));
    }

    @Test
    void shouldEndTheWaitThatIsWoken() {
        final RpmaConnection connection = rig.link(new SideOptions().configuration(
            withReceiveQueue().withSharedCompletionChannel(true)), new SideOptions()).server().connection;
        final RpmaConnection unshared = rig.link().server().connection;

        connection.wake();
        assertNull(connection.nextEvent(RpmaRig.TIMEOUT_NS));
        rig.endpoint().wake();
        assertNull(rig.endpoint().nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS));
        unshared.completionQueue().wake();
        assertEquals(RpmaError.E_NO_COMPLETION, unshared.completionQueue().await(RpmaRig.TIMEOUT_NS));
        connection.wakeCompletion();
        assertEquals(RpmaError.E_NO_COMPLETION, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));
    }

    @Test
    void shouldEndTheWaitOfAThreadThatIsInterrupted() {
        final RpmaConnection connection = rig.link(new SideOptions().configuration(
            RpmaRig.CONFIGURATION.withSharedCompletionChannel(true)), new SideOptions()).server().connection;
        Thread.currentThread().interrupt();

        assertNull(connection.nextEvent(RpmaRig.TIMEOUT_NS));
        assertNull(rig.endpoint().nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS));
        assertEquals(RpmaError.E_NO_COMPLETION, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));

        assertTrue(Thread.interrupted(), "it is left to the caller");
    }
}
