package io.sluice.rpma;

import io.sluice.environment.Environment;
import java.util.Objects;

/**
 * A peer as librpma has it, for what is made of it: its objects know this, and not the {@link RpmaPeer} that makes
 * them. Any thread.
 *
 * @param library that has it.
 * @param objects that were made of it.
 * @param handle  of the library.
 */
record NativePeer(RpmaLibrary library, PeerObjects objects, long handle) {
    /**
     * Make one, rpma_peer_new(3).
     *
     * @param context of its device.
     */
    static NativePeer of(final RpmaLibrary library, final Environment environment, final long context) {
        final PeerObjects objects = new PeerObjects(Objects.requireNonNull(environment, "environment"));
        return new NativePeer(library, objects, library.create(library.peerNew, "no peer", context));
    }
}
