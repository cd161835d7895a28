package io.sluice.transport.peer;

import java.util.ArrayList;
import java.util.List;

/**
 * The links of publications that are being set up over one control connection: a few at a time, since each end has one
 * thread for it, and who waits for that longer than the other end is patient has to begin again. Conductor only.
 */
public final class SetupTurns {
    /** A link that waits for its turn or has it. */
    public interface Turn {
        /**
         * {@return whether it keeps others waiting}
         *
         * @param nowNs time of the conductor's clock.
         */
        boolean isTaken(long nowNs);
    }

    /** Enough to keep both threads busy while messages are under way. */
    static final int MAX_LINKS = 8;

    private final List<Turn> turns = new ArrayList<>(MAX_LINKS);

    /** No link has a turn. */
    SetupTurns() {
    }

    /** {@return whether a link may be set up now} Else it asks again. */
    boolean take(final Turn turn, final long nowNs) {
        for (int i = turns.size() - 1; i >= 0; i--) {
            if (!turns.get(i).isTaken(nowNs)) {
                turns.remove(i);
            }
        }
        return turns.size() < MAX_LINKS && turns.add(turn);
    }
}
