package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.foreign.Guard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads that post with the address handles of a protection domain, by the guards of its datagram queue pairs.
 * Each handle and each queue pair of the domain has the same one, by which they know each other. Any thread may call.
 */
final class AddressPosts {
    private final Set<Guard> guards = ConcurrentHashMap.newKeySet();

    /** Adds the guard within which a datagram queue pair begins to post. */
    void add(final Guard guard) {
        guards.add(guard);
    }

    /** Removes a guard, within which nothing is posted any more. */
    void remove(final Guard guard) {
        guards.remove(guard);
    }

    /** Waits, when a handle is marked closed, until no thread can be posting with it any more. */
    void awaitEnd(final Environment environment) {
        Guard.awaitClear(environment, "ibv_destroy_ah", "an address handle", guards.toArray(Guard[]::new));
    }
}
