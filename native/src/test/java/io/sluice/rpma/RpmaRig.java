package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Workers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Two peers on one device for one test, what was made of them, and how to wait for something. {@link RpmaPlace} tells
 * where the device is.
 */
final class RpmaRig implements AutoCloseable {
    /** Far beyond anything that is waited for; reaching it is a failure. */
    static final long TIMEOUT_NS = 30_000_000_000L;
    static final int SEND_QUEUE_SIZE = 16;
    static final int RECEIVE_QUEUE_SIZE = 16;
    /** Has room for the completions of both. */
    static final RpmaConnectionConfiguration CONFIGURATION = RpmaConnectionConfiguration.DEFAULT
        .withTimeoutMs(10_000).withCompletionQueueSize(SEND_QUEUE_SIZE + RECEIVE_QUEUE_SIZE)
        .withSendQueueSize(SEND_QUEUE_SIZE).withReceiveQueueSize(RECEIVE_QUEUE_SIZE);

    final Environment environment = SystemEnvironment.instance();
    final String address;
    final RpmaPeer serverPeer;
    final RpmaPeer clientPeer;
    final Workers workers = new Workers();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private RpmaEndpoint endpoint;
    private String port;

    private RpmaRig(final String address) {
        this.address = address;
        serverPeer = keep(RpmaPeer.ofLocalAddress(environment, address));
        clientPeer = keep(RpmaPeer.ofRemoteAddress(environment, address));
    }

    /** Skips the test, and says why, where there is no device. */
    static RpmaRig open() {
        return new RpmaRig(RpmaPlace.address());
    }

    /** Close something at the end, before what was kept earlier. */
    synchronized <T extends AutoCloseable> T keep(final T resource) {
        resources.push(resource);
        return resource;
    }

    /** One that nobody has used before. */
    static String newPort() {
        return Integer.toString(RpmaPlace.newPort());
    }

    /** The server's endpoint, at a port of its own. */
    RpmaEndpoint endpoint() {
        if (endpoint == null) {
            port = newPort();
            endpoint = keep(serverPeer.listen(address, port));
        }
        return endpoint;
    }

    /** The port at which {@link #endpoint()} listens. */
    String port() {
        endpoint();
        return port;
    }

    /** The next request of a client. */
    RpmaConnectionRequest awaitRequest(final RpmaConnectionConfiguration configuration) {
        final RpmaConnectionRequest request = endpoint().nextConnectionRequest(configuration, TIMEOUT_NS);
        assertNotNull(request, "nobody asks for a connection");
        return keep(request);
    }

    Link link() {
        return link(new SideOptions(), new SideOptions());
    }

    /** A server and a client that are connected, each with the other one's region. */
    Link link(final SideOptions serverOptions, final SideOptions clientOptions) {
        endpoint();
        final Link link =
            new Link(new RpmaSide(this, serverPeer, serverOptions), new RpmaSide(this, clientPeer, clientOptions));
        link.client.connect(clientPeer.requestConnection(address, port, clientOptions.configuration()));
        link.server.connect(awaitRequest(serverOptions.configuration()));
        // the client's look for its event is what tells the server that there is a connection
        link.client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        link.server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        link.server.reach(link.client.region.descriptor());
        link.client.reach(link.server.region.descriptor());
        return link;
    }

    /** Wait until something is so. */
    static void until(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, () -> "waited in vain for " + what);
            Thread.yield();
        }
    }

    @Override
    public void close() {
        assertTrue(workers.stop(), "a worker does not end: what it uses stays open");
        Throwable failure = null;
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (final Exception | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw new AssertionError("could not be closed", failure);
        }
    }

    /** Two connected sides. */
    record Link(RpmaSide server, RpmaSide client) {
        /** The client ends the connection, and both learn of it. */
        void disconnect() {
            disconnect(client, server);
        }

        /** One side ends the connection; it learns of the end when the other one has answered. */
        static void disconnect(final RpmaSide first, final RpmaSide second) {
            first.connection.disconnect();
            second.awaitEvent(RpmaConnectionEvent.CLOSED);
            second.connection.disconnect();
            first.awaitEvent(RpmaConnectionEvent.CLOSED);
        }

        /** Move a message of a number from one side to the other, and have room for the next. */
        static void move(final RpmaSide from, final RpmaSide to, final long number) {
            from.sendNumber(number);
            assertEquals(number, to.awaitNumber());
        }
    }
}
