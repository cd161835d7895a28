package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.CompletionMode;
import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A message wakes a poller that waits for events whenever it comes, after any number of steps since the one before, and
 * consumers of a ring that rest. On the virtual clock, where a wake-up that is lost is seen, as the sleeper's own look
 * around comes after 100 ms.
 */
class WakeUpTest {
    private static final Path FABRIC = Path.of("/simulated/fabric");
    private static final String CHANNEL = "sluice:ipc?mode=dedicated";
    private static final int STREAM_ID = 3;
    private static final int MESSAGES = 1_000;
    private static final int MAX_STEPS_BETWEEN = 400;
    private static final long MAX_STEPS = 1_000_000;
    private static final long LATE_NS = 1_000_000;
    private static final long DEEP_SLEEP_NS = 20_000_000;
    private static final int RESTS = 40;
    private static final long REST_NS = 1_100_000_000;
    private static final long POLLER_REST_NS = 10_000_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private SplittableRandom random;
    private SimulatedMachine machine;

    @AfterEach
    void close() {
        machine.close();
    }

    private Transport launch(final long processId, final CompletionMode mode) {
        final SimulatedEnvironment environment = machine.newProcess(processId);
        final SoftwareDevice device = SoftwareDevice.open(environment, FABRIC);
        return Transport.launch(new Context().environment(environment).device(device).directory(FABRIC)
            .pollers(new PollerOptions().completionModes(mode).spinTimeNs(10_000))
            .errorHandler(error -> {
                throw new AssertionError(error);
            }));
    }

    private void stepUntil(final String what, final BooleanSupplier condition) {
        final long end = machine.steps() + MAX_STEPS;
        while (!condition.getAsBoolean()) {
            machine.step();
            assertTrue(machine.steps() < end, "stuck: " + what);
        }
    }

    @ParameterizedTest
    @CsvSource({"EVENT,1,shared", "EVENT,2,shared", "EVENT,2,copied", "ADAPTIVE,1,copied", "ADAPTIVE,2,shared"})
    void shouldBeInTimeWheneverAMessageComes(final CompletionMode mode, final int processes, final String log) {
        random = new SplittableRandom(processes);
        machine = new SimulatedMachine(random, new Trace(null));
        final Transport subscriber = launch(1, mode);
        final Transport publisher = processes == 1 ? subscriber : launch(2, mode);
        final Subscription subscription = subscriber.addSubscription(CHANNEL + "|log=" + log, STREAM_ID);
        final Publication publication = publisher.addExclusivePublication(CHANNEL + "|log=" + log, STREAM_ID);
        stepUntil("connected", () -> publication.isConnected() && subscription.isConnected());
        final SimulatedWorker poller = machine.workers().stream()
            .filter(worker -> worker.name().equals("sluice-poller-0@1")).findAny().orElseThrow();
        int deepSleeps = 0;
        for (int i = 0; i < MESSAGES; i++) {
            for (int step = random.nextInt(MAX_STEPS_BETWEEN); step > 0; step--) {
                machine.step();
            }
            final long offeredNs = machine.nowNs();
            deepSleeps += poller.readyAtNs() - offeredNs > DEEP_SLEEP_NS ? 1 : 0;
            assertTrue(publication.offer(message, 0, message.capacity()) > 0);
            stepUntil("message " + i, () -> subscription.poll((buffer, offset, length, header) -> { }, 1) > 0);
            final long tookNs = machine.nowNs() - offeredNs;
            assertTrue(tookNs < LATE_NS, "message " + i + " took " + tookNs + " ns");
        }
        assertTrue(deepSleeps > MESSAGES / 10, "messages that came while it slept: " + deepSleeps);
    }

    /** A poller that rests looks each 10 ms: neither the consumer nor the one that waits for it adds to that. */
    @ParameterizedTest
    @ValueSource(strings = {"backoff", "sleeping", "blocking"})
    void shouldWakeConsumersThatRest(final String waitStrategy) {
        random = new SplittableRandom(waitStrategy.length());
        machine = new SimulatedMachine(random, new Trace(null));
        final Transport transport = launch(1, CompletionMode.SPIN);
        final int[] handled = new int[2];
        final HandlerGraph graph = new HandlerGraph().waitStrategy(waitStrategy);
        graph.handleEventsWith((event, sequence, endOfBatch) -> handled[0]++)
            .then((event, sequence, endOfBatch) -> handled[1]++);
        transport.addSubscription(CHANNEL, STREAM_ID, graph, image -> { }, image -> { });
        final Publication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID);
        stepUntil("connected", publication::isConnected);
        int deepSleeps = 0;
        for (int i = 1; i <= RESTS; i++) {
            final int number = i;
            final long restedNs = machine.nowNs() + REST_NS + random.nextLong(REST_NS);
            stepUntil("rest " + number, () -> machine.nowNs() >= restedNs);
            deepSleeps += machine.workers().stream().anyMatch(worker -> worker.name().startsWith("sluice-consumer")
                && worker.readyAtNs() - machine.nowNs() > DEEP_SLEEP_NS) ? 1 : 0;
            final long offeredNs = machine.nowNs();
            assertTrue(publication.offer(message, 0, message.capacity()) > 0);
            stepUntil("message " + number, () -> handled[1] == number);
            final long tookNs = machine.nowNs() - offeredNs;
            assertTrue(tookNs < POLLER_REST_NS + LATE_NS, "message " + number + " took " + tookNs + " ns");
        }
        assertTrue(deepSleeps > RESTS / 2, "messages that came while a consumer slept: " + deepSleeps);
    }
}
