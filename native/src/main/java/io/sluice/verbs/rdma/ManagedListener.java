package io.sluice.verbs.rdma;

import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A listening identifier and the requests that nobody has taken yet. */
final class ManagedListener implements Listener, ConnectionChannel.Endpoint {
    /**
     * The time that a request waits to be taken. Whoever has sent it has given up by then, of which the kernel tells
     * nobody: a transport waits half as long by default.
     */
    static final long MAX_WAIT_NS = 10_000_000_000L;

    private static final byte[] NOWHERE = {};

    /** Addresses that this process listens on, for the message when one is taken twice. */
    private static final Set<InetSocketAddress> OWN = ConcurrentHashMap.newKeySet();

    private final ConnectionChannel channel;
    /** Listeners that the device's absence has ended; this is one of them until it listens again, or is closed. */
    private final Set<ManagedListener> released;
    private final String address;
    private final InetSocketAddress socket;
    private final int backlog;
    /** The one that has waited longest first; at most the backlog, each with the kernel's memory for it. */
    private final Deque<ManagedRequest> requests = new ArrayDeque<>();
    /**
     * The address of the identifier; 0 when there is none: closed, the device released, or not listening after the
     * address has moved.
     */
    private long id;
    /** The place where the address was when the identifier was made; empty for one that no GID is made of. */
    private String place = "";
    private long refused;
    private boolean isClosed;

    private ManagedListener(
        final ConnectionChannel channel,
        final Set<ManagedListener> released,
        final String address,
        final InetSocketAddress socket,
        final int backlog) {
        this.channel = channel;
        this.released = released;
        this.address = address;
        this.socket = socket;
        this.backlog = backlog;
    }

    static ManagedListener open(
        final ConnectionChannel channel,
        final Set<ManagedListener> released,
        final String address,
        final InetSocketAddress socket,
        final int backlog) {
        final ManagedListener listener = new ManagedListener(channel, released, address, socket, backlog);
        listener.listen(listener.place());
        return listener;
    }

    private String place() {
        return channel.device().ports().gids().place(GidText.parse(socket.getAddress().getHostAddress()));
    }

    private void listen(final String where) {
        final long made = channel.createId();
        try (Arena arena = Arena.ofConfined()) {
            bind(made, arena);
            channel.library().listen.check("cannot listen on " + address, made, backlog);
        } catch (final VerbsException e) {
            throw channel.destroyAfter(e, made);
        }
        id = made;
        place = where;
        channel.register(id, this);
        OWN.add(socket);
    }

    private void bind(final long id, final Arena arena) {
        final SetupCall call = channel.library().bindAddress;
        final int error = call.invoke(id, SocketAddresses.encode(socket, arena)).error();
        if (error == Errno.EADDRINUSE) {
            throw new VerbsException(call.name(), error, "address=" + address + " is in use by "
                + (OWN.contains(socket) ? "pid " + channel.device().environment().processId()
                : "another process, which the command rdma resource show cm_id names"));
        }
        if (error != 0) {
            throw new VerbsException(call.name(), error, Remedies.ofListening(address, error));
        }
        final ConnectionChannel.Contradiction contradiction =
            channel.deviceOf(id).isEmpty() ? null : channel.contradiction(id);
        if (contradiction != null) {
            throw new VerbsException(call.name(), Remedies.ENODEV, "address=" + address + " belongs to "
                + contradiction.found() + ", and not to " + contradiction.asked());
        }
    }

    @Override
    public String address() {
        return address;
    }

    /**
     * Takes a request. The kernel's backlog counts only what nobody has read: what is too much here is destroyed, which
     * rejects it. Half of the places are left to others by whoever floods from one host, whatever addresses it says to
     * have.
     */
    @Override
    public void onEvent(final ConnectionEvent event) {
        if (event.type() == rdma_constants.RDMA_CM_EVENT_CONNECT_REQUEST()) {
            dropOld();
            final byte[] host = requests.size() < backlog ? ManagedRequest.origin(channel, event.id()) : NOWHERE;
            if (requests.size() < backlog && waitingFrom(host) < (backlog + 1) / 2) {
                final ManagedRequest request = new ManagedRequest(channel, this::onGivenUp, event, host);
                channel.register(event.id(), request);
                requests.add(request);
            } else {
                refused++;
                channel.destroyUnknown(event.id());
            }
        }
    }

    private int waitingFrom(final byte[] host) {
        int count = 0;
        for (final ManagedRequest request : requests) {
            count += Arrays.equals(host, request.host()) ? 1 : 0;
        }
        return count;
    }

    private void dropOld() {
        final long nowNs = channel.device().environment().nanoTime();
        while (!requests.isEmpty() && nowNs - requests.peek().sinceNs() >= MAX_WAIT_NS) {
            requests.poll().forget();
        }
    }

    /** Drop a request whose peer has given up before it was answered; the monitor is held. */
    private void onGivenUp(final ManagedRequest request) {
        if (requests.remove(request)) {
            request.forget();
        }
    }

    @Override
    public ConnectionRequest poll() {
        synchronized (channel) {
            if (isClosed) {
                return null;
            }
            channel.poll();
            dropOld();
            return requests.poll();
        }
    }

    @Override
    public long takeRefused() {
        synchronized (channel) {
            final long count = refused;
            refused = 0;
            return count;
        }
    }

    @Override
    public boolean renew() {
        final DeviceContext device = channel.device();
        if (device.presence().isUnderWay()) {
            // it listens again when the device is back
            return false;
        }
        // before: a long table takes its time
        final String now = device.whileOpen("rdma_listen", this::place);
        synchronized (channel) {
            if (isClosed || device.presence().isUnderWay() || now.isEmpty() || id != 0 && now.equals(place)) {
                return false;
            }
            leave();
            listen(now);
            released.remove(this);
            return true;
        }
    }

    /** Requests that were not taken are gone with the device, as those are that were. */
    @Override
    public void release() {
        requests.clear();
        leave();
        released.add(this);
    }

    /** Listens again, as the device is back; the monitor is held. */
    void restore() {
        if (id == 0) {
            listen(place());
        }
    }

    @Override
    public void close() {
        synchronized (channel) {
            isClosed = true;
            released.remove(this);
            leave();
        }
    }

    /** Leaves the address and drops what waits; a release that was refused can be repeated. */
    private void leave() {
        for (ManagedRequest request = requests.poll(); request != null; request = requests.poll()) {
            request.drop();
        }
        if (id != 0) {
            channel.destroyId(id);
            id = 0;
            OWN.remove(socket);
        }
    }
}
