package io.sluice.transport.harness;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.software.SoftwareDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Hosts with addresses on the software device, which has none: who connects is known by the private data of its
 * request, and who listens by the address that is connected to. One for each test.
 */
public final class AddressedHosts {
    /** Bytes of private data that tell one transport's requests from another's. */
    private static final int DISTINCT_LENGTH = 44;

    private final Map<ByteBuffer, String> hosts = new ConcurrentHashMap<>();
    /** The addresses that packets of those come from that say another one. */
    private final Map<String, String> origins = new ConcurrentHashMap<>();
    /** The addresses that packets of their links come from. */
    private final Map<String, String> linkOrigins = new ConcurrentHashMap<>();
    private final String stranger;

    /** Hosts that know each other. */
    public AddressedHosts() {
        this(null);
    }

    /** Hosts to whom everybody else, in other processes too, comes from one address; null for none. */
    AddressedHosts(final String stranger) {
        this.stranger = stranger;
    }

    /** Let packets of a host's connections come from elsewhere, as the connection manager would tell. */
    public void originOf(final String host, final String origin) {
        origins.put(host, origin);
    }

    /** Let only the queue pairs of its links be elsewhere. */
    public void linkOriginOf(final String host, final String origin) {
        linkOrigins.put(host, origin);
    }

    /** A device of a host, to be closed by the caller. */
    public RdmaDevice open(final Path directory, final String host) {
        final RdmaDevice device = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        return replacing(RdmaDevice.class, device, (name, arguments, call) -> switch (name) {
            case "connect" -> {
                // before the call: who listens may see the request before the call has returned
                hosts.put(distinct((byte[]) arguments[2]), host);
                final String address = (String) arguments[0];
                yield at((Connection) call.result(), Connection.class, address.substring(0, address.lastIndexOf(':')));
            }
            case "listen" -> listener((Listener) call.result());
            default -> call.result();
        });
    }

    private Listener listener(final Listener listener) {
        return replacing(Listener.class, listener, (name, arguments, call) -> {
            final Object result = call.result();
            return name.equals("poll") && result != null ? request((ConnectionRequest) result) : result;
        });
    }

    private ConnectionRequest request(final ConnectionRequest request) {
        final String known = hosts.get(distinct(request.privateData()));
        final String host = known == null ? stranger : known;
        if (host == null) {
            return request;
        }
        final ConnectionRequest addressed = at(request, ConnectionRequest.class, host);
        return replacing(ConnectionRequest.class, addressed, (name, arguments, call) ->
            name.equals("accept") ? at((Connection) call.result(), Connection.class, host) : call.result());
    }

    private static ByteBuffer distinct(final byte[] privateData) {
        return ByteBuffer.wrap(Arrays.copyOf(privateData, DISTINCT_LENGTH));
    }

    private <T> T at(final T target, final Class<T> type, final String host) {
        return replacing(type, target, (name, arguments, call) -> switch (name) {
            case "peer" -> host + ":54321";
            case "contradictingAddress" -> (arguments == null ? origins : linkOrigins).getOrDefault(host, "");
            case "peerAddress" -> InetAddress.ofLiteral(host).getAddress();
            default -> call.result();
        });
    }

    private static <T> T replacing(final Class<T> type, final T target, final Replacement replacement) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> {
                try {
                    return replacement.of(method.getName(), arguments, () -> method.invoke(target, arguments));
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            }));
    }

    /** An answer in the place of the one that a call would give. */
    @FunctionalInterface
    private interface Replacement {
        Object of(String name, Object[] arguments, Call call) throws ReflectiveOperationException;
    }

    /** The call itself, not yet made. */
    @FunctionalInterface
    private interface Call {
        Object result() throws ReflectiveOperationException;
    }
}
