package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The names of the system properties that give a {@link Context} its defaults, the defaults themselves, and the bounds.
 */
public final class Configuration {
    /**
     * Folder of the software device's shared memory. Default: {@code /dev/shm/sluice-USER}, or below the temporary
     * folder; with the user's number for one without a name.
     */
    public static final String DIRECTORY_PROP = "sluice.dir";
    /** {@link ThreadingMode} of the transport's agents. */
    public static final String THREADING_MODE_PROP = "sluice.threading.mode";
    /** {@link SubscriptionMode} of subscriptions whose channel does not say. */
    public static final String SUBSCRIPTION_MODE_PROP = "sluice.subscription.mode";
    /** Bytes of a publication's send log. */
    public static final String WINDOW_PROP = "sluice.window";
    /** Receives kept posted per link. */
    public static final String RECEIVE_DEPTH_PROP = "sluice.receive.depth";
    /** The time that the polling thread stays away from the shared log of a dense stream that it has caught up with. */
    public static final String MODERATION_PERIOD_PROP = "sluice.moderation.period";
    /** Writes posted and not yet drained by the peer, per link. */
    public static final String WRITES_IN_FLIGHT_PROP = "sluice.writes.in.flight";
    /** Send-queue slots per link. */
    public static final String SEND_QUEUE_LENGTH_PROP = "sluice.send.queue.length";
    /** The interval of signalled writes: at least every n-th write is signalled. */
    public static final String SIGNAL_INTERVAL_PROP = "sluice.signal.interval";
    /** Interval between heartbeats. */
    public static final String HEARTBEAT_INTERVAL_PROP = "sluice.heartbeat.interval";
    /** Silence after which a peer is given up. */
    public static final String LIVENESS_TIMEOUT_PROP = "sluice.liveness.timeout";
    /** The time for which a broken link gates its publication. */
    public static final String RESUME_TIMEOUT_PROP = "sluice.resume.timeout";
    /** Limit of a whole handshake. */
    public static final String HANDSHAKE_TIMEOUT_PROP = "sluice.handshake.timeout";
    /** The time for which a closed publication goes on delivering. */
    public static final String LINGER_TIMEOUT_PROP = "sluice.linger.timeout";
    /** Interval between looks for new peers. */
    public static final String DISCOVERY_INTERVAL_PROP = "sluice.discovery.interval";
    /** The time for which a claim of a shared publication may stay open while others wait for it. */
    public static final String UNBLOCK_TIMEOUT_PROP = "sluice.unblock.timeout";
    /**
     * The distance behind, in per cent of ring or window, from which on a consumer is too slow with {@code slow=evict}.
     */
    public static final String EVICT_BEHIND_PROP = "sluice.evict.behind";
    /** The time for which a consumer may be that far behind while it holds others up. */
    public static final String EVICT_AFTER_PROP = "sluice.evict.after";
    /** The time that the handler of an evicted consumer may take to come back before memory is abandoned to it. */
    public static final String EVICT_TIMEOUT_PROP = "sluice.evict.timeout";
    /** Number of poller threads. */
    public static final String POLLERS_PROP = "sluice.pollers";
    /** Processors that poller threads are pinned to, separated by commas. Default: none. */
    public static final String POLLER_CPUS_PROP = "sluice.poller.cpus";
    /** The idle strategy of pollers while nothing arrives, see {@link PollerOptions#idleStrategy(String)}. */
    public static final String POLLER_IDLE_STRATEGY_PROP = "sluice.poller.idle.strategy";
    /** {@link CompletionMode} of each poller, separated by commas; pollers beyond the last one named have its mode. */
    public static final String POLLER_COMPLETION_MODES_PROP = "sluice.poller.completion.modes";
    /** The time for which pollers in ADAPTIVE mode spin after the last message. */
    public static final String POLLER_SPIN_TIME_PROP = "sluice.poller.spin.time";
    /** Name of this program in peers' logs. */
    public static final String CLIENT_NAME_PROP = "sluice.client.name";
    /** File that holds the key which peers must hold, too. Default: none. */
    public static final String PRE_SHARED_KEY_FILE_PROP = "sluice.psk.file";
    /** Environment variable that holds the key itself, where no file is named. */
    public static final String PRE_SHARED_KEY_VARIABLE = "SLUICE_PSK";
    /** Addresses and prefixes of peers over {@code sluice:rdma}, separated by commas. Default: all. */
    public static final String ALLOWED_PEERS_PROP = "sluice.allowed.peers";
    /** Control connections that one host may have opened; over {@code sluice:ipc} one process. */
    public static final String SESSIONS_PER_HOST_PROP = "sluice.sessions.per.host";
    /** Subscriptions that all transports of one host may have announced. */
    public static final String SUBSCRIPTIONS_PER_HOST_PROP = "sluice.subscriptions.per.host";
    /** Links with one peer transport, of publications and of subscriptions each. */
    public static final String LINKS_PER_SESSION_PROP = "sluice.links.per.session";
    /** Links with all transports of one host, of publications and of subscriptions each. */
    public static final String LINKS_PER_HOST_PROP = "sluice.links.per.host";
    /** Bytes of receive rings that one peer transport may have. */
    public static final String RING_LENGTH_PER_SESSION_PROP = "sluice.ring.length.per.session";
    /** Bytes of receive rings that all transports of one host may have. */
    public static final String RING_LENGTH_PER_HOST_PROP = "sluice.ring.length.per.host";
    /** Bytes of receive rings of one subscription, and as many of earlier rings that consumers still read. */
    public static final String RING_LENGTH_PER_SUBSCRIPTION_PROP = "sluice.ring.length.per.subscription";
    /** Bytes of logs that are registered on a device for links with one peer transport. */
    public static final String LOG_LENGTH_PER_SESSION_PROP = "sluice.log.length.per.session";
    /** Bytes of logs that are registered on a device for links with all transports of one host. */
    public static final String LOG_LENGTH_PER_HOST_PROP = "sluice.log.length.per.host";
    /** Bytes of the largest window that subscriptions grant. */
    public static final String GRANTED_WINDOW_PROP = "sluice.granted.window";

