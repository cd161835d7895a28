package io.sluice.transport.stream;

import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SourceAddress;

/**
 * Makes the queue pairs of data links, all with the same timers and retries. Set-up thread; stateless.
 */
final class DataQueuePairs {
    /** Bytes that a feedback write takes inline. */
    private static final int INLINE_LENGTH = 16;

    private static final int MIN_RNR_TIMER_CODE_640_US = 12;
    private static final int ACK_TIMEOUT_CODE_67_MS = 14;
    private static final int RETRY_COUNT = 6;
    private static final int NO_RNR_RETRY = 0;

    private DataQueuePairs() {
    }

    /**
     * Makes a data queue pair.
     *
     * @param parameters of the transport.
     * @param domain     of the link.
     * @param room       for its work.
     * @param source     port and address of the connection to the peer.
     * @return the queue pair, in RESET.
     */
    static QueuePair create(
        final TransportParameters parameters,
        final LinkDomain domain,
        final QueuePairRoom room,
        final SourceAddress source) {
        final int inline = Math.min(INLINE_LENGTH, parameters.device().attributes().maxInlineData());
        return domain.createQueuePair(new QueuePairAttributes(
            room.sends(), room.receives(), room.sendDepth(), room.receiveDepth(), inline, NO_RNR_RETRY,
            MIN_RNR_TIMER_CODE_640_US, RETRY_COUNT, ACK_TIMEOUT_CODE_67_MS).withSourceAddress(source));
    }
}
