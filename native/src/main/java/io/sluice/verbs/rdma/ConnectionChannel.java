package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.rdma_cm_event;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_event_channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.UnsafeApi;

/**
 * A device's event channel of the connection manager, opened at the first use, whose events go to the endpoints that
 * they are for. Its monitor guards them all; nothing under it blocks for long: the end of a connection does not wait
 * for a thread that closes its queue pair.
 */
final class ConnectionChannel {
    /** Events handled at a time, so that a flood does not keep the caller. */
    private static final int BATCH = 64;

    private final DeviceContext device;
    private final Map<Long, Endpoint> endpoints = new HashMap<>();
    /** Files of the contexts of the device that the library has opened for itself. */
    private final Set<ContextFiles> ownContexts = new HashSet<>();
    /** Address of the {@code rdma_event_channel}; 0 when there is none. */
    private long address;
    private MemorySegment descriptor;
    private ConnectionLibrary library;

    ConnectionChannel(final DeviceContext device) {
        this.device = device;
    }

    /** An owner of an identifier. */
    interface Endpoint {
        /**
         * Learns of an event for the endpoint; the monitor is held. The caller may be another endpoint's: nothing is
         * thrown to it.
         */
        void onEvent(ConnectionEvent event);

        /** Lets go of the identifier, as the device goes; the monitor is held. */
        void release();
    }

    ConnectionLibrary library() {
        return library;
    }

    DeviceContext device() {
        return device;
    }

    /** Have a channel. */
    synchronized void open() {
        if (address == 0) {
            library = device.verbs().connectionManager();
            final SetupCall.Result created = library.createEventChannel.invoke();
            if (created.value() == 0) {
                throw new VerbsException(
                    library.createEventChannel.name(), created.errno(), Remedies.ofManager(created.errno()));
            }
            address = created.value();
            final int number = UnsafeApi.getInt(address + rdma_event_channel.fd$offset());
            SystemCalls.setNonBlocking(number);
            descriptor = SystemCalls.pollRecords(number);
        }
    }

    /** A new identifier, not registered yet. */
    long createId() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
            library.createId.check("no connection", address, id, 0L, rdma_constants.RDMA_PS_TCP());
            return id.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    void destroyId(final long id) {
        endpoints.remove(id);
        device.destruction().check(library.destroyId, "a connection stays", id);
    }

    /** Destroy the identifier of a request that nobody has heard of, and that is nobody's to know when it stays. */
    void destroyUnknown(final long id) {
        endpoints.remove(id);
        library.destroyId.invoke(id);
    }

    /** {@return the failure that has made the id useless}, which a failure to destroy it must not hide. */
    VerbsException destroyAfter(final VerbsException failure, final long id) {
        try {
            destroyId(id);
        } catch (final VerbsException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    void register(final long id, final Endpoint endpoint) {
        endpoints.put(id, endpoint);
    }

    /** Whether the connection manager finds for an address of this machine what the device was opened for. */
    boolean leadsHere(final InetAddress own) {
        final long id = createId();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment socket = SocketAddresses.encode(new InetSocketAddress(own, 0), arena);
            return library.bindAddress.invoke(id, socket).error() == 0 && !deviceOf(id).isEmpty()
                && contradiction(id) == null;
        } finally {
            destroyId(id);
        }
    }

    /**
     * Lets go of the device: nothing refers to it any more, neither what was made here nor what the library has opened
     * for itself. That is never closed by the library when the device was the last one.
     *
     * @param isRemoved or else it is only broken, and the library goes on with what it has opened.
     */
    synchronized void release(final boolean isRemoved) {
        for (final Endpoint endpoint : List.copyOf(endpoints.values())) {
            endpoint.release();
        }
        if (isRemoved) {
            ownContexts.forEach(files -> files.letGo(device.presence().file()));
            ownContexts.clear();
        }
    }

    /** Handle the events that are there; number of them. */
    synchronized int poll() {
        if (address == 0 || !SystemCalls.await(descriptor, 0)) {
            return 0;
        }
        int handled = 0;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
            while (handled < BATCH && library.getEvent.invoke(address, pointer).value() == 0) {
                final long taken = pointer.get(ValueLayout.JAVA_LONG, 0);
                final ConnectionEvent event = ConnectionEvent.of(
                    MemorySegment.ofAddress(taken).reinterpret(rdma_cm_event.sizeof()));
                library.ackEvent.invoke(taken);
                dispatch(event);
                handled++;
            }
        }
        return handled;
    }

