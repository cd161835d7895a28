package io.sluice.transport.stream;

/**
 * The treatment of a consumer of a subscription's ring that is too slow: it gates the others, or it is evicted.
 *
 * @param behindPercent how far behind is too far: of the ring's events, or of an image's window; 0 to gate for ever.
 * @param afterNs       for how long it may be so while others are held up.
 * @param timeoutNs     for how long its handler may take to come back when it is evicted, before the memory that it
 *                      looks at is abandoned to it.
 */
public record SlowConsumerPolicy(int behindPercent, long afterNs, long timeoutNs) {
    /** The policy to gate: others wait, for as long as it takes. */
    public static final SlowConsumerPolicy GATE = new SlowConsumerPolicy(0, 0, 0);

    /** {@return whether consumers that are too slow are taken out} */
    public boolean isEvicting() {
        return behindPercent > 0;
    }
}