    /**
     * The default window, 4 MiB: about a millisecond of data at memory speed, and small enough to stay in a processor's
     * cache.
     */
    public static final int WINDOW_DEFAULT = 4 * 1024 * 1024;
    /** Smallest window: one page. */
    public static final int WINDOW_MIN = 4096;
    /** Largest window: offsets and lengths are ints. */
    public static final int WINDOW_MAX = 1024 * 1024 * 1024;
    /** Receives kept posted per link, by default. */
    public static final int RECEIVE_DEPTH_DEFAULT = 256;
    /** Largest receive queue of a link. */
    public static final int RECEIVE_DEPTH_MAX = 16 * 1024;
    /**
     * Writes in flight per link, by default: enough to overlap with the peer's drain, few enough to batch under load.
     */
    public static final int WRITES_IN_FLIGHT_DEFAULT = 64;
    /** Send-queue slots per link, by default. */
    public static final int SEND_QUEUE_LENGTH_DEFAULT = 256;
    /** Largest send queue of a link. */
    public static final int SEND_QUEUE_LENGTH_MAX = 16 * 1024;
    /** Every 64th write is signalled, by default. */
    public static final int SIGNAL_INTERVAL_DEFAULT = 64;
    /**
     * The default moderation period, 10 µs, in which a publisher writes some hundred lines: shorter pauses gain less,
     * longer ones hardly more.
     */
    public static final long MODERATION_PERIOD_DEFAULT_NS = 10_000L;
    /** The longest moderation period, 1 ms: longer pauses only make messages late. */
    public static final long MODERATION_PERIOD_MAX_NS = 1_000_000L;
    /** Events on the ring of a subscription in DEDICATED mode, by default. */
    public static final int RING_DEFAULT = 8192;
    /** Most pollers of a transport: more than the cores of a socket is a mistake. */
    public static final int POLLERS_MAX = 64;
    /** The most open counters of the program, see {@link Transport#addCounter(int, String)}. */
    public static final int COUNTERS_MAX = 1024;
    /**
     * The default idle strategy of pollers: spins for some tens of microseconds, then leaves the core for longer and
     * longer, up to a millisecond, or to ten when nothing has come for a second.
     */
    public static final String POLLER_IDLE_STRATEGY_DEFAULT = "backoff";
    /**
     * The default time of spinning in ADAPTIVE mode, 1 ms, some twenty times what going to sleep and waking up take: a
     * poller that gets a thousand messages per second or more never sleeps.
     */
    public static final long POLLER_SPIN_TIME_DEFAULT_NS = 1_000_000L;
    /** Largest ring of a subscription. */
    public static final int RING_MAX = 1 << 20;
    /** The default heartbeat interval: 100 ms. */
    public static final long HEARTBEAT_INTERVAL_DEFAULT_NS = 100_000_000L;
    /** The default liveness timeout: 10 s, long enough for a garbage collection. */
    public static final long LIVENESS_TIMEOUT_DEFAULT_NS = 10_000_000_000L;
    /** The default resume timeout: 5 s, shorter than the liveness timeout. */
    public static final long RESUME_TIMEOUT_DEFAULT_NS = 5_000_000_000L;
    /** The default limit of a whole handshake: 5 s. */
    public static final long HANDSHAKE_TIMEOUT_DEFAULT_NS = 5_000_000_000L;
    /** The default linger of a closed publication: 5 s. */
    public static final long LINGER_TIMEOUT_DEFAULT_NS = 5_000_000_000L;
    /** The default interval between looks for new peers: 20 ms. */
    public static final long DISCOVERY_INTERVAL_DEFAULT_NS = 20_000_000L;
    /** The default unblock timeout: 15 s, longer than any pause of a thread that is alive and encodes a message. */
    public static final long UNBLOCK_TIMEOUT_DEFAULT_NS = 15_000_000_000L;
    /**
     * The default distance at which a consumer is too slow: three quarters, where a subscription counts as PRESSURED.
     */
    public static final int EVICT_BEHIND_DEFAULT = 75;
    /** The greatest distance at which a consumer is too slow: the whole ring or window. */
    public static final int EVICT_BEHIND_MAX = 100;
    /**
     * The default time for which a consumer may hold others up: 1 s, longer than garbage collections and hiccups of the
     * machine.
     */
    public static final long EVICT_AFTER_DEFAULT_NS = 1_000_000_000L;
    /**
     * The default time for an evicted consumer's handler to come back: 1 s, longer than garbage collections and hiccups
     * of the machine.
     */
    public static final long EVICT_TIMEOUT_DEFAULT_NS = 1_000_000_000L;
    /** The shortest timeout and interval: one millisecond. */
    public static final long TIMEOUT_MIN_NS = 1_000_000L;
    /** The longest timeout and interval: one hour. */
    public static final long TIMEOUT_MAX_NS = 3_600_000_000_000L;
    /** The longest heartbeat interval: half an hour, since the longest liveness timeout is two of them. */
    public static final long HEARTBEAT_INTERVAL_MAX_NS = TIMEOUT_MAX_NS / 2;
    /** The shortest liveness timeout: two milliseconds, which is two of the shortest heartbeat intervals. */
    public static final long LIVENESS_TIMEOUT_MIN_NS = 2 * TIMEOUT_MIN_NS;
    /** Longest client name. */
    public static final int CLIENT_NAME_MAX_LENGTH = 100;
    /** Greatest minimum of a flow-control group: a quarter of the links that a publication may have. */
    public static final int GROUP_MINIMUM_MAX = 1024;
    /**
     * The default control connections per host, a quarter of all: more processes than a host has cores, and three more
     * hosts get in beside it.
     */
    public static final int SESSIONS_PER_HOST_DEFAULT = 256;
    /** Control connections of a transport over one device. */
    public static final int SESSIONS_MAX = 1024;
    /**
     * The default subscriptions per host: twice what one transport may announce, and four times the links that a host
     * may have.
     */
    public static final int SUBSCRIPTIONS_PER_HOST_DEFAULT = 8192;
    /** Most subscriptions of a quota: a thousand transports, each with all that it may announce. */
    public static final int SUBSCRIPTIONS_MAX = 1 << 22;
    /**
     * The default links per session: more than a thousand streams between two transports; a publication or subscription
     * may have four times that.
     */
    public static final int LINKS_PER_SESSION_DEFAULT = 1024;
    /**
     * The default links per host: twice those of a session, and half of what a publication or subscription may have.
     */
    public static final int LINKS_PER_HOST_DEFAULT = 2048;
    /** Most links of a quota: as many publications or subscriptions with all the links that they may have. */
    public static final int LINKS_MAX = 1 << 20;
    /**
     * The default bytes of rings per session: 2 GiB, half of what a subscription may have, or 512 links with the
     * default window.
     */
    public static final long RING_LENGTH_PER_SESSION_DEFAULT = 2L << 30;
    /** The default bytes of rings per host: 3 GiB, three quarters of what a subscription may have. */
    public static final long RING_LENGTH_PER_HOST_DEFAULT = 3L << 30;
    /** The default bytes of rings per subscription: 4 GiB, or 1024 links with the default window. */
    public static final long RING_LENGTH_PER_SUBSCRIPTION_DEFAULT = 4L << 30;
    /** The greatest quota of bytes of rings, 1 TiB: more memory than anybody gives away. */
    public static final long RING_LENGTH_MAX = 1L << 40;
    /** The default bytes of logs per session: 4 GiB, as many links as a session may have, with the default window. */
    public static final long LOG_LENGTH_PER_SESSION_DEFAULT = 4L << 30;
    /** The default bytes of logs per host: 8 GiB, as many links as a host may have, with the default window. */
    public static final long LOG_LENGTH_PER_HOST_DEFAULT = 8L << 30;
    /** The greatest quota of bytes of logs, 1 TiB: more memory than anybody gives away. */
    public static final long LOG_LENGTH_MAX = RING_LENGTH_MAX;
    /** The default largest window that is granted: 1 GiB, the largest that there is. */
    public static final int GRANTED_WINDOW_DEFAULT = WINDOW_MAX;

    private Configuration() {
    }

    /**
     * The shared folder of those transports and readers that are told none.
     *
     * @param environment that knows the machine.
     * @return the folder that {@link #DIRECTORY_PROP} names, else the software device's own default.
     * @throws IllegalArgumentException when the property is empty, or no path.
     */
    public static Path directory(final Environment environment) {
        final String name = System.getProperty(DIRECTORY_PROP);
        return name == null ? SoftwareDevice.defaultDirectory(environment) : path(DIRECTORY_PROP, name);
    }

    /** The path that a system property names. */
    static Path path(final String property, final String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(property + "=" + value + " is empty: name a path, or leave it out");
        }
        try {
            return Path.of(value);
        } catch (final InvalidPathException e) {
            throw new IllegalArgumentException(property + "=" + value + " is not a path: " + e.getReason()
                + "; names of files are encoded in sun.jnu.encoding=" + System.getProperty("sun.jnu.encoding")
                + ": where that lacks its letters, set LC_ALL=C.UTF-8", e);
        }
    }
}
