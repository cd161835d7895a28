package io.sluice.perf.peer;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The systems that can be measured.
 */
public enum PeerKind {
    /** Sluice between processes of one host, over its software device. */
    SLUICE_IPC("sluice:ipc", Place.ANYWHERE, true, address -> SluicePeer.withDefaults()),
    /**
     * Sluice between processes of one host, with a window that is larger than the processor's caches, as Aeron's logs
     * are.
     */
    SLUICE_IPC_64M("sluice:ipc-64m", Place.ANYWHERE, true, address -> SluicePeer.withLargeWindow()),
    /** Sluice between processes of one host, with a completion for every write, as over RDMA. */
    SLUICE_IPC_QUEUE("sluice:ipc-queue", Place.ANYWHERE, true, address -> SluicePeer.withCompletions()),
    /** Sluice between processes of one host, with a poller that never keeps off its publisher's heels. */
    SLUICE_IPC_UNMODERATED(
        "sluice:ipc-unmoderated", Place.ANYWHERE, true, address -> SluicePeer.withoutModeration()),
    /** Sluice between processes of one host, with a poller's thread that hands messages over to the measured one. */
    SLUICE_IPC_DEDICATED("sluice:ipc-dedicated", Place.PROCESSES, true, address -> SluicePeer.withPoller()),
    /** Sluice between processes of one host, whose messages are stamped and whose latencies are kept. */
    SLUICE_IPC_LATENCY(
        "sluice:ipc-latency", Place.PROCESSES, true, address -> SluicePeer.withDefaults().withLatency()),
    /** Sluice as with a poller's thread, whose messages are stamped and whose latencies are kept. */
    SLUICE_IPC_DEDICATED_LATENCY(
        "sluice:ipc-dedicated-latency", Place.PROCESSES, true, address -> SluicePeer.withPoller().withLatency()),
    /** Aeron's shared-memory channel. */
    AERON_IPC("aeron:ipc", Place.PROCESSES, true, address -> new AeronPeer()),
    /** Aeron's shared-memory channel with a thread that polls, and a Disruptor from there to the measured thread. */
    AERON_IPC_RING("aeron:ipc-ring", Place.PROCESSES, true, address -> new AeronRingPeer()),
    /** Aeron over UDP, a driver in each process. */
    AERON_UDP("aeron:udp", Place.PROCESSES, true, AeronUdpPeer::new),
    /** Plain TCP through the JDK's channels. */
    TCP("tcp", Place.PROCESSES, true, TcpPeer::new),
    /** One cache line each way, without a messaging system: what the machine itself needs. Round trips only. */
    CACHE_LINE("cache-line", Place.PROCESSES, false, address -> new CacheLinePeer()),
    /** Sluice with a ring between poller and handlers, its publisher and its poller on one thread. */
    SLUICE_RING("sluice:ring", Place.THREADS, true, address -> new SluiceRingPeer(true)),
    /**
     * Sluice with a ring between its poller and {@code Subscription.poll}, which takes the messages; its publisher and
     * its poller are on one thread.
     */
    SLUICE_RING_POLL("sluice:ring-poll", Place.THREADS, true, address -> new SluiceRingPeer(false)),
    /** A ring of the LMAX Disruptor and nothing else: what a hand-off to another thread takes at least. */
    DISRUPTOR("disruptor", Place.THREADS, true, address -> new DisruptorPeer());

    /** The places where the ends of a stream can be. */
    private enum Place {
        PROCESSES,
        THREADS,
        ANYWHERE
    }

    private final String label;
    private final Place place;
    private final boolean streams;
    private final Function<String, Peer> factory;

    PeerKind(final String label, final Place place, final boolean streams, final Function<String, Peer> factory) {
        this.label = label;
        this.place = place;
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
     * Whether the ends of a stream can be in two processes.
     *
     * @return false when they must be in one.
     */
    public boolean joinsProcesses() {
        return place != Place.THREADS;
    }

    /**
     * Whether the ends of a stream can be threads of one process.
     *
     * @return false when they are processes.
     */
    public boolean joinsThreads() {
        return place != Place.PROCESSES;
    }

    /**
     * Make an instance for this process.
     *
     * @param address of this host, for those that need one.
     * @return the peer, not launched.
     */
    public Peer create(final String address) {
        return factory.apply(address);
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
