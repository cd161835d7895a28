package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.foreign.Epoll;
import io.sluice.verbs.foreign.SystemCalls;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits for completions: on the channel of one queue, and on the one that the queues of a connection share. */
class RpmaWaitTest {
    private static final long FOREVER_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long SHORT_NS = 2_000_000;
    private static final int LONG_MS = 30_000;
    private static final RpmaConnectionConfiguration SHARED = RpmaConnectionConfiguration.DEFAULT
        .withReceiveCompletionQueueSize(5).withSharedCompletionChannel(true);

    private ScriptedRpma rpma;
    private RpmaConnection connection;
    private RpmaCompletionQueue queue;

    @BeforeEach
    void connect() {
        rpma = new ScriptedRpma();
        connection = rpma.connect();
        queue = connection.completionQueue();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    /** A thread that has looked for a completion in vain, and waits for the next one. */
    private Waiting<Integer> waiting() {
        rpma.queue(queue).announce(RpmaError.E_NO_COMPLETION);
        final Waiting<Integer> waiting = new Waiting<>(() -> queue.await(FOREVER_NS));
        rpma.awaitCall("rpma_cq_wait");
        return waiting;
    }

    @Test
    void shouldSayThatACompletionIsThere() {
        rpma.queue(queue).announce(RpmaError.OK);

        assertEquals(RpmaError.OK, queue.await(FOREVER_NS));
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(0));
    }

