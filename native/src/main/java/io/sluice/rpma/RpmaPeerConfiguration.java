package io.sluice.rpma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The facts that a peer tells another about itself, rpma_peer_cfg_new(3). Immutable; any thread.
 *
 * @param directWriteToPersistentMemory whether what is flushed to it for persistency gets there.
 */
public record RpmaPeerConfiguration(boolean directWriteToPersistentMemory) {
    /**
     * The configuration as another peer's {@link #descriptor()} has it, rpma_peer_cfg_from_descriptor(3).
     *
     * @param descriptor of the other peer; more bytes may follow.
     * @return its configuration.
     * @throws RpmaException E_INVAL when this is not a descriptor.
     */
    public static RpmaPeerConfiguration ofDescriptor(final byte[] descriptor) {
        final RpmaLibrary library = RpmaLibrary.instance();
        try (Arena arena = Arena.ofConfined()) {
            final long handle = library.create(library.peerCfgFromDescriptor,
                "no descriptor of a peer: length=" + descriptor.length,
                RpmaLibrary.copy(arena, descriptor), (long) descriptor.length);
            try {
                final MemorySegment result = arena.allocate(ValueLayout.JAVA_BOOLEAN);
                library.check(library.peerCfgGetDirectWrite, "it does not tell", handle, result);
                return new RpmaPeerConfiguration(result.get(ValueLayout.JAVA_BOOLEAN, 0));
            } finally {
                library.delete(library.peerCfgDelete, "a configuration stays", handle);
            }
        }
    }

    /**
     * The descriptor of this configuration for another peer, rpma_peer_cfg_get_descriptor(3).
     *
     * @return some bytes, which {@link #ofDescriptor} reads there.
     */
    public byte[] descriptor() {
        final RpmaLibrary library = RpmaLibrary.instance();
        try (NativeConfiguration configuration = toNative(library)) {
            return library.bytes(
                library.peerCfgGetDescriptorSize, library.peerCfgGetDescriptor, configuration.handle());
        }
    }

    /** The configuration as librpma has it, to be closed by the caller. */
    NativeConfiguration toNative(final RpmaLibrary library) {
        return new NativeConfiguration(library, library.peerCfgNew, library.peerCfgDelete)
            .set(library.peerCfgSetDirectWrite, "directWriteToPersistentMemory", directWriteToPersistentMemory);
    }
}