    private void dispatch(final ConnectionEvent event) {
        final boolean isRequest = event.type() == rdma_constants.RDMA_CM_EVENT_CONNECT_REQUEST();
        if (event.type() == rdma_constants.RDMA_CM_EVENT_DEVICE_REMOVAL() && endpoints.containsKey(event.id())
            && device.name().equals(deviceOf(event.id()))) {
            device.presence().onRemoved();
        }
        final Endpoint endpoint = endpoints.get(isRequest ? event.listenId() : event.id());
        if (endpoint != null) {
            endpoint.onEvent(event);
        } else if (isRequest) {
            // Of a listener that is closed.
            destroyUnknown(event.id());
        }
    }

    /**
     * The source address of the port of a connected queue pair; {@link SourceAddress#ANY} where the device was opened
     * with the index of a GID: then the address that has this index counts.
     */
    SourceAddress sourceOf(final VerbsPort port) {
        return device.options().gidIndex() == RdmaDeviceOptions.BEST_GID
            ? device.ports().source(port) : SourceAddress.ANY;
    }

    /**
     * A contradiction: the connection manager has found another way for an identifier than the device was opened for.
     *
     * @param found what it has found.
     * @param asked what it should have.
     */
    record Contradiction(String found, String asked) {
    }

    /** Finds out whether an identifier goes another way than the one that was asked for; null when it does not. */
    Contradiction contradiction(final long id) {
        final RdmaDeviceOptions options = device.options();
        if (!device.name().equals(deviceOf(id))) {
            return new Contradiction("device " + deviceOf(id), "device " + device.name());
        }
        final int port = IdentifierFields.port(id);
        if (options.port() != RdmaDeviceOptions.ANY_PORT && port != options.port()) {
            return new Contradiction(
                "port " + port + " of device " + device.name(), "port=" + options.port() + ", which was asked for");
        }
        final byte[] gid = IdentifierFields.sourceGid(id);
        if (options.gidIndex() == RdmaDeviceOptions.BEST_GID) {
            return null;
        }
        final byte[] asked = askedGid();
        return Arrays.equals(gid, asked) ? null : new Contradiction("GID " + GidText.of(gid) + " of device "
            + device.name(), "gid=" + options.gidIndex() + ", which was asked for and is " + GidText.of(asked));
    }

    /** The GID of the index that was asked for: now or, while the port is down, the last one. */
    private byte[] askedGid() {
        try {
            return device.ports().now(SourceAddress.ANY).gid();
        } catch (final VerbsException e) {
            return device.ports().last().gid();
        }
    }

    /** The address that an identifier's way begins at, for people; empty before it is found. */
    String sourceGidOf(final long id) {
        final byte[] gid = IdentifierFields.sourceGid(id);
        return Arrays.equals(gid, new byte[PeerAddress.GID_LENGTH]) ? "" : GidText.of(gid);
    }

    /** Name of the device that the connection manager has found for an identifier; empty when there is none yet. */
    String deviceOf(final long id) {
        final String name = AddressOwner.deviceOf(device.verbs(), id);
        final long context = IdentifierFields.context(id);
        if (context != device.address() && device.name().equals(name)) {
            ownContexts.add(ContextFiles.of(context));
        }
        return name;
    }

    synchronized void close() {
        if (address != 0) {
            if (!endpoints.isEmpty()) {
                throw new VerbsException("rdma_destroy_event_channel", Errno.EBUSY,
                    endpoints.size() + " listeners or connections are open: close them first");
            }
            library.destroyEventChannel.invoke(address);
            address = 0;
        }
    }
}
