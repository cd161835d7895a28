package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.LangUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work of a poll with many links does not depend on how many there are, and none is forgotten. */
class ManyLinksTest implements ReceiverListener {
    private static final int LINKS = 100;
    private static final int FRAME = 32;
    private static final int IDLE_POLLS = 1_000;

    private final List<String> events = new ArrayList<>();
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private InboundEpochs epochs = new InboundEpochs();
    private final List<InboundLink> links = new ArrayList<>();
    private long nowNs;
    private int clockReads;
    private final Receiver receiver =
        new Receiver(completions, new StubCompletionQueue(), this, new LiveCounters(), this::nanoTime);

    private long nanoTime() {
        clockReads++;
        return nowNs;
    }

    @Override
    public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
        events.add(reason + " " + links.indexOf(failed));
    }

    @Override
    public void onEndReceived(final InboundLink ended) {
        events.add("received " + links.indexOf(ended));
    }

    @Override
    public void onEndConsumed(final InboundLink ended) {
        events.add("consumed " + links.indexOf(ended));
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
        throw new AssertionError("errno=" + errno);
    }

    private void attach(final int count, final boolean memoryCompletion) {
        for (int i = 0; i < count; i++) {
            final InboundLink link = new InboundLink(InboundEpochs.WINDOW, 0, 1, InboundEpochs.FRAME_KEY);
            links.add(link);
            receiver.commands().attach(link, epochs.next(memoryCompletion));
            receiver.commands().join(link, 0, () -> {
                throw new AssertionError("join refused");
            });
        }
        poll();
    }

    private void settle() {
        for (int i = 0; i < 2 * AttachedLinks.SETTLING_POLLS; i++) {
            poll();
        }
    }

    private void commit(final int link) {
        final SendLog log = epochs.log(link);
        final long position = log.claim(FRAME, Long.MAX_VALUE);
        assertTrue(position >= 0, () -> "claimed " + position);
        log.commit(position, FRAME, FrameDescriptor.DATA_TYPE, 0);
    }

    private void write(final int link) {
        commit(link);
        completions.add(InboundEpochs.workRequestId(link), WorkStatus.SUCCESS,
            ImmediatePosition.immediate(epochs.log(link).tail()));
    }

    /** One poll, as of a subscription that goes over the active links only. */
    private int poll() {
        final int work = receiver.drain();
        for (int i = 0; i < receiver.activeLinkCount(); i++) {
            final InboundLink link = receiver.links()[i];
            link.positions().advance(link.positions().received());
        }
        receiver.maintain(work);
        return work;
    }

    private int pollsUntilReceived(final int link, final Runnable beforeEach) {
        int polls = 0;
        while (links.get(link).positions().consumed() < epochs.log(link).tail()) {
            beforeEach.run();
            poll();
            polls++;
            assertTrue(polls < 1_000_000, "forgotten");
        }
        return polls;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 100, 1000})
    void shouldLookAtOneInactiveLinkInSomePollsWhileMessagesFlow(final int count) {
        attach(count, true);
        final int active = count / 2;
        for (int i = 0; i < 3 * AttachedLinks.SETTLING_POLLS; i++) {
            commit(active);
            poll();
        }
        assertEquals(1, receiver.activeLinkCount());
        assertEquals(links.get(active), receiver.links()[0]);
        final int looksBefore = epochs.looks() - epochs.looks(active);
        final int polls = 100 * LinkSweep.BUSY_POLLS_PER_SWEEP;
        for (int i = 0; i < polls; i++) {
            commit(active);
            assertEquals(1, poll());
        }
        assertEquals(100, epochs.looks() - epochs.looks(active) - looksBefore);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 100, 1000})
    void shouldLookAtOneInactiveLinkInSomeIdlePolls(final int count) {
        attach(count, true);
        settle();
        assertEquals(0, receiver.activeLinkCount());
        final int before = epochs.looks();
        for (int i = 0; i < count * LinkSweep.IDLE_POLLS_PER_SWEEP; i++) {
            poll();
        }
        assertEquals(count, epochs.looks() - before);
        for (int i = 0; i < count; i++) {
            assertEquals(epochs.looks(0), epochs.looks(i), 1, "in turn");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LINKS / 2, LINKS - 1})
    void shouldFindTheFirstMessageOfAnInactiveLinkWithinARoundOfIdlePolls(final int link) {
        attach(LINKS, true);
        settle();
        for (int i = 0; i < 3; i++) {
            commit(link);
            final int polls = pollsUntilReceived(link, () -> { });
            assertTrue(polls <= LINKS * LinkSweep.IDLE_POLLS_PER_SWEEP, () -> "polls=" + polls);
            assertEquals(1, receiver.activeLinkCount());
            commit(link);
            assertEquals(1, pollsUntilReceived(link, () -> { }), "it is active now");
            settle();
            assertEquals(0, receiver.activeLinkCount());
        }
    }

    /** The places of links, which change, tell where next frames are expected. */
    @Test
    void shouldFindTheFirstMessagesInSharedMemoryWhicheverLinksComeAndGo() {
        epochs = new InboundEpochs(false);
        attach(LINKS, true);
        final Random random = new Random(7);
        final Set<Integer> gone = new HashSet<>();
        for (int round = 0; round < 50; round++) {
            settle();
            assertEquals(0, receiver.activeLinkCount());
            final int leaving = random.nextInt(links.size());
            if (gone.add(leaving)) {
                receiver.commands().detach(links.get(leaving), () -> { });
            }
            attach(2, true);
            final int written = random.nextInt(links.size());
            if (!gone.contains(written)) {
                settle();
                commit(written);
                final int polls = pollsUntilReceived(written, () -> { });
                assertTrue(polls <= links.size() * LinkSweep.IDLE_POLLS_PER_SWEEP, () -> "polls=" + polls);
                assertEquals(1, receiver.activeLinkCount(), "no other has anything");
            }
        }
        assertEquals(List.of(), events);
    }

    @Test
    void shouldFindTheFirstMessageOfAnInactiveLinkWhileMessagesFlow() {
        attach(LINKS, true);
        settle();
        commit(7);
        final int polls = pollsUntilReceived(7, () -> commit(3));
        assertTrue(polls <= LINKS * LinkSweep.BUSY_POLLS_PER_SWEEP, () -> "polls=" + polls);
        assertTrue(polls > 1, "or there is nothing to be found");
    }

    /** One that sleeps between its polls: all links in a few of them, and not one by one. */
    @Test
    void shouldFindTheFirstMessageSoonWhenPollsAreFarApart() {
        attach(1000, true);
        settle();
        for (int link = 0; link < 1000; link += 99) {
            commit(link);
            final int polls = pollsUntilReceived(link, () -> nowNs += TimeUnit.MILLISECONDS.toNanos(1));
            final int sweeps = 1000 / LinkSweep.LINKS_PER_SWEEP + 1;
            assertTrue(polls <= 2 + sweeps * LinkSweep.IDLE_POLLS_PER_SWEEP, () -> "polls=" + polls);
        }
    }

    @Test
    void shouldNotLookAtAllLinksAtOnce() {
        attach(1000, true);
        settle();
        final int before = epochs.looks();
        nowNs += TimeUnit.HOURS.toNanos(1);
        for (int i = 0; i < LinkSweep.IDLE_POLLS_PER_SWEEP; i++) {
            poll();
        }
        assertEquals(LinkSweep.LINKS_PER_SWEEP, epochs.looks() - before);
    }

    @Test
    void shouldLookAtMoreLinksTheMoreTimeHasPassedWhileMessagesFlow() {
        attach(1000, true);
        settle();
        commit(7);
        final int polls = pollsUntilReceived(7, () -> {
            commit(3);
            nowNs += LinkSweep.NS_PER_LINK;
        });
        assertTrue(polls <= 1000 + LinkSweep.BUSY_POLLS_PER_SWEEP, () -> "polls=" + polls);
    }

    /** Completions tell of them: there is nothing to be looked for, nor is the clock read for it. */
    @Test
    void shouldNotLookForMessagesThatCompletionsTellOf() {
        attach(LINKS, false);
        settle();
        assertEquals(0, receiver.activeLinkCount());
        assertEquals(0, epochs.looks());
        final int readsBefore = clockReads;
        for (int i = 0; i < 100; i++) {
            poll();
        }
        assertEquals(readsBefore, clockReads, 2);
        write(7);
        poll();
        assertEquals(epochs.log(7).tail(), links.get(7).positions().consumed());
        assertEquals(1, receiver.activeLinkCount());
    }

    @Test
    void shouldReportWhatInactiveLinksHadLeftToReportOnceItIsIdle() {
        attach(LINKS, false);
        for (int i = 0; i < LINKS; i++) {
            write(i);
        }
        settle();
        assertEquals(0, receiver.activeLinkCount());
        for (int i = 0; i < LINKS; i++) {
            assertEquals(0, epochs.queuePair(i).posts().size(), "not before it is idle");
        }
        assertFalse(receiver.isHeldUp());
        assertTrue(receiver.isIdleMaintenanceDue());
        for (int i = 0; i < IDLE_POLLS; i++) {
            poll();
            nowNs += TimeUnit.MICROSECONDS.toNanos(10);
        }
        for (int i = 0; i < LINKS; i++) {
            assertEquals(epochs.log(i).tail(), links.get(i).positions().reported(), "link " + i);
            assertEquals(1, epochs.queuePair(i).posts().size());
            assertEquals(1, epochs.queuePair(i).receivesPosted());
        }
        assertFalse(receiver.isIdleMaintenanceDue());
    }

    @Test
    void shouldTellTheEndOfAnInactiveLink() {
        attach(LINKS, true);
        settle();
        commit(9);
        receiver.commands().end(links.get(9), FRAME, () -> events.add("accepted"));
        poll();
        assertEquals(List.of("accepted", "received 9", "consumed 9"), events);
    }

    @Test
    void shouldFindWhatWasCommittedBeforeAnInactiveLinkBroke() {
        attach(LINKS, true);
        settle();
        commit(9);
        receiver.commands().fail(links.get(9), BreakReason.COMPLETION_ERROR);
        commit(11);
        receiver.commands().quiesce(links.get(11), received -> events.add("quiescent " + received));
        poll();
        assertEquals(List.of("COMPLETION_ERROR 9", "quiescent " + FRAME), events);
        assertEquals(FRAME, links.get(9).positions().consumed());
        assertEquals(FRAME, links.get(11).positions().consumed());
    }

    @Test
    void shouldTakeWhatThePublicationToldOfAnInactiveLink() {
        attach(LINKS, true);
        settle();
        commit(9);
        receiver.commands().expect(links.get(9), FRAME);
        poll();
        assertEquals(FRAME, links.get(9).positions().consumed());
    }

    @Test
    void shouldGoOnWithAnInactiveLinkInAnotherEpoch() {
        attach(LINKS, true);
        settle();
        receiver.commands().quiesce(links.get(9), received -> { });
        poll();
        settle();
        assertEquals(0, receiver.activeLinkCount());
        final InboundEpoch before = links.get(9).epoch();
        receiver.commands().resume(links.get(9), before, (ring, position) -> { });
        commit(9);
        assertEquals(1, pollsUntilReceived(9, () -> { }));
    }

    /** Events that consumers hold are given back, and the walk goes on, whoever else is active. */
    @Test
    void shouldWalkAndReclaimActiveLinksInTurn() {
        final EventRing ring = new EventRing(receiver, 8, MessageTimes.withoutLatency(() -> 0));
        final Poller poller = new Poller(0, Poller.NO_CPU, LangUtil::rethrowUnchecked, notice -> { });
        attach(LINKS, true);
        links.forEach(link -> link.view(new UnusedView()));
        settle();
        poller.add(ring);
        for (int link = 10; link < 20; link++) {
            for (int i = 0; i < 4; i++) {
                commit(link);
            }
        }
        for (int i = 0; i < 3 * AttachedLinks.SETTLING_POLLS; i++) {
            poller.doWork();
        }
        assertEquals(7, ring.ring().getCursor(), "full");
        assertTrue(receiver.activeLinkCount() >= 10, "they have messages");
        for (int i = 0; i < 100; i++) {
            ring.consumerSequence().set(ring.ring().getCursor());
            poller.doWork();
        }
        for (int i = 0; i < LINKS; i++) {
            assertEquals(epochs.log(i).tail(), links.get(i).positions().consumed());
        }
        assertEquals(39, ring.ring().getCursor());
    }
}