    @Test
    void shouldWaitUntilACompletionComes() throws Exception {
        try (Waiting<Integer> waiting = waiting()) {
            rpma.queue(queue).announce(RpmaError.OK);
            assertEquals(RpmaError.OK, waiting.result());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SHORT_NS, 1, 0, -1, Long.MIN_VALUE})
    void shouldSayThatNoneCameInTime(final long timeoutNs) {
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(timeoutNs));
    }

    /** The event of a completion that was polled already. */
    @Test
    void shouldGoOnWaitingAfterAnEventForNothing() throws Exception {
        rpma.queue(queue).announce(RpmaError.E_NO_COMPLETION);
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(SHORT_NS));

        rpma.calls.clear();
        try (Waiting<Integer> waiting = waiting()) {
            rpma.queue(queue).announce(RpmaError.OK);
            assertEquals(RpmaError.OK, waiting.result());
        }
    }

    /** Epoll waits, as the second example of ibv_get_cq_event(3) does with a channel of the verbs. */
    @Test
    void shouldBeWaitedForWithEpollBesideAnotherDescriptor() {
        final int own = SystemCalls.newEventDescriptor();
        try (Epoll epoll = new Epoll(own, queue.descriptor())) {
            assertEquals(Set.of(), epoll.await(0));
            SystemCalls.signal(own);
            assertEquals(Set.of(own), epoll.await(LONG_MS));

            rpma.queue(queue).announce(RpmaError.OK);
            assertEquals(Set.of(own, queue.descriptor()), epoll.await(LONG_MS));
            SystemCalls.clear(own);
            assertEquals(RpmaError.OK, queue.await(0));

            assertEquals(Set.of(), epoll.await(0));
        } finally {
            SystemCalls.close(own);
        }
    }

    @Test
    void shouldTellThatTheQueueIsNotArmed() {
        rpma.queue(queue).announce(RpmaError.E_PROVIDER);

        assertEquals(RpmaError.E_PROVIDER, queue.await(FOREVER_NS));
    }

    @Test
    void shouldBeWokenByAnotherThread() throws Exception {
        try (Waiting<Integer> waiting = waiting()) {
            queue.wake();
            assertEquals(RpmaError.E_NO_COMPLETION, waiting.result());
        }
    }

    @Test
    void shouldEndOneWaitByAWake() {
        queue.wake();
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(FOREVER_NS));

        rpma.queue(queue).announce(RpmaError.OK);
        assertEquals(RpmaError.OK, queue.await(FOREVER_NS));
    }

    @Test
    void shouldNotLoseACompletionByAWake() {
        queue.wake();
        rpma.queue(queue).announce(RpmaError.OK);

        final int first = queue.await(FOREVER_NS);
        final int second = queue.await(FOREVER_NS);
        assertEquals(RpmaError.OK, Math.max(first, second));
        assertEquals(RpmaError.E_NO_COMPLETION, Math.min(first, second));
    }

    @Test
    void shouldNotWaitInAnInterruptedThread() throws Exception {
        try (Waiting<Integer> waiting = new Waiting<>(() -> {
            Thread.currentThread().interrupt();
            final int result = queue.await(FOREVER_NS);
            assertTrue(Thread.currentThread().isInterrupted(), "it stays interrupted");
            return result;
        })) {
            assertEquals(RpmaError.E_NO_COMPLETION, waiting.result());
        }
    }

    @Test
    void shouldEndAWaitWhoseThreadIsInterrupted() throws Exception {
        try (Waiting<Integer> waiting = waiting()) {
            waiting.interrupt();
            assertEquals(RpmaError.E_NO_COMPLETION, waiting.result());
        }
    }

    @Test
    void shouldSendAWaitingThreadAwayBeforeTheConnectionGoes() throws Exception {
        try (Waiting<Integer> waiting = waiting()) {
            connection.close();
            assertEquals(RpmaError.E_INVAL, waiting.result());
        }
        assertEquals(1, rpma.count("rpma_conn_delete"));
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @Test
    void shouldWaitForOneQueueAtATimeWhenTheChannelIsShared() {
        final RpmaConnection shared = rpma.connect(SHARED);
        rpma.calls.clear();
        for (final RpmaCompletionQueue each : List.of(shared.completionQueue(), shared.receiveCompletionQueue())) {
            assertEquals(RpmaError.E_SHARED_CHANNEL, each.await(FOREVER_NS));
            each.wake();
        }
        assertEquals(List.of(), rpma.calls);
        shared.close();
        assertEquals(RpmaError.E_INVAL, shared.completionQueue().await(0));
        assertEquals(RpmaError.E_INVAL, shared.awaitCompletion(0));
    }

    @Test
    void shouldNotWaitForBothQueuesOnAChannelOfTheirOwn() {
        assertEquals(RpmaError.E_NOT_SHARED_CHANNEL, connection.awaitCompletion(FOREVER_NS));
        assertNull(connection.signalledQueue());
        assertEquals(RpmaError.E_NOT_SHARED_CHANNEL,
            assertThrows(RpmaException.class, connection::completionDescriptor).code());
        assertFalse(rpma.calls.contains("rpma_conn_wait"));
        connection.close();
        assertEquals(RpmaError.E_INVAL, connection.awaitCompletion(0));
    }

    /** The shared channel announces a queue, or an error. */
    private void announce(final int code, final RpmaCompletionQueue announced) {
        rpma.answer("rpma_conn_wait", call -> {
            rpma.answer("rpma_conn_wait", RpmaError.E_NO_COMPLETION);
            SystemCalls.clear(rpma.channelDescriptor);
            assertEquals(0, (int) call[1], "no flags");
            ScriptedRpma.write(call[2], announced == null ? 0 : announced.handle());
            return code;
        });
        SystemCalls.signal(rpma.channelDescriptor);
    }

    @Test
    void shouldSayWhichQueueTheSharedChannelAnnounces() {
        try (RpmaConnection shared = rpma.connect(SHARED)) {
            assertEquals(rpma.channelDescriptor, shared.completionDescriptor());
            assertNull(shared.signalledQueue());
            for (final RpmaCompletionQueue each
                : List.of(shared.receiveCompletionQueue(), shared.completionQueue())) {
                announce(RpmaError.OK, each);
                assertEquals(RpmaError.OK, shared.awaitCompletion(FOREVER_NS));
                assertSame(each, shared.signalledQueue());
            }
            assertEquals(RpmaError.E_NO_COMPLETION, shared.awaitCompletion(SHORT_NS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {RpmaError.E_UNKNOWN, RpmaError.E_PROVIDER})
    void shouldTellWhatIsWrongWithTheSharedChannel(final int error) {
        try (RpmaConnection shared = rpma.connect(SHARED)) {
            announce(RpmaError.OK, shared.receiveCompletionQueue());
            assertEquals(RpmaError.OK, shared.awaitCompletion(FOREVER_NS));
            announce(error, null);
            assertEquals(error, shared.awaitCompletion(FOREVER_NS));
            assertSame(shared.receiveCompletionQueue(), shared.signalledQueue(), "of the last event that was one");
        }
    }

    @Test
    void shouldBeWokenOnTheSharedChannel() throws Exception {
        final RpmaConnection shared = rpma.connect(SHARED);
        announce(RpmaError.E_NO_COMPLETION, null);
        try (Waiting<Integer> waiting = new Waiting<>(() -> shared.awaitCompletion(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_wait");
            shared.wakeCompletion();
            assertEquals(RpmaError.E_NO_COMPLETION, waiting.result());
        }
        shared.close();
        shared.wakeCompletion();
        connection.wakeCompletion();
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @Test
    void shouldSendAThreadAwayFromTheSharedChannel() throws Exception {
        final RpmaConnection shared = rpma.connect(SHARED);
        announce(RpmaError.E_NO_COMPLETION, null);
        try (Waiting<Integer> waiting = new Waiting<>(() -> shared.awaitCompletion(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_wait");
            shared.close();
            assertEquals(RpmaError.E_INVAL, waiting.result());
        }
        assertEquals(List.of(), rpma.usesOfDeleted);
    }
}
