package io.sluice.transport;

import io.sluice.transport.carrier.CommitResult;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.SubscriberLag;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stream.MessageBounds;
import io.sluice.transport.stream.PublicationEnd;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * The sending end of a stream. {@link #offer} and {@link #tryClaim} never block and never allocate: they return the
 * stream's new position, or one of the negative results below. The transport owns the memory; close the publication,
 * or the transport, to release it.
 * <p>
 * One from {@link Transport#addPublication} is shared: any threads may call all of it, and all that were added to a
 * transport with the same channel and stream id are handles on one stream and session, which ends when the last of them
 * is closed. An {@link ExclusivePublication} has a stream of its own and one writing thread.
 */
public abstract class Publication implements AutoCloseable {
    /** No subscription is connected: nothing was sent. It may be transient. */
    public static final long NOT_CONNECTED = Offers.NOT_CONNECTED;
    /**
     * The slowest subscription is a window behind: nothing was sent. Try again, or drop the message;
     * {@link #backPressureCause()} and the {@link #backPressureListener listener} say more.
     */
    public static final long BACK_PRESSURED = Offers.BACK_PRESSURED;
    /**
     * The transport is busy with the publication itself, or 64 threads are inside a shared one: nothing was sent. Try
     * again at once.
     */
    public static final long ADMIN_ACTION = Offers.ADMIN_ACTION;
    /** The publication is closed. */
    public static final long CLOSED = Offers.CLOSED;
    /** The stream is at its end: close the publication and add a new one. */
    public static final long MAX_POSITION_EXCEEDED = Offers.MAX_POSITION_EXCEEDED;

    private final PublicationEnd state;
    private final Offers offers;
    private final GatheredOffers gathered;
    private final MessageBounds bounds;
    private final int maxMessageLength;
    private final boolean isStamped;

    Publication(final PublicationEnd state) {
        this.state = state;
        offers = state.newOffers();
        gathered = new GatheredOffers(this::checkNotGivenUp, offers);
        bounds = state.bounds();
        maxMessageLength = bounds.maxMessageLength();
        isStamped = state.options().log().timestamps();
    }

    /**
     * The name of a result.
     *
     * @param result of an offer or a claim.
     * @return the constant's name, {@code "NONE"} for a position, {@code "UNKNOWN"} for anything else.
     */
    public static String errorString(final long result) {
        if (result >= 0) {
            return "NONE";
        }
        return switch ((int) Math.max(result, Integer.MIN_VALUE)) {
            case (int) NOT_CONNECTED -> "NOT_CONNECTED";
            case (int) BACK_PRESSURED -> "BACK_PRESSURED";
            case (int) ADMIN_ACTION -> "ADMIN_ACTION";
            case (int) CLOSED -> "CLOSED";
            case (int) MAX_POSITION_EXCEEDED -> "MAX_POSITION_EXCEEDED";
            default -> "UNKNOWN";
        };
    }

    /**
     * Send a message that fills a buffer.
     *
     * @param buffer that holds the message.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException when the message is longer than {@link #maxMessageLength()}.
     * @throws IllegalStateException    when an exclusive publication has a claim open.
     */
    public final long offer(final DirectBuffer buffer) {
        return offer(buffer, 0, buffer.capacity());
    }

    /**
     * Send a message.
     *
     * @param buffer that holds the message.
     * @param offset where it begins.
     * @param length in bytes, 0 to {@link #maxMessageLength()}.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException  when the length is out of range.
     * @throws IndexOutOfBoundsException as with a reserved value.
     * @throws IllegalStateException     when an exclusive publication has a claim open.
     */
    public final long offer(final DirectBuffer buffer, final int offset, final int length) {
        return offer(buffer, offset, length, 0L);
    }

    /**
     * Send a message and a value beside it.
     *
     * @param buffer        that holds the message.
     * @param offset        where it begins.
     * @param length        in bytes, 0 to {@link #maxMessageLength()}.
     * @param reservedValue for {@link Header#reservedValue()}.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException  when the length is out of range; or the channel has {@code timestamps=true},
     *                                   and the value is not 0.
     * @throws IndexOutOfBoundsException when the buffer does not have the bytes; not where Agrona's bounds checks are
     *                                   off.
     * @throws IllegalStateException     when an exclusive publication has a claim open.
     */
    public final long offer(
        final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        checkLength(length);
        checkReservedValue(reservedValue);
        checkNoClaim();
        return offers.offer(buffer, offset, length, reservedValue);
    }

    /**
     * Send a message and a value beside it that is computed from the message.
     *
     * @param buffer                that holds the message.
     * @param offset                where it begins.
     * @param length                in bytes, 0 to {@link #maxMessageLength()}.
     * @param reservedValueSupplier as for the gathered message.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException  when the length is out of range; or there is a supplier, and the channel has
     *                                   {@code timestamps=true}.
     * @throws IndexOutOfBoundsException when the buffer does not have the bytes.
     * @throws IllegalStateException     when an exclusive publication has a claim open; or the supplier took too long,
     *                                   as of the gathered message.
     */
    public final long offer(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final ReservedValueSupplier reservedValueSupplier) {
        return reservedValueSupplier == null ? offer(buffer, offset, length, 0L)
            : offer(buffer, offset, length, buffer, 0, 0, reservedValueSupplier);
    }

    /**
     * Send a message that is gathered from two buffers, typically a header and a body.
     *
     * @param first        buffer with the message's beginning.
     * @param firstOffset  where it begins there.
     * @param firstLength  in bytes, 0 or more.
     * @param second       buffer with the rest.
     * @param secondOffset where it begins there.
     * @param secondLength in bytes, 0 or more.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException  when a length is negative or their sum exceeds {@link #maxMessageLength()}.
     * @throws IndexOutOfBoundsException when a buffer does not have the bytes; not where Agrona's bounds checks are
     *                                   off.
     * @throws IllegalStateException     when an exclusive publication has a claim open.
     */
    public final long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength) {
        checkLength(firstLength);
        checkLength(secondLength);
        checkLength(firstLength + secondLength);
        checkNoClaim();
        return offers.offer(first, firstOffset, firstLength, second, secondOffset, secondLength);
    }

    /**
     * Send a message that is gathered from two buffers, and a value beside it that is computed from the message.
     *
     * @param first                 buffer with the message's beginning.
     * @param firstOffset           where it begins there.
     * @param firstLength           in bytes, 0 or more.
     * @param second                buffer with the rest.
     * @param secondOffset          where it begins there.
     * @param secondLength          in bytes, 0 or more.
     * @param reservedValueSupplier called once when there is room; null for the value 0. Meanwhile a claim is open, as
     *                              {@link #tryClaim} says: the supplier must return as soon as a claim must be
     *                              committed, and cannot offer to the same exclusive publication.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException  when a length is negative or their sum exceeds {@link #maxMessageLength()}; or
     *                                   there is a supplier, and the channel has {@code timestamps=true}.
     * @throws IndexOutOfBoundsException when a buffer does not have the bytes.
     * @throws IllegalStateException     when an exclusive publication has a claim open; or the supplier took longer
     *                                   than {@link Timeouts#unblockTimeoutNs()}, and the publication is shared: the
     *                                   message was not sent.
     */
    public final long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength,
        final ReservedValueSupplier reservedValueSupplier) {
        if (reservedValueSupplier == null) {
            return offer(first, firstOffset, firstLength, second, secondOffset, secondLength);
        }
        checkLength(firstLength);
        checkLength(secondLength);
        checkLength(firstLength + secondLength);
        first.boundsCheck(firstOffset, firstLength);
        second.boundsCheck(secondOffset, secondLength);
        checkNotStamped("reservedValueSupplier");
        checkNoClaim();
        return gathered.offer(first, firstOffset, firstLength, second, secondOffset, secondLength,
            reservedValueSupplier);
    }

    /**
     * Send a message that is gathered from any number of buffers.
     *
     * @param vectors parts of the message, one after the other.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException when a part is outside its buffer, or their sum exceeds {@link
     *                                  #maxMessageLength()}.
     * @throws IllegalStateException    when an exclusive publication has a claim open.
     */
    public final long offer(final DirectBufferVector[] vectors) {
        return offer(vectors, null);
    }

    /**
     * Send a message that is gathered from any number of buffers, and a value beside it that is computed from it.
     *
     * @param vectors               parts of the message, one after the other.
     * @param reservedValueSupplier as for two buffers.
     * @return the position behind the message, or a negative result.
     * @throws IllegalArgumentException when a part is outside its buffer, or their sum exceeds {@link
     *                                  #maxMessageLength()}; or there is a supplier, and the channel has {@code
     *                                  timestamps=true}.
     * @throws IllegalStateException    when an exclusive publication has a claim open; or the supplier took too long,
     *                                  as for two buffers.
     */
    public final long offer(final DirectBufferVector[] vectors, final ReservedValueSupplier reservedValueSupplier) {
        final int length = DirectBufferVector.validateAndComputeLength(vectors);
        checkLength(length);
        if (reservedValueSupplier != null) {
            checkNotStamped("reservedValueSupplier");
        }
        checkNoClaim();
        return gathered.offer(vectors, length, reservedValueSupplier);
    }

    /**
     * Claim room in the stream, to encode a message in place. Follow it with {@link BufferClaim#commit()} or
     * {@link BufferClaim#abort()} soon: until then nothing later is sent. A claim of a shared publication that is
     * open for longer than {@link Timeouts#unblockTimeoutNs()} is given up: its commit fails, and until then
     * nothing may be written to its buffer any more, for the room is used again. End each claim, one that was given up,
     * too: while it is open the publication's memory stays, also after the close.
     *
     * @param length of the message in bytes, 0 to {@link #maxMessageLength()}.
     * @param claim  to fill in.
     * @return the position behind the message, or a negative result with the claim untouched.
     * @throws IllegalArgumentException when the length is out of range.
     * @throws IllegalStateException    when the claim is open, or an exclusive publication has one open.
     */
    public final long tryClaim(final int length, final BufferClaim claim) {
        checkLength(length);
        checkNoClaim();
        claim.checkNotOpen();
        final long end = offers.claim(length);
        if (end > 0) {
            final long position = offers.claimed(end, length);
            claim.wrap(this, position, offers.buffer(position), offers.messageOffset(position), length);
        }
        return end;
    }

    /**
     * Whether at least one subscription is connected. Any thread.
     *
     * @return true while an offer would not return {@link #NOT_CONNECTED}.
     */
    public final boolean isConnected() {
        return offers.isConnected();
    }

    /**
     * The position up to which the stream was written. Any thread.
     *
     * @return the position, or {@link #CLOSED}.
     */
    public final long position() {
        return offers.position();
    }

    /**
     * The position up to which the stream may be written now. Any thread; approximate on any but the writing one.
     *
     * @return the position, {@link #NOT_CONNECTED}, or {@link #CLOSED}.
     */
    public final long positionLimit() {
        return offers.positionLimit();
    }

    /**
     * Bytes that can be written before {@link #BACK_PRESSURED}. Any thread; approximate on any but the writing one.
     *
     * @return bytes with headers and alignment, 0 when not connected, or {@link #CLOSED}.
     */
    public final long availableWindow() {
        return offers.availableWindow();
    }

    /**
     * The cause of {@link #BACK_PRESSURED}: what holds this publication up. Any thread; approximate.
     *
     * @return the cause, {@link BackPressureCause#NONE} while there is room.
     */
    public final BackPressureCause backPressureCause() {
        return state.pressure().cause();
    }

    /**
     * The state that says how far this publication is from being held up, as the conductor last saw it, up to 50 ms
     * ago. Any thread.
     *
     * @return the state.
     */
    public final PressureState pressureState() {
        return state.pressure().state();
    }

    /**
     * The lag of each subscription behind this publication. Any thread.
     *
     * @return those that are connected, as they were a tenth of a second or so ago.
     */
    public final List<SubscriberLag> subscribers() {
        return state.lags();
    }

    /**
     * Sets the listener that is told when this publication comes under pressure or out of it, in addition to
     * {@link Context#backPressureListener()}. All handles of a shared publication have one listener. Any thread.
     *
     * @param listener called on the thread of listeners from now on.
     */
    public final void backPressureListener(final BackPressureListener listener) {
        state.pressure().listener(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * The longest message.
     *
     * @return bytes: an eighth of the window, less the header.
     */
    public final int maxMessageLength() {
        return maxMessageLength;
    }

    /**
     * The longest message that goes in one frame: any one, for none is fragmented.
     *
     * @return {@link #maxMessageLength()}.
     */
    public final int maxPayloadLength() {
        return bounds.maxPayloadLength();
    }

    /**
     * The channel that the publication was added with.
     *
     * @return its text; of a shared publication the one that the first handle was added with.
     */
    public final String channel() {
        return state.channel();
    }

    /**
     * The number under which publications and subscriptions of the channel meet.
     *
     * @return the stream id.
     */
    public final int streamId() {
        return state.streamId();
    }

    /**
     * This publication's session, which tells it from others of its channel and stream id.
     *
     * @return the session id.
     */
    public final int sessionId() {
        return state.sessionId();
    }

    /**
     * Whether the publication was closed. Any thread.
     *
     * @return true after {@link #close()}.
     */
    public final boolean isClosed() {
        return offers.isClosed();
    }

    /**
     * Stop offering and return at once; what was offered is still delivered, then the end of the stream is announced
     * and, once no claim is open, the memory is released. How long delivery may take is bounded by the linger timeout;
     * {@link #isDrained()} tells when it has happened. Of a shared publication only this handle is closed, unless it is
     * the last. Idempotent; any thread.
     */
    @Override
    public abstract void close();

    /**
     * Whether, after {@link #close()}, every subscription that was linked when the close began has received everything
     * that was offered, but for those that were closed themselves since. It says nothing of those that were lost
     * before: the error handler was told of them, and {@link TransportCounter#SUBSCRIBERS_LOST} counts them. Any
     * thread.
     *
     * @return true when all did; false while they have not, and for ever when the linger timeout ended before or one of
     *         them was lost since, which {@link TransportCounter#LINGER_EXPIRED} counts.
     */
    public final boolean isDrained() {
        return state.isDrained();
    }

    /** Writes padding, as long as a message of this length would be. */
    final long pad(final int length) {
        checkLength(length);
        checkNoClaim();
        return offers.pad(length);
    }

    /** End a claim by sending its message. */
    final void commit(final long position, final int length, final long reservedValue) {
        final CommitResult result = offers.commit(position, length, reservedValue);
        if (result == CommitResult.CLOSED) {
            throw new IllegalStateException("the publication was closed before the claim was committed, and its message"
                + " is not sent: streamId=" + streamId() + " sessionId=" + sessionId() + " position=" + position
                + " length=" + length);
        }
        checkNotGivenUp(result, position, length);
    }

    /** Says why a claim could not be committed, unless the publication was closed or it could. */
    private void checkNotGivenUp(final CommitResult result, final long position, final int length) {
        if (result == CommitResult.GIVEN_UP) {
            throw new IllegalStateException("the claim was given up, and its message is not sent: it was open for"
                + " longer than unblockTimeoutNs=" + bounds.unblockTimeoutNs()
                + ", or the publication was closed: position=" + position + " length=" + length);
        }
    }

    /** End a claim by padding. */
    final void abort(final long position, final int length) {
        offers.abort(position, length);
    }

    /** Lets nobody in by this handle any more; true when that is new. Under the lock of whoever counts the handles. */
    final boolean shut() {
        return offers.shut();
    }

    final PublicationEnd state() {
        return state;
    }

    private void checkLength(final int length) {
        if (length < 0 || length > maxMessageLength) {
            throw new IllegalArgumentException(
                "message length out of range: length=" + length + " maxMessageLength=" + maxMessageLength
                    + " (an eighth of window=" + state.options().log().windowLength() + " less the frame header)");
        }
    }

    /** Throws when messages are stamped, and their reserved value would be lost; 0 is none. */
    final void checkReservedValue(final long reservedValue) {
        if (reservedValue != 0) {
            checkNotStamped("reservedValue");
        }
    }

    private void checkNotStamped(final String given) {
        if (isStamped) {
            throw new IllegalArgumentException("a message has a timestamp or a reserved value, not both: given=" + given
                + " timestamps=true channel=" + channel() + "; leave one of the two out");
        }
    }

    private void checkNoClaim() {
        if (offers.isClaimOpen()) {
            throw new IllegalStateException(
                "a claim is open: commit or abort it first: streamId=" + streamId() + " sessionId=" + sessionId());
        }
    }

    /** {@return the text that says which stream it is, and where it stands} Any thread. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + "{sessionId=" + sessionId() + " streamId=" + streamId()
            + " position=" + (isClosed() ? "closed" : position()) + " channel=" + channel() + "}";
    }
}
