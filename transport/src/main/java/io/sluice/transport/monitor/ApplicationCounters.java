package io.sluice.transport.monitor;

import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.counters.StatusFiles;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The application's counters as the counters file shows them: one place for each, as soon as there is room. Conductor
 * only.
 */
public final class ApplicationCounters {
    private static final class Shown {
        private final ApplicationCounter counter;
        /** The place in the file; null while there is none. */
        private AtomicCounter place;

        Shown(final ApplicationCounter counter) {
            this.counter = counter;
        }
    }

    private final StatusFiles files;
    private final Runnable onFull;
    private final List<Shown> all = new ArrayList<>();

    ApplicationCounters(final StatusFiles files, final Runnable onFull) {
        this.files = files;
        this.onFull = onFull;
    }

    /**
     * Show a counter from now on, until it is closed.
     *
     * @param counter of the application.
     */
    public void add(final ApplicationCounter counter) {
        if (!files.isClosed()) {
            final Shown shown = new Shown(counter);
            all.add(shown);
            place(shown);
        }
    }

    void refresh() {
        for (int i = all.size() - 1; i >= 0; i--) {
            final Shown shown = all.get(i);
            if (shown.counter.isClosed()) {
                all.remove(i);
                free(shown);
            } else {
                place(shown);
            }
        }
    }

    /** Gives every counter a place in the file, which is another one now. */
    void onRestored() {
        for (final Shown shown : all) {
            shown.place = null;
            place(shown);
        }
    }

    private void place(final Shown shown) {
        if (shown.place == null && files.available() > 0) {
            shown.place = files.allocate(shown.counter);
        }
        if (shown.place == null) {
            onFull.run();
        } else {
            shown.place.setRelease(shown.counter.get());
        }
    }

    private static void free(final Shown shown) {
        if (shown.place != null) {
            shown.place.close();
        }
    }
}
