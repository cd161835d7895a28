package io.sluice.transport.simulation;

import io.sluice.transport.CompletionMode;
import io.sluice.transport.Context;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All that is drawn from a seed before the run: who runs where, how bytes arrive, all bounds from the smallest on, and
 * what goes wrong.
 *
 * @param processes      1: all in one transport; 2: publisher and subscribers; 3: each by itself.
 * @param invoker        whether the transports are driven by their application.
 * @param log            channel parameters of the publication and the subscriptions.
 * @param modes          of the subscriptions, two to four.
 * @param window         of the publication.
 * @param ring           of the subscriptions.
 * @param receiveDepth   of the subscriptions.
 * @param writesInFlight of the publication.
 * @param sendQueue      of the publication.
 * @param signalInterval of the publication.
 * @param messages       offered in all.
 * @param failOneIn      operations of links; 0 for none.
 * @param dropOneIn      operations of links; 0 for none.
 * @param failControl    whether operations of control connections fail too.
 * @param deferOneIn     operations; 0 for none.
 * @param delayOneIn     operations; 0 for none.
 * @param pauses         whether agents pause and the clock jumps, within the limits of liveness.
 * @param suspensions    whether the clock jumps beyond these limits, and nobody has run meanwhile.
 * @param outages        whether threads and processes pause beyond these limits.
 * @param deaths         processes that die, each followed by a new one in its role.
 * @param replacements   subscriptions that are closed, each followed by a new one.
 * @param additions      subscriptions that are added while others have long had messages.
 * @param republications publications that are closed with messages under way, each followed by a new one.
 * @param overruns       completion queues that become too small.
 * @param evictions      whether consumers that are too slow may be evicted.
 * @param linksDown      times that everything that a process sends is held for a while.
 * @param writers        of the publication; more than one share it.
 * @param flowControl    channel parameter of the publication: which subscriptions it waits for.
 * @param completionMode of the pollers; those of transports that are driven spin.
 */
