package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A consumer is evicted and does not come back: while its link works, and at a moment in which the conductor has begun
 * the next epoch of its link and the poller has yet to go over to the next ring. On the virtual clock, where the poller
 * stands still as told.
 */
class EvictedHandlerTest {
    private static final Path FABRIC = Path.of("/simulated/fabric");
    private static final String CHANNEL = "sluice:ipc?log=copied";
    private static final String EVICT =
        CHANNEL + "|mode=dedicated|ring=8|slow=evict|evict-after=100ms|evict-timeout=100ms";
    private static final int STREAM_ID = 3;
    private static final int LENGTH = 8;
    private static final int MESSAGES = 1_000;
    private static final long FIRST = 0;
    private static final long MAX_STEPS = 1_000_000;
    /** Longer than eviction takes, shorter than a link may be broken. */
    private static final long PAUSE_NS = 1_000_000_000;

    private final SimulatedMachine machine = new SimulatedMachine(new SplittableRandom(1), new Trace(null));
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Throwable> errors = new ArrayList<>();
    private final Stuck stuck = new Stuck();
    private final Counting fast = new Counting();
    private Transport subscriber;
    private Subscription subscription;
    private ExclusivePublication publication;
    private int offered;

    @AfterEach
    void close() {
        machine.close();
    }

    private Transport launch(final long processId) {
        final SimulatedEnvironment environment = machine.newProcess(processId);
        final SoftwareDevice device = SoftwareDevice.open(environment, FABRIC);
        return Transport.launch(new Context().environment(environment).device(device).directory(FABRIC)
            .errorHandler(errors::add));
    }

    private void stepUntil(final String what, final BooleanSupplier condition) {
        final long end = machine.steps() + MAX_STEPS;
        while (!condition.getAsBoolean()) {
            machine.step();
            assertTrue(machine.steps() < end, () -> "stuck: " + what + " errors=" + errors);
        }
    }

    private Object link() {
        return Internals.links(Internals.state(subscription)).getFirst();
    }

    private boolean isLink(final LinkEnd.State state) {
        return LinkEnd.State.ofSubscription(link()) == state;
    }

    private boolean offer() {
        message.putLong(0, offered);
        final boolean isOffered = publication.offer(message, 0, LENGTH) > 0;
        offered += isOffered ? 1 : 0;
        return isOffered;
    }

    @Test
    void shouldGoOnInAnotherRingWhenAHandlerDoesNotComeBack() {
        evict(false);
    }

    @Test
    void shouldKeepTheRingUnderAHandlerThatDoesNotComeBackWhileItsLinkResumes() {
        evict(true);
    }

    private void evict(final boolean isResuming) {
        stuck.isResuming = isResuming;
        final Transport publisher = launch(1);
        subscriber = launch(2);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(stuck, fast);
        subscription = subscriber.addSubscription(EVICT, STREAM_ID, graph);
        publication = publisher.addExclusivePublication(CHANNEL + "|window=4k", STREAM_ID);
        stepUntil("connected", () -> publication.isConnected() && subscription.isConnected());
        assertTrue(offer());
        stepUntil("the end", () -> stuck.isBack);
        stepUntil("the old ring to go", () -> stuck.message() != FIRST);
        assertEquals(1, subscription.imageCount());
    }

    /** Everything happens while this handler is at its first message. */
    private final class Stuck implements MessageEventHandler {
        private final UnsafeBuffer read = new UnsafeBuffer();
        private boolean isResuming;
        private boolean isBack;

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            try {
                evict(event);
            } catch (final AssertionError failure) {
                // the consumer takes whatever a handler throws for the handler's own failure
                throw machine.fail(failure);
            }
        }

        private void evict(final MessageEvent event) {
            stepUntil("the window to be full", () -> !offer());
            read.wrap(event.buffer(), event.offset(), LENGTH);
            assertEquals(FIRST, message());
            if (isResuming) {
                resume();
            }
            stepUntil("the eviction", () ->
                subscriber.counters().get(TransportCounter.MEMORY_ABANDONED) > 0);
            stepUntil("the other consumer to go on", () -> {
                offer();
                return fast.count > MESSAGES;
            });
            assertEquals(FIRST, message(), "what the handler reads is what it was");
            isBack = true;
        }

        /** The link is broken, and resumed but for the poller. */
        private void resume() {
            final MemoryRegion ring = Internals.epoch(link()).ring();
            Internals.epoch(link()).queuePair().fail();
            stepUntil("the next epoch", () -> isLink(LinkEnd.State.SUBSCRIPTION_PREPARING));
            machine.workers().stream().filter(worker -> worker.name().equals("sluice-poller-0@2"))
                .forEach(worker -> worker.pause(PAUSE_NS));
            stepUntil("the conductor to go over", () -> isLink(LinkEnd.State.SUBSCRIPTION_ACTIVE));
            assertNotSame(ring, Internals.epoch(link()).ring());
        }

        /** The bytes of the first message; other ones when the ring is unmapped, which is safe to read here. */
        private long message() {
            return read.getLong(0);
        }

        @Override
        public String name() {
            return "stuck";
        }
    }

    private static final class Counting implements MessageEventHandler {
        private int count;

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            assertEquals(count++, event.buffer().getLong(event.offset()));
        }

        @Override
        public String name() {
            return "fast";
        }
    }
}
