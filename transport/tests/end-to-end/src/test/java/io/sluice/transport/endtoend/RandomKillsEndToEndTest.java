package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.Audit;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.KillLane;
import io.sluice.transport.harness.KillLane.Victim;
import io.sluice.transport.harness.Scale;
import io.sluice.transport.harness.TestMedium;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * kill -9 of the publisher, of the subscriber and of both, a hundred times at random moments, each time with more than
 * a mebibyte in flight: what was received is a prefix of what was sent, and whoever is left goes on with the successor.
 * The system property {@value #KILLS} bounds how many.
 */
@Tag("long")
class RandomKillsEndToEndTest {
    private static final String KILLS = "sluice.test.kills";
    private static final long SEED = 20_261_122;
    private static final long SECONDS = 900;
    /** Side by side, one for each way in which bytes arrive. */
    private static final List<String> LOGS =
        TestMedium.isRdma() ? List.of("copied") : List.of("shared", "shared|completion=queue", "copied");

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @Test
    @Timeout(value = SECONDS, unit = TimeUnit.SECONDS)
    void shouldLoseNothingBetweenTheLivingWhoeverIsKilled() throws Exception {
        final List<Victim> victims = victims(Scale.rounds(Integer.parseInt(System.getProperty(KILLS, "100"))));
        final List<KillLane> lanes = IntStream.range(0, LOGS.size()).mapToObj(number -> new KillLane(
            fabric, number, fabric.fanOut("endpoint=lane" + number + "|window=4m|log=" + LOGS.get(number)), SEED))
            .toList();
        final long beginNs = System.nanoTime();
        long messages = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(lanes.size())) {
            final List<Future<Audit>> audits = new ArrayList<>();
            for (int i = 0; i < lanes.size(); i++) {
                final KillLane lane = lanes.get(i);
                final List<Victim> share = share(victims, i, lanes.size());
                audits.add(threads.submit(() -> lane.run(share)));
            }
            for (final Future<Audit> future : audits) {
                final Audit audit = future.get();
                assertTrue(audit.isFlawless(), audit::firstFinding);
                messages += audit.messages();
            }
        }
        final long least = lanes.stream().mapToLong(KillLane::leastInFlight).min().orElseThrow();
        System.out.printf(Locale.ROOT, "%d kills in %d s: %d messages, least in flight %d bytes%n", victims.size(),
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs), messages, least);
    }

    /** Victims, as many of each kind, in any order. */
    private static List<Victim> victims(final int count) {
        final List<Victim> victims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            victims.add(Victim.values()[i % Victim.values().length]);
        }
        Collections.shuffle(victims, new Random(SEED));
        return victims;
    }

    private static List<Victim> share(final List<Victim> victims, final int lane, final int lanes) {
        return IntStream.range(0, victims.size()).filter(i -> i % lanes == lane).mapToObj(victims::get).toList();
    }
}
