package io.sluice.verbs.rdma;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * The results of making objects of a device to find out about it, kept for the next one who opens the device. What was
 * refused is asked again: the device may have had no room then, and a refusal makes no object. Any thread.
 */
final class DeviceTrials {
    private final Map<String, Integer> found = new ConcurrentHashMap<>();

    /**
     * A result, by trying when there is none yet.
     *
     * @param what  is tried.
     * @param trial makes objects; 0 says that the device refuses. What it throws is not kept.
     * @return result of the trial.
     */
    int result(final String what, final IntSupplier trial) {
        final Integer known = found.get(what);
        if (known != null) {
            return known;
        }
        // two who open the device at once may both try
        final int result = trial.getAsInt();
        if (result != 0) {
            found.put(what, result);
        }
        return result;
    }

    /** Result of a trial that says yes or no. */
    boolean works(final String what, final BooleanSupplier trial) {
        return result(what, () -> trial.getAsBoolean() ? 1 : 0) != 0;
    }

    /** Forgets what was found, since the device was away: its driver or firmware may be another one. */
    void forget() {
        found.clear();
    }
}
