package io.sluice.transport.status;

/**
 * The news that a publication or a subscription has come under pressure, or out of it. Immutable; any thread.
 *
 * @param state       that it is in now.
 * @param previous    that it was in; the same when it is told once more because the laggard is another one, or the
 *                    name of its consumer has become known.
 * @param cause       of the pressure; of {@link PressureState#CLEAR}, of that which is over.
 * @param stream      that it is about, and which side of it.
 * @param laggard     who is waited for, for people: a consumer's name; to a publication the peer that subscribes, after
 *                    the name of its slowest consumer and {@code " of "} once the peer has told it; empty when there is
 *                    nobody. To a publication it is the slowest of those that gate, and where none does, as with
 *                    {@code fc=max}, the fastest; or who is left behind, until its link is closed. Of
 *                    {@link PressureState#CLEAR}, who was told last.
 * @param bytesBehind of the laggard's stream that it has yet to consume, with headers and padding; to a publication
 *                    those that it has not reported as consumed, up to an eighth of the window more.
 * @param durationNs  how long the state before lasted; of one that is told once more, how long it has lasted so far.
 */
public record BackPressure(
    PressureState state,
    PressureState previous,
    BackPressureCause cause,
    PressuredStream stream,
    String laggard,
    long bytesBehind,
    long durationNs) {
    /** {@return whether a publication is held up, or a subscription holds publications up} */
    public PressuredStream.Side side() {
        return stream.side();
    }

    /** {@return the channel of the publication or subscription, as it was added} */
    public String channel() {
        return stream.channel();
    }

    /** {@return the stream of the publication or subscription} */
    public int streamId() {
        return stream.streamId();
    }

    /** {@return the session of the publication, or of the image that is furthest behind; 0 when there is no image} */
    public int sessionId() {
        return stream.sessionId();
    }
}
