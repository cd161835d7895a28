package io.sluice.transport.receive;

import io.sluice.transport.counters.BreakReason;

/** The owner of an inbound link, told of what its polling thread has found. Conductor only. */
public interface InboundLinkOwner {
    /**
     * Notes that the link must not go on as it is.
     *
     * @param reason why.
     */
    void onFailed(BreakReason reason);

    /** Notes that all bytes up to the end of the stream have arrived. */
    void onEndReceived();

    /** Notes that the consumers have passed the end of the stream. */
    void onEndConsumed();
}
