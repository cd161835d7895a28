package io.sluice.rpma;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Guard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The count of the objects that were made of a peer and still live, so that the peer is not deleted under them, and the
 * guards of its threads, so that memory is not given back under a thread that posts it. librpma frees what it is told
 * to, whether or not somebody uses it. Any thread.
 */
final class PeerObjects {
    private final Environment environment;
    private final List<Guard> guards = new CopyOnWriteArrayList<>();
    private int count;
    private boolean isClosed;

    PeerObjects(final Environment environment) {
        this.environment = environment;
    }

    Environment environment() {
        return environment;
    }

    /** Count one object more: it begins to use the peer. */
    synchronized void attach(final String call) {
        if (isClosed) {
            throw new RpmaException(call, RpmaError.E_INVAL, 0, "the peer is closed");
        }
        count++;
    }

    /** Count one object less: it is gone. */
    synchronized void detach() {
        count--;
    }

    /** Let no object be made any more, as the peer is about to go; refused while some live. */
    synchronized void close(final String call) {
        if (count > 0) {
            throw new RpmaException(call, RpmaError.E_PROVIDER, Errno.EBUSY,
                count + " object(s) were made of it and live: close them first");
        }
        isClosed = true;
    }

    /** Add guards; threads inside of these may be using any memory of the peer. */
    void add(final Guard... added) {
        guards.addAll(List.of(added));
    }

    void remove(final Guard... removed) {
        guards.removeAll(List.of(removed));
    }

    /**
     * Wait until nobody uses what was marked as closed before.
     *
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside: to be closed again when it has left.
     */
    void awaitUnused(final String call, final String object) {
        Guard.awaitClear(environment, call, object, guards.toArray(Guard[]::new));
    }
}
