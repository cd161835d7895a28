package io.sluice.transport.peer;

import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.HashMap;
import java.util.Map;

/**
 * The control names that publications of this transport own: one transport per name and host, found by a listener that
 * nobody connects to, whose entry goes with its process. Any thread.
 */
final class ControlNames {
    private static final String OWNER = "ipc-control-owner/";

    private static final class Owned {
        private final Listener listener;
        private int publications;

        Owned(final Listener listener) {
            this.listener = listener;
        }
    }

    private final RdmaDevice device;
    private final Map<String, Owned> names = new HashMap<>();

    ControlNames(final RdmaDevice device) {
        this.device = device;
    }

    /**
     * Counts one more publication under a name; nothing when it has none.
     *
     * @throws IllegalStateException when another transport owns the name; the message says which process.
     */
    synchronized void acquire(final String name) {
        if (name == null) {
            return;
        }
        Owned owned = names.get(name);
        if (owned == null) {
            owned = new Owned(listen(name));
            names.put(name, owned);
        }
        owned.publications++;
    }

    private Listener listen(final String name) {
        try {
            return device.listen(OWNER + name, 1);
        } catch (final VerbsException ex) {
            if (ex.errno() == Errno.EADDRINUSE) {
                throw new IllegalStateException("a control name belongs to the publications of one transport: control="
                    + name + ", " + ex.getMessage(), ex);
            }
            throw ex;
        }
    }

    /** Counts out a publication under a name, which is gone. */
    synchronized void release(final String name) {
        final Owned owned = names.get(name);
        if (owned != null && --owned.publications == 0) {
            names.remove(name);
            owned.listener.close();
        }
    }
}
