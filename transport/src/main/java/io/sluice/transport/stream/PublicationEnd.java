package io.sluice.transport.stream;

import io.sluice.transport.carrier.Offers;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.status.SubscriberLag;
import java.util.List;

/**
 * The sending end of a stream, whatever carries its messages, as publications of the API and the registers of them know
 * it. Any thread may call everything. It owns the memory that messages are written to, and frees it some time after
 * {@link #close()}.
 */
public abstract class PublicationEnd {
    private final PublicationOptions options;

    /**
     * Creates an end that is open.
     *
     * @param options that the publication was added with.
     */
    protected PublicationEnd(final PublicationOptions options) {
        this.options = options;
    }

    /** {@return the options that it was made with} */
    public final PublicationOptions options() {
        return options;
    }

    /**
     * The channel's text.
     *
     * @return as added.
     */
    public final String channel() {
        return options.channel();
    }

    /**
     * The number under which the publication meets subscriptions of its channel.
     *
     * @return the stream id.
     */
    public final int streamId() {
        return options.streamId();
    }

    /**
     * The session.
     *
     * @return the session id.
     */
    public final int sessionId() {
        return options.session().sessionId();
    }

    /** {@return the bounds of its messages, which do not change} */
    public abstract MessageBounds bounds();

    /** {@return a new handle's offers} */
    public abstract Offers newOffers();

    /**
     * The signal of what holds the publication up.
     *
     * @return the signal, whose accessors and listener any thread may use.
     */
    public abstract PressureSignal pressure();

    /**
     * The lag of each subscription behind the publication.
     *
     * @return those that have joined, as they were a tenth of a second ago or so.
     */
    public abstract List<SubscriberLag> lags();

    /** Stop whoever offers, and begin to deliver what was offered. Idempotent. */
    public abstract void close();

    /** {@return whether {@link #close()} was called} */
    public abstract boolean isClosed();

    /**
     * Whether everything offered before the close was received by every subscription that was there when it began and
     * still wanted it.
     *
     * @return true when it was; false while it is not known, and for ever when one of them was lost since.
     */
    public abstract boolean isDrained();

    /**
     * Whether the memory was released.
     *
     * @return true at the very end.
     */
    public abstract boolean isReleased();
}
