package io.sluice.transport.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.harness.Fabric;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Log, poster, device, receiver and ring against a plain queue: at every step the queue says what is to be delivered.
 * With the smallest window, all bounds from 1 to 8, and the consumer at every distance. A failure names the seed of its
 * run; put it into {@link #shouldBehaveAsAQueueWithThisSeed} to see it again.
 */
class LinkModelTest {
    private static final int WINDOW = 4096;
    private static final int RUNS = 100;
    private static final int STEPS = 20_000;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void shouldBehaveAsAQueue() {
        final SplittableRandom seeds = new SplittableRandom();
        long delivered = 0;
        long backPressured = 0;
        long resumptions = 0;
        long deferrals = 0;
        for (int run = 0; run < RUNS; run++) {
            final LinkModel model = run(seeds.nextLong(), run % 2 == 0);
            delivered += model.delivered();
            backPressured += model.backPressured();
            resumptions += model.resumptions();
            deferrals += model.deferrals();
        }
        assertTrue(delivered > RUNS * STEPS / 20, "delivered=" + delivered);
        assertTrue(backPressured > RUNS, "backPressured=" + backPressured);
        assertTrue(resumptions > RUNS, "resumptions=" + resumptions);
        assertTrue(deferrals > RUNS, "deferrals=" + deferrals);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 6930068541200123402L})
    void shouldBehaveAsAQueueWithThisSeed(final long seed) {
        run(seed, true);
    }

    private LinkModel run(final long seed, final boolean withBreaks) {
        final SplittableRandom random = new SplittableRandom(seed);
        final RandomFaults faults = new RandomFaults(random);
        final Bounds bounds = Bounds.draw(random, WINDOW);
        try (SoftwareDevice device = SoftwareDevice.open(SystemEnvironment.instance(), fabric.directory(), faults);
            LinkModel model = new LinkModel(device, faults, bounds, random, withBreaks)) {
            for (int step = 0; step < STEPS; step++) {
                model.step();
            }
            model.finish();
            return model;
        } catch (final AssertionError | RuntimeException ex) {
            throw new AssertionError(
                "seed=" + seed + "L withBreaks=" + withBreaks + " " + bounds + ": " + ex.getMessage(), ex);
        }
    }
}
