package io.sluice.transport.connection;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Hosts of addresses, {@code host:port}, that are given by name: they are looked up where nobody else waits for the
 * name servers. Stateless; any thread.
 */
public final class HostNames {
    private HostNames() {
    }

    /** The host of an address when it is a name, or null: there is nothing to look up. */
    private static String nameIn(final String address) {
        final int port = address.lastIndexOf(':');
        if (port < 1) {
            return null;
        }
        final String host = address.substring(0, port);
        final boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        try {
            InetAddress.ofLiteral(isBracketed ? host.substring(1, host.length() - 1) : host);
            return null;
        } catch (final IllegalArgumentException ex) {
            return host;
        }
    }

    /** Whether the host of an address is a name. */
    static boolean isIn(final String address) {
        return nameIn(address) != null;
    }

    /**
     * Wait until a name has been looked up, for who cannot go on without. The system remembers the answer for a while
     * ({@code networkaddress.cache.ttl}), so that whoever asks again soon, holding a lock, need not wait.
     *
     * @param environment that looks names up.
     * @param address     with or without a name, and malformed as it may be.
     */
    public static void await(final Environment environment, final String address) {
        final String name = nameIn(address);
        if (name == null) {
            return;
        }
        try {
            environment.lookUp(name).get();
        } catch (final ExecutionException ex) {
            // whoever asks again is told
            return;
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
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
        final String name = nameIn(address);
        environment.lookUp(name).whenComplete((host, failure) -> {
            if (host != null) {
                found.accept(literal(host) + address.substring(name.length()));
            } else if (failure instanceof UnknownHostException) {
                failed.accept(new VerbsException(
                    "rdma_connect", Errno.EINVAL, "address=" + address + ": nobody knows that host", failure));
            } else {
                failed.accept(failure);
            }
        });
    }

    private static String literal(final InetAddress host) {
        return host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
    }
}
