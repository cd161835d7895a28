package io.sluice.verbs.model;

import java.util.ArrayList;
import java.util.List;

/** Uses of a model that the true provider does not survive. Any thread. */
public final class Violations {
    private final List<String> found = new ArrayList<>();

    Violations() {
        // of one model
    }

    synchronized void add(final String what) {
        found.add(what);
    }

    /**
     * Take the violations found since the last time.
     *
     * @return one line each, in order; empty when nothing was wrong.
     */
    public synchronized List<String> take() {
        final List<String> taken = List.copyOf(found);
        found.clear();
        return taken;
    }
}
