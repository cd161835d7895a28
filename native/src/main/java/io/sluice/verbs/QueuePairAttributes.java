package io.sluice.verbs;

import java.util.Arrays;

/**
 * The attributes to create a queue pair with (ibv_create_qp(3), ibv_modify_qp(3)), and what was granted.
 *
 * @param sendQueue                completion queue of its sends.
 * @param receiveQueue             completion queue of its receives.
 * @param maxSendWork              work requests that its send queue must hold.
 * @param maxReceiveWork           work requests that its receive queue must hold.
 * @param maxInlineData            bytes that can be posted inline.
 * @param rnrRetryCount            how often a send is repeated when the peer has no receive posted: 0 never, 7 for
 *                                 ever.
 * @param minRnrTimerCode          delay between those repeats that this side asks of its peers, 0 to 31, as the code of
 *                                 ibv_modify_qp(3): 12 is 0.64 ms, 0 is 655 ms.
 * @param retryCount               how often a lost packet is repeated, 0 to 7.
 * @param ackTimeoutCode           4.096 µs times two to this power is the acknowledgement timeout, 0 to 31: 14 is
 *                                 67 ms, 0 is for ever.
 * @param maxReadAtomic            READs and atomics of this side that may be under way; those beyond wait in the send
 *                                 queue. Not more than the peer's {@code maxDestinationReadAtomic}; with 0 none can be
 *                                 posted.
 * @param maxDestinationReadAtomic READs and atomics of the peer that may be under way; 0 refuses them.
 * @param sharedReceiveQueue       of the same protection domain, that its receives are taken from, or null when it has
 *                                 its own. With one, {@code maxReceiveWork} does not matter and is granted as 0.
 * @param type                     transport service. For {@link QueuePairType#UNRELIABLE_DATAGRAM} the repeats, timers
 *                                 and limits of READs do not matter.
 * @param sourceAddress            port and address of this side; for queue pairs that no connection manager connects,
 *                                 which finds them by itself. The device's own by {@link SourceAddress#ANY}.
 */
