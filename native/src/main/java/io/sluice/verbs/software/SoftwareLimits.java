package io.sluice.verbs.software;

/**
 * The bounds of the software device, each with its reason. Constants only.
 */
public final class SoftwareLimits {
    /** Completions of one queue: as many as large NICs offer; a mere number, the entries lie with the queue pairs. */
    public static final int MAX_COMPLETION_QUEUE_ENTRIES = 1 << 22;
    /** Work requests of one send or receive queue: rings of 16 bytes an entry stay within 1 MiB. */
    public static final int MAX_WORK_REQUESTS = 1 << 15;
    /** Inline bytes: enough for any control message; a copy is what every write costs here anyway. */
    public static final int MAX_INLINE_DATA = 1024;
    /** Ticks of its clock in a millisecond: they are nanoseconds. */
    public static final long CLOCK_KHZ = 1_000_000;
    /** READs and atomics under way: each is done before the next begins, so this is what large NICs offer. */
    public static final int MAX_READ_ATOMIC = 128;
    /** Bytes of one region: 512 of them fill half of the usual address space of 47 bits. */
    public static final long MAX_REGION_LENGTH = 1L << 37;
    /** Queue pairs attached to one completion queue: its ready bitmap has 64 words of 64 bits, eight cache lines. */
    public static final int MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE = 4096;
    /** Queue pairs of one device: each maps some pages, and processes may map 65530 areas by default on Linux. */
    public static final int MAX_QUEUE_PAIRS = 8192;
    /** Largest queue pair number: 24 bits, as in verbs. */
    public static final int MAX_QUEUE_PAIR_NUMBER = (1 << 24) - 1;
    /** Peer regions that one queue pair keeps mapped; the search is linear and the oldest goes first. */
    public static final int MAX_IMPORTS_PER_QUEUE_PAIR = 64;
    /** The number of queue pairs up to which they are polled directly: cheaper than reading the bitmap. */
    public static final int DIRECT_POLL_QUEUE_PAIRS = 2;
    /**
     * The time in nanoseconds after which a processor's store is visible to all others: store buffers hold it for
     * microseconds.
     */
    public static final long STORE_VISIBLE_NS = 1_000_000L;
    /** Completions taken from one queue pair before the next one gets its turn. */
    public static final int POLL_QUANTUM = 16;
    /** Empty looks before a queue pair's ready bit is cleared: a hot link must never touch that shared word. */
    public static final int EMPTY_POLLS_BEFORE_IDLE = 1024;
    /**
     * The time in nanoseconds between two checks of peers' processes: below every timeout of the layers above, far
     * below 1 % of a core.
     */
    public static final long LIVENESS_INTERVAL_NS = 100_000_000L;
    /**
     * The time in nanoseconds that closing waits for a thread inside a post or poll: a stopped one costs its memory,
     * not a hang.
     */
    public static final long QUIESCE_TIMEOUT_NS = 1_000_000_000L;
    /**
     * The time in nanoseconds that opening waits for the fabric's lock in one hand: some file operations, long on a
     * crowded machine.
     */
    public static final long FABRIC_LOCK_TIMEOUT_NS = 20_000_000_000L;
    /** Connected clients of a listener that have not sent their whole request yet. */
    public static final int MAX_HALF_OPEN_CONNECTIONS = 64;
    /** The time in nanoseconds that a client may take whose connection is half open: its request is one small write. */
    public static final long HALF_OPEN_TIMEOUT_NS = 2_000_000_000L;
    /** Connections waiting for a completion channel to accept them: one for each peer process and queue. */
    public static final int CHANNEL_BACKLOG = 1024;
    /** Completion queues of one device: each has at most one event waiting in its channel. */
    public static final int MAX_COMPLETION_QUEUES = 4096;
    /** Bytes of a socket's path, below the operating systems' 104 to 108. */
    public static final int MAX_SOCKET_PATH_LENGTH = 100;
    /** Characters of an address to listen at. */
    public static final int MAX_SERVICE_ADDRESS_LENGTH = 512;
    /** Levels of a service address: directories below the fabric. */
    public static final int MAX_SERVICE_ADDRESS_DEPTH = 16;
    /** Bytes of a share token, as {@link io.sluice.verbs.MemoryRegion#shareToken()} promises. */
    public static final int MAX_SHARE_TOKEN_LENGTH = 512;
    /** Bytes of a queue pair's address, as {@link io.sluice.verbs.QueuePair#localAddress()} promises. */
    public static final int MAX_ADDRESS_LENGTH = 256;

    private SoftwareLimits() {
    }
}
