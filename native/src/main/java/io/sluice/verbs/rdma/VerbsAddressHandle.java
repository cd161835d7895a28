package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.ProtectionDomain;
import java.util.Set;

/** An address handle of the library. */
final class VerbsAddressHandle implements AddressHandle {
    private final DeviceContext device;
    private final AddressPosts posts;
    /** Handles that are not closed: this is one of them until it is. */
    private final Set<VerbsAddressHandle> handles;
    private final ProtectionDomain domain;
    private final long handle;
    private final AddressHandleAttributes attributes;
    private volatile boolean isClosed;
    private boolean isDestroyed;

    VerbsAddressHandle(
        final DeviceContext device,
        final AddressPosts posts,
        final Set<VerbsAddressHandle> handles,
        final ProtectionDomain domain,
        final long handle,
        final AddressHandleAttributes attributes) {
        this.device = device;
        this.posts = posts;
        this.handles = handles;
        this.domain = domain;
        this.handle = handle;
        this.attributes = attributes;
    }

    @Override
    public AddressHandleAttributes attributes() {
        return attributes;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /** Data path, within a guard of the same posts: the {@code ibv_ah}, 0 when it is closed or another domain's. */
    long handle(final AddressPosts asking) {
        return isClosed || posts != asking ? 0 : handle;
    }

    @Override
    public synchronized void close() {
        if (isDestroyed) {
            return;
        }
        isClosed = true;
        posts.awaitEnd(device.environment());
        device.destruction().check(device.verbs().destroyAh, "an address handle stays", handle);
        isDestroyed = true;
        handles.remove(this);
        device.objects().onDestroyed(DeviceObjects.Kind.ADDRESS_HANDLE);
    }
}