record Scenario(
    int processes,
    boolean invoker,
    String log,
    List<String> modes,
    int window,
    int ring,
    int receiveDepth,
    int writesInFlight,
    int sendQueue,
    int signalInterval,
    int messages,
    int failOneIn,
    int dropOneIn,
    boolean failControl,
    int deferOneIn,
    int delayOneIn,
    boolean pauses,
    boolean suspensions,
    boolean outages,
    int deaths,
    int replacements,
    int additions,
    int republications,
    int overruns,
    boolean evictions,
    int linksDown,
    int writers,
    String flowControl,
    CompletionMode completionMode) {
    static final int STREAM_ID = 7;
    static final long HEARTBEAT_NS = 50_000_000L;
    static final long LIVENESS_NS = 1_000_000_000L;
    static final long RESUME_NS = 800_000_000L;
    static final long UNBLOCK_NS = 10_000_000L;
    static final int EVICT_AFTER_MAX_MS = 20;
    static final int EVICT_TIMEOUT_MS = 150;
    /** The tag of subscriptions that a publication waits for. */
    static final String GROUP_TAG = "|gtag=7";
    private static final long HANDSHAKE_NS = 300_000_000L;
    private static final long DISCOVERY_NS = 10_000_000L;
    private static final long LINGER_NS = 5_000_000_000L;

    private static final List<String> LOGS = List.of("log=shared", "log=shared|completion=queue", "log=copied");
    private static final List<String> MODES = List.of(Subscriber.INVOKER, "dedicated", Subscriber.GRAPH);
    private static final List<CompletionMode> COMPLETION_MODES = List.of(CompletionMode.values());
    private static final long SPIN_TIME_NS = 20_000L;
    private static final int MAX_SUBSCRIPTIONS = 4;
    private static final String ALL = "";
    private static final String FASTEST = "|fc=max";
    private static final String GROUP = "|fc=tagged,g:7";
    private static final int MAX_WRITERS = 3;
    private static final int WINDOW_MIN = 4096;

    static Scenario draw(final SplittableRandom random) {
        final int receiveDepth = 1 << random.nextInt(7);
        final boolean breaks = random.nextInt(3) != 0;
        final int processes = 1 + random.nextInt(3);
        return new Scenario(
            processes,
            random.nextInt(4) == 0,
            LOGS.get(random.nextInt(LOGS.size())),
            modes(random),
            WINDOW_MIN << random.nextInt(4),
            2 << random.nextInt(6),
            receiveDepth,
            1 + random.nextInt(receiveDepth),
            1 + random.nextInt(64),
            1 + random.nextInt(64),
            50 + random.nextInt(350),
            breaks ? 50 + random.nextInt(500) : 0,
            breaks && random.nextBoolean() ? 100 + random.nextInt(500) : 0,
            breaks && random.nextInt(4) == 0,
            random.nextBoolean() ? 4 + random.nextInt(40) : 0,
            random.nextInt(3) == 0 ? 50 + random.nextInt(200) : 0,
            random.nextBoolean(),
            random.nextInt(4) == 0,
            random.nextInt(4) == 0,
            processes > 1 && random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0,
            random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0,
            random.nextInt(4) == 0 ? 1 : 0,
            random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0,
            breaks && random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0,
            random.nextInt(4) == 0,
            breaks && random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0,
            random.nextInt(3) == 0 ? 2 + random.nextInt(MAX_WRITERS - 1) : 1,
            flowControl(random),
            COMPLETION_MODES.get(random.nextInt(COMPLETION_MODES.size())));
    }

    private static String flowControl(final SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> FASTEST;
            case 2 -> GROUP;
            default -> ALL;
        };
    }

    /** Mostly two. */
    private static List<String> modes(final SplittableRandom random) {
        final int count = random.nextInt(3) == 0 ? 2 + random.nextInt(MAX_SUBSCRIPTIONS - 1) : 2;
        final List<String> modes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            modes.add(randomMode(random));
        }
        return List.copyOf(modes);
    }

    static String randomMode(final SplittableRandom random) {
        return MODES.get(random.nextInt(MODES.size()));
    }

    /** Whether nothing happens that a link may break of. */
    boolean isQuiet() {
        return failOneIn == 0 && dropOneIn == 0 && linksDown == 0 && overruns == 0 && deaths == 0 && !evictions
            && !mayLoseImages();
    }

    /**
     * Whether an end of a link may see that its queue pair is gone before the message comes that says why: that message
     * goes another way, may be held there, and is not looked at before the next duty cycle of a conductor.
     */
    boolean mayCloseUnannounced() {
        return replacements > 0 || republications > 0;
    }

    /** Whether the publication waits for all subscriptions, and not for the fastest or a group alone. */
    boolean waitsForAll() {
        return flowControl.equals(ALL);
    }

    /** Whether the publication waits for those with a tag. */
    boolean waitsForGroup() {
        return flowControl.equals(GROUP);
    }

    boolean isPublicationShared() {
        return writers > 1;
    }

    /** Whether a link may be given up although both of its ends live. */
    boolean mayLoseImages() {
        return outages || !waitsForAll();
    }

    boolean isLogShared() {
        return !log.contains("copied");
    }

    /** Whether writes are posted and completions drained. */
    boolean hasCompletions() {
        return !log.equals(LOGS.getFirst());
    }

    String channel(final String more) {
        return channel(log, more);
    }

    /** The channel of a subscription that has its own copy of the log. */
    String copiedChannel(final String more) {
        return channel(LOGS.getLast(), more);
    }

    private static String channel(final String log, final String more) {
        return "sluice:ipc?endpoint=simulation|" + log + more;
    }

    Context configure(final Context context) {
        return context
            .windowLength(window)
            .links(new LinkOptions()
                .receiveDepth(receiveDepth)
                .writesInFlight(writesInFlight)
                .sendQueueLength(sendQueue)
                .signalInterval(signalInterval))
            .threadingMode(invoker ? ThreadingMode.INVOKER : ThreadingMode.DEDICATED)
            .pollers(new PollerOptions()
                .completionModes(invoker ? CompletionMode.SPIN : completionMode).spinTimeNs(SPIN_TIME_NS))
            .timeouts(new Timeouts()
                .heartbeatIntervalNs(HEARTBEAT_NS)
                .livenessTimeoutNs(LIVENESS_NS)
                .resumeTimeoutNs(RESUME_NS)
                .unblockTimeoutNs(UNBLOCK_NS)
                .handshakeTimeoutNs(HANDSHAKE_NS)
                .discoveryIntervalNs(DISCOVERY_NS)
                .lingerTimeoutNs(LINGER_NS));
    }
}