public record QueuePairAttributes(
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    int maxSendWork,
    int maxReceiveWork,
    int maxInlineData,
    int rnrRetryCount,
    int minRnrTimerCode,
    int retryCount,
    int ackTimeoutCode,
    int maxReadAtomic,
    int maxDestinationReadAtomic,
    SharedReceiveQueue sharedReceiveQueue,
    QueuePairType type,
    SourceAddress sourceAddress) {

    /** Most repeats, of three bits; for receivers that are not ready it means for ever. */
    private static final int MAX_RETRIES = 7;
    /** Largest code of a timer, of five bits. */
    private static final int MAX_TIMER_CODE = 31;

    /**
     * A reliable connected queue pair with one READ or atomic at a time each way.
     *
     * @param sendQueue       completion queue of its sends.
     * @param receiveQueue    completion queue of its receives.
     * @param maxSendWork     work requests that its send queue must hold.
     * @param maxReceiveWork  work requests that its receive queue must hold.
     * @param maxInlineData   bytes that can be posted inline.
     * @param rnrRetryCount   repeats when the peer has no receive posted.
     * @param minRnrTimerCode delay between those repeats.
     * @param retryCount      repeats of a lost packet.
     * @param ackTimeoutCode  acknowledgement timeout.
     */
    public QueuePairAttributes(
        final CompletionQueue sendQueue,
        final CompletionQueue receiveQueue,
        final int maxSendWork,
        final int maxReceiveWork,
        final int maxInlineData,
        final int rnrRetryCount,
        final int minRnrTimerCode,
        final int retryCount,
        final int ackTimeoutCode) {
        this(sendQueue, receiveQueue, maxSendWork, maxReceiveWork, maxInlineData, rnrRetryCount, minRnrTimerCode,
            retryCount, ackTimeoutCode, 1, 1, null, QueuePairType.RELIABLE_CONNECTED, SourceAddress.ANY);
    }

    /**
     * A copy of these attributes with other limits of READs and atomics.
     *
     * @param outgoing the new {@link #maxReadAtomic()}.
     * @param incoming the new {@link #maxDestinationReadAtomic()}.
     * @return new attributes.
     */
    public QueuePairAttributes withReadAtomic(final int outgoing, final int incoming) {
        return new QueuePairAttributes(sendQueue, receiveQueue, maxSendWork, maxReceiveWork, maxInlineData,
            rnrRetryCount, minRnrTimerCode, retryCount, ackTimeoutCode, outgoing, incoming, sharedReceiveQueue, type,
            sourceAddress);
    }

    /**
     * A copy of these attributes with receives from a shared queue.
     *
     * @param queue the new {@link #sharedReceiveQueue()}.
     * @return new attributes.
     */
    public QueuePairAttributes withSharedReceiveQueue(final SharedReceiveQueue queue) {
        return new QueuePairAttributes(sendQueue, receiveQueue, maxSendWork, maxReceiveWork, maxInlineData,
            rnrRetryCount, minRnrTimerCode, retryCount, ackTimeoutCode, maxReadAtomic, maxDestinationReadAtomic,
            queue, type, sourceAddress);
    }

    /**
     * A copy of these attributes with another type.
     *
     * @param service the new {@link #type()}.
     * @return new attributes.
     */
    public QueuePairAttributes withType(final QueuePairType service) {
        return new QueuePairAttributes(sendQueue, receiveQueue, maxSendWork, maxReceiveWork, maxInlineData,
            rnrRetryCount, minRnrTimerCode, retryCount, ackTimeoutCode, maxReadAtomic, maxDestinationReadAtomic,
            sharedReceiveQueue, service, sourceAddress);
    }

    /**
     * A copy of these attributes with another port and address of this side, for example those of a connection to the
     * same peer.
     *
     * @param source the new {@link #sourceAddress()}.
     * @return new attributes.
     */
    public QueuePairAttributes withSourceAddress(final SourceAddress source) {
        return new QueuePairAttributes(sendQueue, receiveQueue, maxSendWork, maxReceiveWork, maxInlineData,
            rnrRetryCount, minRnrTimerCode, retryCount, ackTimeoutCode, maxReadAtomic, maxDestinationReadAtomic,
            sharedReceiveQueue, type, source);
    }

    /**
     * A copy of these attributes with the sizes that a device has granted.
     *
     * @param sendWork    the new {@link #maxSendWork()}.
     * @param receiveWork the new {@link #maxReceiveWork()}.
     * @param inlineData  the new {@link #maxInlineData()}.
     * @return new attributes.
     */
    public QueuePairAttributes withSizes(final int sendWork, final int receiveWork, final int inlineData) {
        return new QueuePairAttributes(sendQueue, receiveQueue, sendWork, receiveWork, inlineData, rnrRetryCount,
            minRnrTimerCode, retryCount, ackTimeoutCode, maxReadAtomic, maxDestinationReadAtomic,
            sharedReceiveQueue, type,
            sourceAddress);
    }

    /**
     * Refuse what no queue pair of a device can have. For providers, before they ask the device, which sees some bits
     * of a number only.
     *
     * @param limits of the device.
     * @throws VerbsException EINVAL, with the name of what is out of range.
     */
    public void check(final DeviceAttributes limits) {
        checkPresent("type", type, Arrays.toString(QueuePairType.values()));
        checkPresent("sourceAddress", sourceAddress, "SourceAddress.ANY..");
        check("maxSendWork", maxSendWork, limits.maxQueuePairWorkRequests());
        check("maxReceiveWork", maxReceiveWork, limits.maxQueuePairWorkRequests());
        check("maxInlineData", maxInlineData, limits.maxInlineData());
        if (type == QueuePairType.RELIABLE_CONNECTED) {
            check("rnrRetryCount", rnrRetryCount, MAX_RETRIES);
            check("minRnrTimerCode", minRnrTimerCode, MAX_TIMER_CODE);
            check("retryCount", retryCount, MAX_RETRIES);
            check("ackTimeoutCode", ackTimeoutCode, MAX_TIMER_CODE);
            check("maxReadAtomic", maxReadAtomic, limits.maxReadAtomic());
            check("maxDestinationReadAtomic", maxDestinationReadAtomic, limits.maxDestinationReadAtomic());
        }
    }

    private static void checkPresent(final String name, final Object value, final String known) {
        if (value == null) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL, name + "=" + value + " is not in " + known);
        }
    }

    private static void check(final String name, final int value, final int max) {
        if (value < 0 || value > max) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL, name + "=" + value + " is not in 0.." + max);
        }
    }
}
