package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.foreign.Epoll;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The two examples of ibv_get_cq_event(3): waiting in the channel, and waiting by the program's own poll(2) or
 * epoll(7), beside other descriptors. Providers without descriptors say so.
 */
class CompletionDescriptorTest extends VerbsSuite {
    private static final long TIMEOUT_NS = 30_000_000_000L;
    private static final int TIMEOUT_MS = 30_000;

    private CompletionChannel channel;
    private CompletionQueue queue;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        channel = rig.keep(rig.second.createCompletionChannel());
        final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().channel(channel));
        left = link.left();
        right = link.right();
        queue = right.receiveQueue;
    }

    private void tell(final int immediate) {
        assertEquals(Errno.OK, right.queuePair.postReceives(1, 1));
        assertEquals(Errno.OK, left.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, right, immediate));
        rig.awaitSuccess(left.sendQueue);
    }

    /** "Empty the CQ": the sum of immediate data. */
    private static int drain(final CompletionQueue armed) {
        int sum = 0;
        while (armed.startPoll() == Errno.OK) {
            do {
                assertEquals(WorkStatus.SUCCESS, armed.status());
                sum += armed.immediateData();
            } while (armed.nextPoll() == Errno.OK);
            armed.endPoll();
        }
        return sum;
    }

    @Test
    void shouldHandleCompletionsAsTheFirstExampleDoes() {
        assertEquals(Errno.OK, queue.requestNotify(false));
        tell(3);
        tell(4);

        final CompletionQueue announced = channel.getEvent(TIMEOUT_NS);
        announced.acknowledgeEvents(1);
        assertEquals(Errno.OK, announced.requestNotify(false));
        assertSame(queue, announced);
        assertEquals(7, drain(announced));
    }

    @Test
    void shouldTellTheContextOfTheQueueThatAnEventIsFor() {
        final Object context = new Object();
        final CompletionQueue receives = rig.keep(rig.second.createCompletionQueue(
            new CompletionQueueAttributes(16, Endpoint.FIELDS, channel).withContext(context)));
        final Rig.Link other = rig.link(
            new EndpointOptions(), new EndpointOptions().queues(rig.queueOnSecond(16, null), receives));
        assertEquals(Errno.OK, receives.requestNotify(false));
        other.right().queuePair.postReceives(1, 1);
        other.left().writeImmediate(1, WorkFlags.NONE, 0, 8, other.right(), 1);

        final CompletionQueue announced = channel.getEvent(TIMEOUT_NS);

        assertSame(context, announced.context());
        announced.acknowledgeEvents(1);
        assertNull(queue.context(), "none was given");
    }

    /** Whether the rest of a test is about it; where there is none the call says so by name. */
    private boolean hasDescriptor() {
        if (rig.has(DeviceFixture.Ability.HAS_CHANNEL_DESCRIPTORS)) {
            return true;
        }
        final VerbsException refusal = assertThrows(VerbsException.class, channel::descriptor);
        assertEquals(Errno.EOPNOTSUPP, refusal.errno());
        assertTrue(refusal.getMessage().contains("no descriptor"), refusal.getMessage());
        return false;
    }

    @Test
    void shouldHandleCompletionsAsTheSecondExampleDoes() {
        if (!hasDescriptor()) {
            return;
        }
        final MemorySegment polled = SystemCalls.pollRecords(channel.descriptor());
        assertEquals(Errno.OK, queue.requestNotify(false));
        assertTrue(!SystemCalls.await(polled, 0), "nothing has come");
        tell(5);

        while (!SystemCalls.await(polled, TIMEOUT_NS)) {
            assertTrue(rig.workers.mayGoOn(), "no event was announced");
        }
        assertSame(queue, channel.getEvent(0));
        queue.acknowledgeEvents(1);

        assertNull(channel.getEvent(0), "it does not wait");
        assertEquals(5, drain(queue));
    }

    @Test
    void shouldWaitWithEpollBesideAnotherDescriptor() {
        if (!hasDescriptor()) {
            return;
        }
        final int own = SystemCalls.newEventDescriptor();
        try (Epoll epoll = new Epoll(own, channel.descriptor())) {
            assertEquals(Errno.OK, queue.requestNotify(false));
            assertEquals(Set.of(), epoll.await(0));

            SystemCalls.signal(own);
            assertEquals(Set.of(own), epoll.await(TIMEOUT_MS));
            tell(6);
            Set<Integer> ready = epoll.await(TIMEOUT_MS);
            while (ready.size() < 2 && rig.workers.mayGoOn()) {
                ready = epoll.await(TIMEOUT_MS);
            }
            assertEquals(Set.of(own, channel.descriptor()), ready);
            SystemCalls.clear(own);
            channel.wake();
            assertEquals(Set.of(channel.descriptor()), epoll.await(0), "until the event is taken");
            assertSame(queue, channel.getEvent(0));
            queue.acknowledgeEvents(1);
            assertEquals(Set.of(), epoll.await(0));
            assertEquals(6, drain(queue));
        } finally {
            SystemCalls.close(own);
        }
    }

    @Test
    void shouldGiveNoDescriptorOfAClosedChannel() {
        if (!hasDescriptor()) {
            return;
        }
        final CompletionChannel closed = rig.second.createCompletionChannel();
        closed.close();

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, closed::descriptor).errno());
    }
}
