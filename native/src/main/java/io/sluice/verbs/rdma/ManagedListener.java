package io.sluice.verbs.rdma;

import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A listening identifier and the requests that nobody has taken yet. */
final class ManagedListener implements Listener, ConnectionManager.Endpoint {
    /** Ports of this process, for the message when one is taken twice. */
    private static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

    private final ConnectionManager manager;
    private final String address;
    private final int port;
    private final long id;
    private final Deque<ManagedRequest> requests = new ArrayDeque<>();
    private boolean isClosed;

    private ManagedListener(final ConnectionManager manager, final String address, final int port, final long id) {
        this.manager = manager;
        this.address = address;
        this.port = port;
        this.id = id;
    }

    static ManagedListener open(
        final ConnectionManager manager, final String address, final InetSocketAddress socket, final int backlog) {
        final long id = manager.createId();
        try (Arena arena = Arena.ofConfined()) {
            bind(manager, address, id, SocketAddresses.encode(socket, arena), socket.getPort());
            manager.library().listen.check("cannot listen on " + address, id, backlog);
        } catch (final VerbsException e) {
            manager.destroyId(id);
            throw e;
        }
        final ManagedListener listener = new ManagedListener(manager, address, socket.getPort(), id);
        manager.register(id, listener);
        PORTS.add(socket.getPort());
        return listener;
    }

    private static void bind(
        final ConnectionManager manager, final String address, final long id, final Object socket, final int port) {
        final int error = manager.library().bindAddress.invoke(id, socket).error();
        if (error == Errno.EADDRINUSE) {
            throw new VerbsException("rdma_bind_addr", error, "address=" + address + " is in use by "
                + (PORTS.contains(port) ? "pid " + manager.device().environment().processId()
                : "another process, which the command rdma resource show cm_id names"));
        }
        if (error != 0) {
            throw manager.library().bindAddress.failure(
                error, "address=" + address + " is none of an RDMA device of this machine");
        }
        final String found = manager.deviceOf(id);
        if (found != null && !manager.isOurs(id)) {
            throw new VerbsException("rdma_bind_addr", Remedies.ENODEV,
                "address=" + address + " is one of device " + found + ", and not of " + manager.device().name());
        }
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public void onEvent(final ConnectionEvent event) {
        if (event.type() == rdma_constants.RDMA_CM_EVENT_CONNECT_REQUEST()) {
            final ManagedRequest request = new ManagedRequest(manager, event);
            manager.register(event.id(), request);
            requests.add(request);
        }
    }

    @Override
    public ConnectionRequest poll() {
        synchronized (manager) {
            if (isClosed) {
                return null;
            }
            manager.poll();
            return requests.poll();
        }
    }

    @Override
    public void close() {
        synchronized (manager) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            PORTS.remove(port);
            requests.forEach(ManagedRequest::drop);
            manager.destroyId(id);
        }
    }
}
