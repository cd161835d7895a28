package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubEventDevice;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A poller that waits for events, stepped: one cycle, and then what its idle strategy does. */
class PollerSleepTest implements ReceiverListener {
    private static final int WINDOW = 4096;
    private static final int FRAME = 64;
    private static final int RING = 16;
    private static final long ID = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1);
    private static final long SPIN_TIME_NS = 1_000_000;
    /** Enough to see what is there and to fall asleep after it. */
    private static final int STEPS = 20;

    private final List<Throwable> errors = new ArrayList<>();
    private final ManualEnvironment environment = new ManualEnvironment();
    private final List<Long> parksNs = environment.parksNs();
    private StubEventDevice device;
    private StubEventDevice.EventQueue queue;
    private StubQueuePair queuePair;
    private SendLog log;
    private InboundLink link;
    private Receiver receiver;
    private EventRing ring;
    private Poller poller;
    private CompletionEventChannel channel;
    private IdleStrategy idleStrategy;

    @Override
    public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
        errors.add(new AssertionError(reason));
    }

    @Override
    public void onEndReceived(final InboundLink ended) {
    }

    @Override
    public void onEndConsumed(final InboundLink ended) {
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
    }

    @BeforeEach
    void create() {
        create(0);
    }

    private void create(final long spinTimeNs) {
        device = new StubEventDevice();
        poller = new Poller(0, Poller.NO_CPU, errors::add, notice -> { })
            .waitingForEvents(environment, spinTimeNs);
        idleStrategy = poller.idleStrategy(null);
        channel = poller.eventChannel(device);
        queue = (StubEventDevice.EventQueue) channel.createQueue(1, 0);
        receiver = new Receiver(queue, new StubCompletionQueue(), this, new LiveCounters(), () -> 0);
        ring = new EventRing(receiver, RING, MessageTimes.withoutLatency(() -> 0));
        final StubRegion region = new StubRegion(WINDOW);
        log = new SendLog(region, 0, 0);
        link = new InboundLink(WINDOW, 0, 1, 0);
        queuePair = new StubQueuePair(8, FeedbackDescriptor.CELL_LENGTH);
        link.view(new UnusedView());
        poller.add(ring);
        receiver.commands().attach(link, new InboundEpoch(
            queuePair, new EpochReceives(ID, 64, 16), region, new RemoteMemory(0, 7), null, false,
            ScanModeration.NONE));
        receiver.commands().join(link, 0, () -> errors.add(new AssertionError("refused")));
        poller.doWork();
    }

    private void step() {
        idleStrategy.idle(poller.doWork());
    }

    private void step(final int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    private void send() {
        log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME, FrameDescriptor.DATA_TYPE, 0);
        queue.complete(ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(log.tail()));
    }

    private long published() {
        return ring.ring().getCursor() + 1;
    }

    private void consumeAll() {
        ring.consumerSequence().set(ring.ring().getCursor());
    }

    /** Everything done and reported: the next sleep is a long one. */
    private void settle() {
        send();
        step(2);
        consumeAll();
        step(STEPS);
        assertEquals(PollerSleep.LONGEST_SLEEP_NS, device.sleepsNs().getLast());
        device.sleepsNs().clear();
    }

    @Test
    void shouldSleepWhenArmedQueuesAreStillEmpty() {
        final List<String> calls = new ArrayList<>();
        device.beforeSleep(() -> calls.add("sleep armed=" + queue.isArmed()));
        step();
        assertTrue(queue.isArmed());
        assertEquals(List.of(), calls, "it looks once more");
        step();
        assertEquals(List.of("sleep armed=true"), calls);
        assertEquals(List.of(PollerSleep.LONGEST_SLEEP_NS), device.sleepsNs());
        assertEquals(List.of(), parksNs);
    }

    /** At every call of the poller, from the first cycle to the sleep, a completion comes just before it. */
    @Test
    void shouldNotLoseACompletionWhereverItComes() {
        final int points = shouldNotLose(this::send, () -> assertEquals(0, queue.waiting(), "asleep over it"),
            () -> assertEquals(1, published()));
        assertTrue(points >= 5, "drain, take, arm, drain again, wait: points=" + points);
    }

    @Test
    void shouldNotLoseACommandWhereverItComes() {
        final int[] ran = new int[1];
        shouldNotLose(() -> {
            ran[0] = 0;
            receiver.commands().detach(new InboundLink(WINDOW, 0, 1, 0), () -> ran[0]++);
        }, () -> assertEquals(1, ran[0], "asleep over it"), () -> assertEquals(1, ran[0]));
    }

    @Test
    void shouldNotLoseASubscriptionThatIsAdded() {
        final StubEventDevice.EventQueue[] added = new StubEventDevice.EventQueue[1];
        shouldNotLose(() -> {
            added[0] = (StubEventDevice.EventQueue) channel.createQueue(1, 0);
            poller.add(new EventRing(
                new Receiver(added[0], new StubCompletionQueue(), this, new LiveCounters(), () -> 0), RING,
                MessageTimes.withoutLatency(() -> 0)));
        }, () -> assertTrue(added[0].isArmed(), "asleep without it"), () -> assertTrue(added[0].isArmed()));
    }

    /** Do it before the first call, before the second one and so on, each time in a new world; {@return how often}. */
    private int shouldNotLose(final Runnable bring, final Runnable checkBeforeSleep, final Runnable checkAtEnd) {
        int point = 0;
        boolean wasBrought = true;
        while (wasBrought) {
            create();
            final int at = point++;
            final int[] calls = new int[1];
            device.beforeCall(() -> {
                if (calls[0]++ == at) {
                    bring.run();
                }
            });
            device.beforeSleep(() -> {
                if (calls[0] > at) {
                    checkBeforeSleep.run();
                }
            });
            while (device.sleepsNs().isEmpty() && calls[0] <= at) {
                step();
            }
            wasBrought = calls[0] > at;
            if (wasBrought) {
                step(STEPS);
                checkAtEnd.run();
            }
            assertEquals(List.of(), errors);
        }
        return point - 1;
    }

    @Test
    void shouldTolerateAnEventWithAnEmptyQueue() {
        settle();
        queue.announce();
        step(STEPS);
        assertFalse(device.sleepsNs().isEmpty());
        assertTrue(queue.isArmed());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldNotSleepAsLongAsTheDeviceAsksToTryAgain() {
        queue.whenEmpty(Errno.EBUSY);
        step(STEPS);
        assertEquals(List.of(), device.sleepsNs());
        queue.whenEmpty(Errno.ENOENT);
        step(STEPS);
        assertFalse(device.sleepsNs().isEmpty());
    }

    @Test
    void shouldGoOnWhenAConsumerMakesRoomOnAFullRing() {
        for (int i = 0; i < RING + 2; i++) {
            send();
        }
        step(STEPS);
        assertEquals(RING, published());
        assertEquals(List.of(), device.sleepsNs(), "nobody rings when the consumer moves on");
        assertEquals(List.of(1_000L, 2_000L, 4_000L), parksNs.subList(0, 3));
        assertTrue(parksNs.getLast() <= 1_000_000, "park " + parksNs.getLast());
        consumeAll();
        parksNs.clear();
        step(2);
        assertEquals(RING + 2, published());
        consumeAll();
        step(STEPS);
        assertFalse(device.sleepsNs().isEmpty());
        assertEquals(log.tail(), link.positions().consumed());
    }

    /** An eighth of the window is walked, and not reported: the publication may be waiting for it. */
    @Test
    void shouldNotSleepWhileThePublicationMayWaitForAReport() {
        for (int i = 0; i < WINDOW / 8 / FRAME; i++) {
            assertFalse(link.isHeldUp());
            send();
            poller.doWork();
        }
        assertTrue(link.isHeldUp());
        step(STEPS);
        assertEquals(List.of(), device.sleepsNs());
        final int reports = queuePair.posts().size();
        consumeAll();
        step(STEPS);
        assertTrue(queuePair.posts().size() > reports, "reported");
        assertEquals(link.positions().consumed(), link.positions().reported());
        assertFalse(device.sleepsNs().isEmpty());
    }

    @Test
    void shouldComeBackSoonForEventsThatAConsumerHasYetToPass() {
        send();
        step(STEPS);
        assertEquals(PollerSleep.MAINTENANCE_SLEEP_MIN_NS, device.sleepsNs().getFirst());
        assertEquals(PollerSleep.MAINTENANCE_SLEEP_MAX_NS, device.sleepsNs().getLast());
        assertEquals(0, link.positions().consumed());
        consumeAll();
        step(STEPS);
        assertEquals(log.tail(), link.positions().consumed());
        assertEquals(log.tail(), link.positions().reported());
        assertEquals(PollerSleep.LONGEST_SLEEP_NS, device.sleepsNs().getLast());
    }

    /** A poller of a ping-pong goes to sleep after each message, and must not write a report each time. */
    @Test
    void shouldNotReportWheneverItGoesToSleep() {
        settle();
        final int reports = queuePair.posts().size();
        for (int i = 0; i < 3; i++) {
            send();
            step();
            consumeAll();
            step(3);
        }
        assertEquals(3, device.sleepsNs().size(), device.sleepsNs().toString());
        assertEquals(reports, queuePair.posts().size());
        step(STEPS);
        assertEquals(log.tail(), link.positions().reported());
    }

    @Test
    void shouldSpinForAWhileBeforeItSleepsWhenAdaptive() {
        create(SPIN_TIME_NS);
        step(1_000);
        assertEquals(List.of(), device.sleepsNs());
        assertEquals(1_000 / 16, environment.yields(), "with fewer cores the peer may be waiting for this one");
        environment.advance(SPIN_TIME_NS - 1);
        step(1_000);
        assertEquals(List.of(), device.sleepsNs());
        send();
        step(2);
        consumeAll();
        step(1_000);
        environment.advance(1);
        step(1_000);
        assertEquals(List.of(), device.sleepsNs(), "it spins from the last message on");
        environment.advance(SPIN_TIME_NS);
        step(1_000);
        assertFalse(device.sleepsNs().isEmpty());
        device.sleepsNs().clear();
        send();
        step(100);
        assertEquals(List.of(), device.sleepsNs(), "with a message it spins again");
        assertEquals(List.of(), parksNs);
    }

    @Test
    void shouldNotSleepOnceStopped() {
        settle();
        poller.stop();
        step(STEPS);
        assertEquals(List.of(), device.sleepsNs());
        assertFalse(parksNs.isEmpty());
        assertEquals(0, poller.doWork());
    }

    @Test
    void shouldBeOutsideOfItsGuardWhenItSleeps() {
        final boolean[] inside = {true};
        device.beforeSleep(() -> inside[0] = poller.guard().isInside());
        step(STEPS);
        assertFalse(inside[0], "whoever removes a subscription need not wait for the sleep");
    }

    @Test
    void shouldParkWhenAQueueIsDead() {
        queue.die();
        step(STEPS);
        assertEquals(List.of(), device.sleepsNs());
        assertFalse(parksNs.isEmpty());
    }

    @Test
    void shouldTellOnceWhenTheChannelFailsAndParkFromThenOn() {
        settle();
        final VerbsException failure = new VerbsException("ibv_get_cq_event", Errno.EINVAL, "broken");
        device.fail(failure);
        step(STEPS);
        assertEquals(1, errors.size());
        assertSame(failure, errors.getFirst().getCause());
        assertFalse(parksNs.isEmpty());
        send();
        step(STEPS);
        assertEquals(2, published());
    }

    @Test
    void shouldAcknowledgeEventsInBatchesAndTheRestBeforeTheQueueIsDestroyed() {
        settle();
        for (int i = 0; i < CompletionEventChannel.ACKNOWLEDGE_BATCH + 3; i++) {
            queue.announce();
            step(STEPS);
        }
        assertEquals(List.of(CompletionEventChannel.ACKNOWLEDGE_BATCH), queue.acknowledgements());
        poller.remove(ring);
        channel.close(queue);
        assertEquals(List.of(CompletionEventChannel.ACKNOWLEDGE_BATCH, 3), queue.acknowledgements());
        assertTrue(queue.isClosed());
        step(STEPS);
        poller.close();
        assertTrue(device.isChannelClosed());
        assertEquals(List.of(), errors);
    }

    /** The queue was announced before its subscription was removed: the event goes with it. */
    @Test
    void shouldDestroyAQueueWithAnEventThatWasNotTaken() {
        settle();
        queue.announce();
        poller.remove(ring);
        channel.close(queue);
        step(STEPS);
        assertTrue(queue.isClosed());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldHaveOneChannelForEachDevice() {
        assertSame(channel, poller.eventChannel(device));
        final StubEventDevice other = new StubEventDevice();
        assertNotNull(poller.eventChannel(other));
        step(2 * STEPS);
        assertTrue(device.sleepsNs().stream().allMatch(sleepNs -> sleepNs <= 1_000_000), "takes turns");
        assertFalse(device.sleepsNs().isEmpty());
        assertFalse(other.sleepsNs().isEmpty());
    }
}
