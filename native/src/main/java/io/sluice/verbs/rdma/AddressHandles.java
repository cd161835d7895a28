package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The address handles of a protection domain, and the threads that post with them: a handle's memory is read by each
 * post, so it is released only when none of these threads can be inside one. Any thread may call.
 */
final class AddressHandles {
    static final String CREATE_CALL = "ibv_create_ah";

    /** Handles that are not closed. */
    private final Set<VerbsAddressHandle> handles = ConcurrentHashMap.newKeySet();
    private final AddressPosts posts = new AddressPosts();
    private final DeviceContext device;

    AddressHandles(final DeviceContext device) {
        this.device = device;
    }

    /**
     * Create one, while the domain is open.
     *
     * @param handle {@code ibv_pd} of the domain.
     */
    AddressHandle create(
        final ProtectionDomain domain, final long handle, final AddressHandleAttributes attributes) {
        final VerbsPort port = device.ports().now(SourceAddress.ANY);
        check(port, attributes);
        try (Arena arena = Arena.ofConfined()) {
            final long made = device.verbs().createAh.pointer(
                "no address handle", handle, encode(arena, attributes, port));
            final VerbsAddressHandle created =
                new VerbsAddressHandle(device, posts, handles, domain, made, attributes);
            handles.add(created);
            device.objects().onCreated(DeviceObjects.Kind.ADDRESS_HANDLE);
            return created;
        }
    }

    private void check(final VerbsPort port, final AddressHandleAttributes attributes) {
        if (device.attributes().maxDatagramLength() == 0) {
            throw new VerbsException(
                CREATE_CALL, Errno.EOPNOTSUPP, "device " + device.name() + " has no datagrams");
        }
        if (attributes.port() != AddressHandleAttributes.DEVICE_PORT && attributes.port() != port.number()) {
            throw new VerbsException(CREATE_CALL, Errno.EINVAL, "port=" + attributes.port() + " is not "
                + port.number() + ", the one that device " + device.name() + " was opened with");
        }
        if (port.needsGid() && !attributes.isGlobal()) {
            throw new VerbsException(CREATE_CALL, Errno.EINVAL, "destinationGid is missing: it is what packets of"
                + " this port are addressed by");
        }
    }

    /** Attributes that {@code ibv_create_ah} is given. */
    static MemorySegment encode(final Arena arena, final AddressHandleAttributes asked, final VerbsPort port) {
        final MemorySegment path = ibv_ah_attr.allocate(arena);
        ibv_ah_attr.dlid(path, (short) asked.destinationLid());
        ibv_ah_attr.sl(path, (byte) asked.serviceLevel());
        ibv_ah_attr.src_path_bits(path, (byte) asked.sourcePathBits());
        ibv_ah_attr.static_rate(path, (byte) asked.staticRate());
        ibv_ah_attr.port_num(path, (byte) port.number());
        if (asked.isGlobal()) {
            ibv_ah_attr.is_global(path, (byte) 1);
            final MemorySegment route = ibv_ah_attr.grh(path);
            MemorySegment.copy(asked.destinationGid(), 0, ibv_global_route.dgid(route), ValueLayout.JAVA_BYTE, 0,
                AddressHandleAttributes.GID_LENGTH);
            ibv_global_route.flow_label(route, asked.flowLabel());
            ibv_global_route.sgid_index(route, (byte) (asked.sourceGidIndex() == AddressHandleAttributes.DEVICE_GID
                ? port.gidIndex() : asked.sourceGidIndex()));
            ibv_global_route.hop_limit(route, (byte) asked.hopLimit());
            ibv_global_route.traffic_class(route, (byte) asked.trafficClass());
        }
        return path;
    }

    /** Threads that post with these. */
    AddressPosts posts() {
        return posts;
    }

    /** Closes all handles, as the device goes. */
    void closeAll() {
        handles.forEach(VerbsAddressHandle::close);
    }

    /** Refuse to free a domain that handles need: not every device counts them itself and refuses. */
    void checkNoneOf(final ProtectionDomain domain) {
        final long count = handles.stream().filter(handle -> handle.domain() == domain).count();
        if (count > 0) {
            throw new VerbsException("ibv_dealloc_pd", Errno.EBUSY,
                count + " address handle(s) are of this protection domain: close them first");
        }
    }
}
