package io.sluice.transport;

import org.agrona.BitUtil;

/**
 * The bounds of a {@link Context}'s values and how they fit together. Stateless.
 */
final class ContextRanges {
    private ContextRanges() {
    }

    static void check(final Context context) {
        checkLengths(context);
        checkQuotas(context);
        checkTimeouts(context);
        context.pollers().check(context.threadingMode());
        if (context.clientName().length() > Configuration.CLIENT_NAME_MAX_LENGTH) {
            throw new IllegalArgumentException("client name too long: length=" + context.clientName().length()
                + " maximum=" + Configuration.CLIENT_NAME_MAX_LENGTH);
        }
    }

    private static void checkLengths(final Context context) {
        Quantities.checkRange(
            "windowLength", context.windowLength(), Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
        Quantities.checkRange("receiveDepth", context.receiveDepth(), 1, Configuration.RECEIVE_DEPTH_MAX);
        Quantities.checkRange("writesInFlight", context.writesInFlight(), 1, Configuration.RECEIVE_DEPTH_MAX);
        Quantities.checkRange("sendQueueLength", context.sendQueueLength(), 1, Configuration.SEND_QUEUE_LENGTH_MAX);
        Quantities.checkRange("signalInterval", context.signalInterval(), 1, Configuration.SEND_QUEUE_LENGTH_MAX);
        if (!BitUtil.isPowerOfTwo(context.windowLength())) {
            throw new IllegalArgumentException("not a power of two: windowLength=" + context.windowLength());
        }
        if (context.writesInFlight() > context.receiveDepth()) {
            throw new IllegalArgumentException("more writes in flight than receives: writesInFlight="
                + context.writesInFlight() + " receiveDepth=" + context.receiveDepth()
                + SystemProperties.origin(Configuration.WRITES_IN_FLIGHT_PROP, Configuration.RECEIVE_DEPTH_PROP));
        }
    }

    private static void checkQuotas(final Context context) {
        Quantities.checkRange("sessionsPerHost", context.sessionsPerHost(), 1, Configuration.SESSIONS_MAX);
        Quantities.checkRange(
            "subscriptionsPerHost", context.subscriptionsPerHost(), 1, Configuration.SUBSCRIPTIONS_MAX);
        Quantities.checkRange("linksPerSession", context.linksPerSession(), 1, Configuration.LINKS_MAX);
        Quantities.checkRange("linksPerHost", context.linksPerHost(), 1, Configuration.LINKS_MAX);
        Quantities.checkRange(
            "ringLengthPerSession", context.ringLengthPerSession(), Configuration.WINDOW_MIN,
            Configuration.RING_LENGTH_MAX);
        Quantities.checkRange(
            "ringLengthPerHost", context.ringLengthPerHost(), Configuration.WINDOW_MIN, Configuration.RING_LENGTH_MAX);
        Quantities.checkRange(
            "ringLengthPerSubscription", context.ringLengthPerSubscription(), Configuration.WINDOW_MIN,
            Configuration.RING_LENGTH_MAX);
        Quantities.checkRange(
            "logLengthPerSession", context.logLengthPerSession(), Configuration.WINDOW_MIN,
            Configuration.LOG_LENGTH_MAX);
        Quantities.checkRange(
            "logLengthPerHost", context.logLengthPerHost(), Configuration.WINDOW_MIN, Configuration.LOG_LENGTH_MAX);
        Quantities.checkRange(
            "grantedWindowLength", context.grantedWindowLength(), Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
    }

    private static void checkTimeouts(final Context context) {
        Quantities.checkRange(
            "moderationPeriodNs", context.moderationPeriodNs(), 0, Configuration.MODERATION_PERIOD_MAX_NS);
        Quantities.checkRange("heartbeatIntervalNs", context.heartbeatIntervalNs(), Configuration.TIMEOUT_MIN_NS,
            Configuration.HEARTBEAT_INTERVAL_MAX_NS);
        Quantities.checkRange("livenessTimeoutNs", context.livenessTimeoutNs(),
            Configuration.LIVENESS_TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
        checkTimeout("resumeTimeoutNs", context.resumeTimeoutNs());
        checkTimeout("handshakeTimeoutNs", context.handshakeTimeoutNs());
        checkTimeout("lingerTimeoutNs", context.lingerTimeoutNs());
        checkTimeout("discoveryIntervalNs", context.discoveryIntervalNs());
        checkTimeout("unblockTimeoutNs", context.unblockTimeoutNs());
        Quantities.checkRange("evictBehindPercent", context.evictBehindPercent(), 1, Configuration.EVICT_BEHIND_MAX);
        checkTimeout("evictAfterNs", context.evictAfterNs());
        checkTimeout("evictTimeoutNs", context.evictTimeoutNs());
        if (context.heartbeatIntervalNs() * 2 > context.livenessTimeoutNs()) {
            throw new IllegalArgumentException("a liveness timeout is at least two heartbeat intervals:"
                + " livenessTimeoutNs=" + context.livenessTimeoutNs()
                + " heartbeatIntervalNs=" + context.heartbeatIntervalNs()
                + SystemProperties.origin(
                    Configuration.LIVENESS_TIMEOUT_PROP, Configuration.HEARTBEAT_INTERVAL_PROP));
        }
        if (context.resumeTimeoutNs() > context.livenessTimeoutNs()) {
            throw new IllegalArgumentException("a broken link gates no longer than an image lives: resumeTimeoutNs="
                + context.resumeTimeoutNs() + " livenessTimeoutNs=" + context.livenessTimeoutNs()
                + SystemProperties.origin(Configuration.RESUME_TIMEOUT_PROP, Configuration.LIVENESS_TIMEOUT_PROP));
        }
    }

    private static void checkTimeout(final String name, final long valueNs) {
        Quantities.checkRange(name, valueNs, Configuration.TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
    }
}
