package io.sluice.transport.peer;

import io.sluice.environment.Environment;
import io.sluice.environment.HostAddresses;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.net.UnknownHostException;
import java.util.function.Consumer;

/**
 * Hosts of addresses, {@code host:port}, that are given by name: they are looked up where nobody else waits for the
 * name servers. Stateless; any thread.
 */
public final class HostNames {
    private HostNames() {
    }

    /** Whether the host of an address is a name. */
    static boolean isIn(final String address) {
        return HostAddresses.nameIn(address) != null;
    }

    /**
     * Wait until a name has been looked up, for who cannot go on without. The system remembers the answer for a while
     * ({@code networkaddress.cache.ttl}), so that whoever asks again soon, holding a lock, need not wait.
     *
     * @param environment that looks names up.
     * @param address     with or without a name, and malformed as it may be.
     */
    public static void await(final Environment environment, final String address) {
        final String name = HostAddresses.nameIn(address);
        if (name != null) {
            environment.awaitLookUp(name);
        }
    }

    /**
     * Go on when a name has been looked up, for who does not wait; whether it was found is told to whoever asks again.
     *
     * @param environment that looks names up.
     * @param address     with or without a name.
     * @param next        run at once when there is none, else by whoever has looked it up.
     */
    public static void whenLookedUp(final Environment environment, final String address, final Runnable next) {
        final String name = HostAddresses.nameIn(address);
        if (name == null) {
            next.run();
        } else {
            environment.lookUp(name).whenComplete((host, failure) -> next.run());
        }
    }

    /**
     * Put a literal address in the place of a name.
     *
     * @param environment that looks names up.
     * @param address     that {@link #isIn} a name.
     * @param found       told of the address, on any thread.
     * @param failed      told why there is none, likewise.
     */
    static void resolve(
        final Environment environment,
        final String address,
        final Consumer<String> found,
        final Consumer<Throwable> failed) {
        final String name = HostAddresses.nameIn(address);
        environment.lookUp(name).whenComplete((host, failure) -> {
            if (host != null) {
                found.accept(HostAddresses.literal(host) + address.substring(name.length()));
            } else if (failure instanceof UnknownHostException) {
                failed.accept(new VerbsException(
                    "rdma_connect", Errno.EINVAL, "address=" + address + ": nobody knows that host", failure));
            } else {
                failed.accept(failure);
            }
        });
    }
}
