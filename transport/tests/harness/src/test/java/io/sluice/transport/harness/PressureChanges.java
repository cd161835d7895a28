package io.sluice.transport.harness;

import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureListener;
import java.util.List;

/** Listeners that keep what they hear of pressure. */
public final class PressureChanges {
    private PressureChanges() {
    }

    /** {@return a listener that keeps changes, but not what is told once more for the name of a peer's consumer} */
    public static BackPressureListener into(final List<BackPressure> changes) {
        return change -> {
            if (changes.isEmpty() || !isSame(changes.getLast(), change)) {
                changes.add(change);
            }
        };
    }

    private static boolean isSame(final BackPressure last, final BackPressure change) {
        return change.state() == change.previous() && change.state() == last.state() && change.cause() == last.cause();
    }
}
