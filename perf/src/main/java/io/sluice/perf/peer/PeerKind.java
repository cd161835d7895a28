package io.sluice.perf.peer;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The systems that can be measured.
 */
public enum PeerKind {
    /** Sluice between processes of one host, over its software device. */
    SLUICE_IPC("sluice:ipc", true, () -> new SluicePeer("")),
    /** The same with a completion for every write, as over RDMA. */
    SLUICE_IPC_QUEUE("sluice:ipc-queue", true, () -> new SluicePeer("|completion=queue")),
    /** Aeron's shared-memory channel. */
    AERON_IPC("aeron:ipc", true, AeronPeer::new),
    /** One cache line each way, without a messaging system: what the machine itself needs. Round trips only. */
    CACHE_LINE("cache-line", false, CacheLinePeer::new);

    private final String label;
    private final boolean streams;
    private final Supplier<Peer> factory;

    PeerKind(final String label, final boolean streams, final Supplier<Peer> factory) {
        this.label = label;
        this.streams = streams;
        this.factory = factory;
    }

    /**
     * The name in arguments and tables.
     *
     * @return for example {@code "aeron:ipc"}.
     */
    public String label() {
        return label;
    }

    /**
     * Whether several messages can be under way.
     *
     * @return false when only closed-loop round trips make sense.
     */
    public boolean streams() {
        return streams;
    }

    /**
     * Make an instance for this process.
     *
     * @return the peer, not launched.
     */
    public Peer create() {
        return factory.get();
    }

    /**
     * The peer of a name.
     *
     * @param label as {@link #label()}.
     * @return the peer.
     * @throws IllegalArgumentException when there is none; the message lists those there are.
     */
    public static PeerKind of(final String label) {
        for (final PeerKind kind : values()) {
            if (kind.label.equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("unknown peer: peer=" + label + " known="
            + Arrays.stream(values()).map(PeerKind::label).collect(Collectors.joining(",")));
    }
}
