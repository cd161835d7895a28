package io.sluice.transport;

import io.sluice.transport.settings.SendQueueSettings;

/**
 * The queues of a transport's links, and how often a link's frames are looked for. Immutable; any thread. Defaults are
 * the system properties {@link Configuration#RECEIVE_DEPTH_PROP}, {@link Configuration#WRITES_IN_FLIGHT_PROP}, {@link
 * Configuration#SEND_QUEUE_LENGTH_PROP}, {@link Configuration#SIGNAL_INTERVAL_PROP} and {@link
 * Configuration#MODERATION_PERIOD_PROP}.
 *
 * <p>An object of this class never changes: a method with a parameter returns a changed copy, which takes effect when
 * it is handed to {@link Context#links(LinkOptions)}.
 *
 * <p>Values are checked, each by itself and against the others, when the context is concluded.
 */
public final class LinkOptions {
    private final int receiveDepth;
    private final int writesInFlight;
    private final SendQueueSettings sendQueue;
    private final long moderationPeriodNs;

    /**
     * The defaults.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public LinkOptions() {
        this(
            SystemProperties.count(Configuration.RECEIVE_DEPTH_PROP, Configuration.RECEIVE_DEPTH_DEFAULT, 1,
                Configuration.RECEIVE_DEPTH_MAX),
            SystemProperties.count(Configuration.WRITES_IN_FLIGHT_PROP, Configuration.WRITES_IN_FLIGHT_DEFAULT, 1,
                Configuration.RECEIVE_DEPTH_MAX),
            new SendQueueSettings(
                SystemProperties.count(Configuration.SEND_QUEUE_LENGTH_PROP, Configuration.SEND_QUEUE_LENGTH_DEFAULT, 1,
                    Configuration.SEND_QUEUE_LENGTH_MAX),
                SystemProperties.count(Configuration.SIGNAL_INTERVAL_PROP, Configuration.SIGNAL_INTERVAL_DEFAULT, 1,
                    Configuration.SEND_QUEUE_LENGTH_MAX)),
            SystemProperties.quantity(Configuration.MODERATION_PERIOD_PROP, Configuration.MODERATION_PERIOD_DEFAULT_NS,
                Quantities::durationNs, 0, Configuration.MODERATION_PERIOD_MAX_NS));
    }

    private LinkOptions(
        final int receiveDepth,
        final int writesInFlight,
        final SendQueueSettings sendQueue,
        final long moderationPeriodNs) {
        this.receiveDepth = receiveDepth;
        this.writesInFlight = writesInFlight;
        this.sendQueue = sendQueue;
        this.moderationPeriodNs = moderationPeriodNs;
    }

    /**
     * Returns a copy of these options with another number of receives kept posted per link.
     *
     * @param value from 1 to {@link Configuration#RECEIVE_DEPTH_MAX}.
     * @return the copy.
     */
    public LinkOptions receiveDepth(final int value) {
        return new LinkOptions(value, writesInFlight, sendQueue, moderationPeriodNs);
    }

    /**
     * Returns a copy of these options with another number of writes per link that are posted and not yet drained by the
     * peer, at most.
     *
     * @param value from 1 to the receive depth.
     * @return the copy.
     */
    public LinkOptions writesInFlight(final int value) {
        return new LinkOptions(receiveDepth, value, sendQueue, moderationPeriodNs);
    }

    /**
     * Returns a copy of these options with another number of send-queue slots per link.
     *
     * @param value from 1 to {@link Configuration#SEND_QUEUE_LENGTH_MAX}.
     * @return the copy.
     */
    public LinkOptions sendQueueLength(final int value) {
        return new LinkOptions(
            receiveDepth, writesInFlight, new SendQueueSettings(value, sendQueue.signalInterval()), moderationPeriodNs);
    }

    /**
     * Returns a copy of these options with another number of writes of which at least one is signalled.
     *
     * @param value from 1 to {@link Configuration#SEND_QUEUE_LENGTH_MAX}.
     * @return the copy.
     */
    public LinkOptions signalInterval(final int value) {
        return new LinkOptions(
            receiveDepth, writesInFlight, new SendQueueSettings(sendQueue.length(), value), moderationPeriodNs);
    }

    /**
     * Returns a copy of these options with another time for which the polling thread stays away from the shared log of
     * a dense stream each time it has caught up, as long as that makes the stream faster. An idle strategy that sleeps
     * meanwhile may add its own time.
     *
     * @param valueNs in nanoseconds, up to {@link Configuration#MODERATION_PERIOD_MAX_NS}; 0 to look all the time.
     * @return the copy.
     */
    public LinkOptions moderationPeriodNs(final long valueNs) {
        return new LinkOptions(receiveDepth, writesInFlight, sendQueue, valueNs);
    }

    /** {@return the number of receives kept posted per link} */
    public int receiveDepth() {
        return receiveDepth;
    }

    /** {@return the number of writes per link that are posted and not yet drained by the peer, at most} */
    public int writesInFlight() {
        return writesInFlight;
    }

    /** {@return the number of send-queue slots per link} */
    public int sendQueueLength() {
        return sendQueue.length();
    }

    /** {@return the number of writes of which at least one is signalled} */
    public int signalInterval() {
        return sendQueue.signalInterval();
    }

    /**
     * {@return the time in nanoseconds for which the polling thread stays away from the shared log of a dense stream}
     */
    public long moderationPeriodNs() {
        return moderationPeriodNs;
    }

    /** The send queue's part, for the control plane. */
    SendQueueSettings sendQueue() {
        return sendQueue;
    }

    void check() {
        Quantities.checkRange("receiveDepth", receiveDepth, 1, Configuration.RECEIVE_DEPTH_MAX);
        Quantities.checkRange("writesInFlight", writesInFlight, 1, Configuration.RECEIVE_DEPTH_MAX);
        Quantities.checkRange("sendQueueLength", sendQueueLength(), 1, Configuration.SEND_QUEUE_LENGTH_MAX);
        Quantities.checkRange("signalInterval", signalInterval(), 1, Configuration.SEND_QUEUE_LENGTH_MAX);
        Quantities.checkRange("moderationPeriodNs", moderationPeriodNs, 0, Configuration.MODERATION_PERIOD_MAX_NS);
        if (writesInFlight > receiveDepth) {
            throw new IllegalArgumentException("more writes in flight than receives: writesInFlight="
                + writesInFlight + " receiveDepth=" + receiveDepth
                + SystemProperties.origin(Configuration.WRITES_IN_FLIGHT_PROP, Configuration.RECEIVE_DEPTH_PROP));
        }
    }

    @Override
    public String toString() {
        return "LinkOptions{receiveDepth=" + receiveDepth + " writesInFlight=" + writesInFlight
            + " sendQueueLength=" + sendQueueLength() + " signalInterval=" + signalInterval()
            + " moderationPeriodNs=" + moderationPeriodNs + "}";
    }
}
