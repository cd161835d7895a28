package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.AddressHandleAttributes;

/** An address handle of the library. */
final class VerbsAddressHandle implements AddressHandle {
    private final AddressHandles owner;
    private final VerbsDomain domain;
    private final long handle;
    private final AddressHandleAttributes attributes;
    private volatile boolean isClosed;
    private boolean isDestroyed;

    VerbsAddressHandle(
        final AddressHandles owner,
        final VerbsDomain domain,
        final long handle,
        final AddressHandleAttributes attributes) {
        this.owner = owner;
        this.domain = domain;
        this.handle = handle;
        this.attributes = attributes;
    }

    @Override
    public AddressHandleAttributes attributes() {
        return attributes;
    }

    VerbsDomain domain() {
        return domain;
    }

    /** Data path, within a guard of the same owner: the {@code ibv_ah}, 0 when it is closed or another owner's. */
    long handle(final AddressHandles asking) {
        return isClosed || owner != asking ? 0 : handle;
    }

    @Override
    public synchronized void close() {
        if (isDestroyed) {
            return;
        }
        isClosed = true;
        owner.awaitPosts(domain.device());
        domain.device().destruction().check(domain.device().verbs().destroyAh, "an address handle stays", handle);
        isDestroyed = true;
        owner.remove(this);
        domain.device().objects().onDestroyed(DeviceObjects.Kind.ADDRESS_HANDLE);
    }
}
