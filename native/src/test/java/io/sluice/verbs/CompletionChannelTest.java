package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CompletionChannelTest extends VerbsSuite {
    private static final long LONG_NS = 20_000_000_000L;
    /** Acknowledged by two threads at once. */
    private static final int EVENTS = 50 * Integer.parseInt(System.getProperty("sluice.verbs.rounds", "40"));
    private static final Duration FAR_BEYOND = Duration.ofSeconds(30);
    /** Messages under way at most: several batches, so that the end of one does not mean that there is no more. */
    private static final int IN_FLIGHT = 48;

    private CompletionChannel channel;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        channel = rig.keep(rig.second.createCompletionChannel());
        final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().channel(channel));
        left = link.left();
        right = link.right();
    }

    private void tell(final int immediate, final int flags) {
        assertEquals(Errno.OK, right.queuePair.postReceives(1, 1));
        assertEquals(Errno.OK, left.writeImmediate(1, flags | WorkFlags.SIGNALED, 0, 8, right, immediate));
        rig.awaitSuccess(left.sendQueue);
    }

    private void takeEvent() {
        assertSame(right.receiveQueue, channel.getEvent(LONG_NS));
        right.receiveQueue.acknowledgeEvents(1);
    }

    @Test
    void shouldAnnounceACompletionToAnArmedQueue() {
        assertEquals(Errno.OK, right.receiveQueue.requestNotify(false));

        tell(3, WorkFlags.NONE);

        takeEvent();
        assertEquals(3, rig.awaitSuccess(right.receiveQueue).immediate());
    }

    @Test
    void shouldNotAnnounceToAQueueThatIsNotArmed() {
        tell(3, WorkFlags.NONE);

        assertNull(channel.getEvent(0));
        assertEquals(3, rig.awaitSuccess(right.receiveQueue).immediate());
    }

    @Test
    void shouldAnnounceOnceForEachArming() {
        right.receiveQueue.requestNotify(false);
        tell(1, WorkFlags.NONE);
        tell(2, WorkFlags.NONE);
        takeEvent();

        assertNull(channel.getEvent(0));
        right.receiveQueue.requestNotify(false);
        tell(3, WorkFlags.NONE);
        takeEvent();
        for (int i = 1; i <= 3; i++) {
            assertEquals(i, rig.awaitSuccess(right.receiveQueue).immediate());
        }
    }

    @Test
    void shouldNotAnnounceWhatArrivedBeforeArming() {
        tell(1, WorkFlags.NONE);
        right.receiveQueue.requestNotify(false);

        assertNull(channel.getEvent(0));
        assertEquals(1, rig.awaitSuccess(right.receiveQueue).immediate(), "it is found by polling after arming");
    }

    @Test
    void shouldStayArmedWhenArmedAgain() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Errno.OK, right.receiveQueue.requestNotify(false));
            assertEquals(Errno.ENOENT, right.receiveQueue.startPoll());
        }

        tell(1, WorkFlags.NONE);

        takeEvent();
        assertEquals(1, rig.awaitSuccess(right.receiveQueue).immediate());
        assertEquals(Errno.OK, right.receiveQueue.requestNotify(false));
        tell(2, WorkFlags.NONE);
        takeEvent();
    }

    @Test
    void shouldTellNobodyByAQueueWithoutAChannel() {
        final CompletionQueue silent = rig.queueOnSecond(16, null);

        assertEquals(Errno.OK, silent.requestNotify(false));
        assertNull(channel.getEvent(0));
    }

    @Test
    void shouldArmForSolicitedCompletionsOrSayThatTheDeviceCannot() {
        final boolean can = rig.has(DeviceFixture.Ability.ANNOUNCES_SOLICITED_ONLY);

        assertEquals(can ? Errno.OK : Errno.EOPNOTSUPP, right.receiveQueue.requestNotify(true));
    }

    @Test
    void shouldAnnounceSolicitedCompletionsOnlyWhenAskedTo() {
        rig.assumeHas(DeviceFixture.Ability.ANNOUNCES_SOLICITED_ONLY);
        right.receiveQueue.requestNotify(true);
        tell(1, WorkFlags.NONE);
        assertNull(channel.getEvent(0));

        tell(2, WorkFlags.SOLICITED);

        takeEvent();
    }

    @Test
    void shouldAnnounceErrorsToAQueueArmedForSolicitedCompletions() {
        rig.assumeHas(DeviceFixture.Ability.ANNOUNCES_FLUSHES_AS_SOLICITED);
        right.queuePair.postReceives(1, 1);
        right.receiveQueue.requestNotify(true);

        right.queuePair.fail();

        takeEvent();
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(right.receiveQueue).status());
    }

    @Test
    void shouldStayArmedForEveryCompletionWhenArmedForSolicitedOnesToo() {
        right.receiveQueue.requestNotify(false);
        right.receiveQueue.requestNotify(true);

        tell(1, WorkFlags.NONE);

        takeEvent();
    }

    @Test
    void shouldAnnounceOwnSends() {
        final CompletionQueue sends = rig.queueOnSecond(16, channel);
        final Rig.Link link = rig.link(
            new EndpointOptions(), new EndpointOptions().queues(sends, rig.queueOnSecond(16, null)));
        sends.requestNotify(false);

        link.right().write(5, WorkFlags.SIGNALED, 0, 8, link.left());

        assertSame(sends, channel.getEvent(LONG_NS));
        sends.acknowledgeEvents(1);
        assertEquals(5, rig.awaitSuccess(sends).workRequestId());
    }

    @Test
    void shouldTellWhichQueueAnEventIsFor() {
        final Rig.Link other = rig.link(new EndpointOptions(), new EndpointOptions().channel(channel));
        right.receiveQueue.requestNotify(false);
        other.right().receiveQueue.requestNotify(false);
        other.right().queuePair.postReceives(1, 1);

        other.left().writeImmediate(1, WorkFlags.NONE, 0, 8, other.right(), 1);

        assertSame(other.right().receiveQueue, channel.getEvent(LONG_NS));
        other.right().receiveQueue.acknowledgeEvents(1);
        assertNull(channel.getEvent(0));
    }

    @Test
    void shouldReturnWithoutEventAfterTheTimeout() {
        right.receiveQueue.requestNotify(false);

        assertNull(channel.getEvent(1_000_000L));
        assertNull(channel.getEvent(0));
    }

    @Test
    void shouldWakeAWaitingThread() throws InterruptedException {
        final AtomicReference<Object> result = new AtomicReference<>("waiting");
        final Thread waiter = rig.workers.start(() -> result.set(channel.getEvent(Long.MAX_VALUE)));

        channel.wake();
        rig.workers.join(waiter);

        assertNull(result.get());
    }

    @Test
    void shouldAwaitAnEventWithoutTakingIt() {
        right.receiveQueue.requestNotify(false);
        tell(1, WorkFlags.NONE);

        while (!channel.await(LONG_NS)) {
            assertTrue(rig.workers.mayGoOn(), "no event was announced");
        }

        takeEvent();
        assertNull(channel.getEvent(0));
    }

    @Test
    void shouldAwaitNothingWhenNothingComes() {
        right.receiveQueue.requestNotify(false);
        assertNull(channel.getEvent(0), "taken, so that a peer that has just come is no news");

        assertFalse(channel.await(1_000_000L));
        assertFalse(channel.await(0));
    }

    /** A thread that waits for ever is left behind, until the channel is closed. */
    @Test
    void shouldNotWaitForLessThanNoTime() {
        assertNull(channel.getEvent(0), "taken, so that a peer that has just come is no news");

        for (final long timeoutNs : new long[] {-1, -2_000_000, Long.MIN_VALUE}) {
            assertFalse(assertTimeoutPreemptively(FAR_BEYOND, () -> channel.await(timeoutNs)), "ns=" + timeoutNs);
            assertNull(assertTimeoutPreemptively(FAR_BEYOND, () -> channel.getEvent(timeoutNs)), "ns=" + timeoutNs);
        }
    }

    @Test
    void shouldEndTheNextAwaitWhenWoken() {
        assertNull(channel.getEvent(0), "taken, so that a peer that has just come is no news");
        channel.wake();

        assertTrue(channel.await(Long.MAX_VALUE));
        assertFalse(channel.await(0), "a wake-up is for one wait");
    }

    @Test
    void shouldRefuseToAwaitWhenClosed() {
        final CompletionChannel other = rig.second.createCompletionChannel();
        other.close();

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> other.await(0)).errno());
    }

    @Test
    void shouldNotWaitWhenInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertNull(channel.getEvent(Long.MAX_VALUE));
        } finally {
            assertTrue(Thread.interrupted());
        }
        right.receiveQueue.requestNotify(false);
        tell(1, WorkFlags.NONE);
        takeEvent();
    }

    @Test
    void shouldWakeTheNextWait() {
        channel.wake();

        assertNull(channel.getEvent(Long.MAX_VALUE));
    }

    @Test
    void shouldNotCloseAQueueWithEventsNotAcknowledged() {
        final CompletionQueue receives = rig.queueOnSecond(64, channel);
        final Endpoint receiver = rig.onSecond(
            new EndpointOptions().queues(rig.queueOnSecond(64, null), receives));
        receiver.initialise();
        assertEquals(Errno.OK, receiver.queuePair.postReceives(1, 1));
        receives.requestNotify(false);
        receiver.queuePair.fail();
        assertSame(receives, channel.getEvent(LONG_NS));
        receiver.queuePair.close();

        final VerbsException e = assertThrows(VerbsException.class, receives::close);

        assertEquals(Errno.EBUSY, e.errno());
        assertTrue(e.getMessage().contains("1 event"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> receives.acknowledgeEvents(2));
        receives.acknowledgeEvents(1);
        receives.close();
    }

    @Test
    void shouldAcknowledgeManyEventsAtOnce() {
        for (int i = 0; i < 10; i++) {
            right.receiveQueue.requestNotify(false);
            tell(i, WorkFlags.NONE);
            assertSame(right.receiveQueue, channel.getEvent(LONG_NS));
            rig.awaitSuccess(right.receiveQueue);
        }

        right.receiveQueue.acknowledgeEvents(10);
    }

    /** One more than there were, and the queue could not be destroyed any more. */
    @Test
    void shouldAcknowledgeAnEventOnceThoughTwoThreadsDoAtOnce() throws InterruptedException {
        final AtomicInteger started = new AtomicInteger();
        final AtomicInteger done = new AtomicInteger();
        final AtomicInteger acknowledged = new AtomicInteger();
        final Thread other = rig.workers.start(() -> {
            for (int round = 1; round <= EVENTS; round++) {
                while (started.get() < round) {
                    if (!rig.workers.mayGoOn()) {
                        return;
                    }
                    Thread.onSpinWait();
                }
                acknowledge(acknowledged);
                done.set(round);
            }
        });
        for (int round = 1; round <= EVENTS; round++) {
            right.receiveQueue.requestNotify(false);
            tell(round, WorkFlags.NONE);
            assertSame(right.receiveQueue, channel.getEvent(LONG_NS));
            rig.awaitSuccess(right.receiveQueue);
            started.set(round);
            acknowledge(acknowledged);
            while (done.get() < round && rig.workers.mayGoOn()) {
                Thread.onSpinWait();
            }
            assertEquals(round, acknowledged.get());
        }
        rig.workers.join(other);
    }

    private void acknowledge(final AtomicInteger acknowledged) {
        try {
            right.receiveQueue.acknowledgeEvents(1);
            acknowledged.incrementAndGet();
        } catch (final IllegalArgumentException e) {
            assertTrue(e.getMessage().contains("count=1"), e.getMessage());
        }
    }

    /** The sender writes at times that have nothing to do with what the receiver does between arming and waiting. */
    @Test
    void shouldNotLoseAWakeUpBetweenArmingAndDraining() throws InterruptedException {
        final int messages = 5_000;
        final Rig.Link wide = rig.link(new EndpointOptions().sendWork(IN_FLIGHT + 16),
            new EndpointOptions().channel(channel).receiveWork(IN_FLIGHT));
        left = wide.left();
        right = wide.right();
        right.queuePair.postReceives(0, IN_FLIGHT);
        final Thread sender = rig.workers.start(() -> sendPaced(messages));
        int next = 0;
        while (next < messages && rig.workers.mayGoOn()) {
            next += drain(next);
            assertEquals(Errno.OK, right.receiveQueue.requestNotify(false));
            final int found = drain(next);
            next += found;
            if (found == 0 && next < messages) {
                assertSame(right.receiveQueue, channel.getEvent(LONG_NS), "received " + next);
                right.receiveQueue.acknowledgeEvents(1);
            }
        }
        rig.workers.join(sender);
        assertEquals(messages, next);
        while (channel.getEvent(0) != null) {
            right.receiveQueue.acknowledgeEvents(1);
        }
    }

    /** Echoes each completion into the sender's memory, so that it never sends more than the receives allow. */
    private int drain(final int from) {
        int count = 0;
        while (right.receiveQueue.startPoll() == Errno.OK) {
            final int before = count;
            do {
                assertEquals(WorkStatus.SUCCESS, right.receiveQueue.status());
                assertEquals(from + count, right.receiveQueue.immediateData());
                count++;
            } while (right.receiveQueue.nextPoll() == Errno.OK);
            right.receiveQueue.endPoll();
            assertEquals(Errno.OK, right.queuePair.postReceives(0, count - before));
            right.buffer.putLong(0, from + count);
            assertEquals(Errno.OK, right.write(1, WorkFlags.SIGNALED, 0, 8, left));
            rig.awaitSuccess(right.sendQueue);
        }
        return count;
    }

    private void sendPaced(final int messages) {
        for (int i = 0; i < messages; i++) {
            final Backoff backoff = new Backoff();
            while (i - left.buffer.getLongVolatile(0) >= IN_FLIGHT) {
                rig.workers.idle(backoff);
            }
            for (int pause = i * 7 % 300; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            final int flags = i % 8 == 7 ? WorkFlags.SIGNALED : WorkFlags.NONE;
            assertEquals(Errno.OK, left.writeImmediate(i, flags, 8, 8, right, i));
            if (flags != WorkFlags.NONE) {
                while (left.sendQueue.startPoll() != Errno.OK) {
                    rig.workers.idle(backoff);
                }
                assertEquals(WorkStatus.SUCCESS, left.sendQueue.status());
                left.sendQueue.endPoll();
            }
        }
    }
}
