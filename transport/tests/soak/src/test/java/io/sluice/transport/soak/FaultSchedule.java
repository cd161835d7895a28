package io.sluice.transport.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Draws the faults of a soak: equal settings, equal schedule. All kinds happen equally often, in an order of the seed,
 * and a fault may begin while another one lasts.
 */
final class FaultSchedule {
    /** The shortest time from one fault to the next. */
    private static final int MIN_INTERVAL_MS = 400;
    private static final int MAX_INTERVAL_MS = 2_000;
    /** Far below the liveness timeout, so that nobody is given up on a busy machine. */
    private static final int MIN_MOMENT_MS = 50;
    private static final int MAX_MOMENT_MS = 800;
    private static final int MIN_SLOW_MS = 1_000;
    private static final int MAX_SLOW_MS = 4_000;

    private FaultSchedule() {
    }

    /**
     * Draw a schedule.
     *
     * @param settings of the soak.
     * @return the faults in the order of their times.
     */
    static List<ScheduledFault> draw(final SoakSettings settings) {
        final Random random = new Random(settings.seed());
        final List<ScheduledFault> faults = new ArrayList<>();
        final List<FaultKind> kinds = new ArrayList<>(Stream.of(FaultKind.values())
            .filter(kind -> settings.isSoftware() || !kind.needsSoftware()).toList());
        int next = kinds.size();
        long atMs = 0;
        while (true) {
            atMs += between(random, MIN_INTERVAL_MS, MAX_INTERVAL_MS);
            if (atMs >= settings.durationMs()) {
                return faults;
            }
            if (next == kinds.size()) {
                Collections.shuffle(kinds, random);
                next = 0;
            }
            final FaultKind kind = kinds.get(next++);
            faults.add(new ScheduledFault(
                atMs, kind, random.nextInt(settings.publishers()), random.nextInt(settings.subscribers()),
                lengthMs(kind, random)));
        }
    }

    private static long lengthMs(final FaultKind kind, final Random random) {
        return switch (kind) {
            case STOP_PUBLISHER, STOP_SUBSCRIBER, DROP_DATA, DELAY_DATA ->
                between(random, MIN_MOMENT_MS, MAX_MOMENT_MS);
            case FREEZE_PUBLISHER, FREEZE_SUBSCRIBER -> between(
                random, SoakSettings.LIVENESS_MS, SoakSettings.LIVENESS_MS + SoakSettings.RESUME_MS + MAX_MOMENT_MS);
            case SLOW_CONSUMER -> between(random, MIN_SLOW_MS, MAX_SLOW_MS);
            default -> 0;
        };
    }

    private static int between(final Random random, final int low, final int high) {
        return low + random.nextInt(high - low + 1);
    }
}
