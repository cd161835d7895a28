package io.sluice.transport.carrier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Offers and claims by one handle on a publication, whatever carries its messages. Lengths have been checked by the
 * caller. How many threads may call depends on the kind; what is said to be of any thread is so in each. The
 * publication owns the memory that claims lie in.
 * <p>
 * {@code offer} and {@code claim} return the position behind the message, or one of the results below.
 */
public abstract class Offers {
    /** No subscription is there, or the group is too small. */
    public static final long NOT_CONNECTED = -1;
    /** The window is exhausted. */
    public static final long BACK_PRESSURED = -2;
    /** The result of an offer when too many threads are inside. */
    public static final long ADMIN_ACTION = -3;
    /** The publication or the handle is closed. */
    public static final long CLOSED = -4;
    /** The stream is at its end. */
    public static final long MAX_POSITION_EXCEEDED = -5;

    private volatile boolean shut;

    /** Creates offers by a handle that is open. */
    protected Offers() {
    }

    /**
     * Send a message and a value beside it.
     *
     * @param buffer        that holds the message.
     * @param offset        where it begins.
     * @param length        in bytes, which fits.
     * @param reservedValue for the application.
     * @return the position behind the message, or a negative result.
     */
    public abstract long offer(DirectBuffer buffer, int offset, int length, long reservedValue);

    /**
     * Send a message that is gathered from two buffers.
     *
     * @param first        buffer with the message's beginning.
     * @param firstOffset  where it begins there.
     * @param firstLength  in bytes.
     * @param second       buffer with the rest.
     * @param secondOffset where it begins there.
     * @param secondLength in bytes; the sum fits.
     * @return the position behind the message, or a negative result.
     */
    public abstract long offer(
        DirectBuffer first, int firstOffset, int firstLength, DirectBuffer second, int secondOffset, int secondLength);

    /**
     * Claim room that the application encodes in. Its memory stays until {@link #commit} or {@link #abort}.
     *
     * @param length of the message in bytes, which fits.
     * @return the position behind the message, or a negative result.
     */
    public abstract long claim(int length);

    /**
     * End a claim by sending its message.
     *
     * @param position      where the frame begins.
     * @param length        of the message in bytes.
     * @param reservedValue for the application.
     * @return whether it was sent, and else why not.
     */
    public abstract CommitResult commit(long position, int length, long reservedValue);

    /**
     * End a claim by padding; when it was given up, or the publication was closed, there is padding already, or soon.
     *
     * @param position where the frame begins.
     * @param length   of the message in bytes.
     */
    public abstract void abort(long position, int length);

    /**
     * The position of the frame that was claimed.
     *
     * @param end    that {@link #claim} returned, behind the message.
     * @param length of the message in bytes.
     * @return the position where the frame begins, which names the claim.
     */
    public abstract long claimed(long end, int length);

    /**
     * The position behind the frame that was claimed.
     *
     * @param position where the frame begins.
     * @param length   of the message in bytes.
     * @return the position that {@link #claim} returned.
     */
    public abstract long claimEnd(long position, int length);

    /**
     * Copy a part of a message into its claim, which must have the room.
     *
     * @param position      where the frame begins.
     * @param messageOffset where the part begins in the message.
     * @param source        with the part.
     * @param offset        where it begins there.
     * @param length        of the part in bytes.
     */
    public abstract void putBytes(long position, int messageOffset, DirectBuffer source, int offset, int length);

    /**
     * Send padding, which subscriptions skip.
     *
     * @param length in bytes, which fits: the position moves as by a message of this length.
     * @return the position behind the padding, or a negative result.
     */
    public abstract long pad(int length);

    /**
     * The memory that a claim lies in, which need not be that of the claim before.
     *
     * @param position where the frame begins.
     * @return the memory, until the claim ends.
     */
    public abstract UnsafeBuffer buffer(long position);

    /**
     * The offset in {@link #buffer} where the frame at a position begins.
     *
     * @param position of the frame.
     * @return its offset in bytes.
     */
    public abstract int frameOffset(long position);

    /**
     * The offset in {@link #buffer} where the message of the frame at a position begins.
     *
     * @param position of the frame.
     * @return its offset in bytes.
     */
    public abstract int messageOffset(long position);

    /** {@return whether the one claim that the kind allows at a time is open} The thread that offers. */
    public abstract boolean isClaimOpen();

    /** {@return whether an offer would be refused as closed} Any thread. */
    public abstract boolean isClosed();

    /** {@return the position up to which the stream was claimed or written, or {@link #CLOSED}} Any thread. */
    public abstract long position();

    /** {@return whether an offer is at most back-pressured} Any thread. */
    public abstract boolean isConnected();

    /** {@return the position up to which the stream may be written, or a negative result} Any thread, perhaps late. */
    public abstract long positionLimit();

    /** {@return bytes that can be written before the limit, or {@link #CLOSED}} Any thread, perhaps late. */
    public abstract long availableWindow();

    /**
     * Let nobody in by this handle any more. Under the lock of whoever counts the handles.
     *
     * @return true when that is new.
     */
    public final boolean shut() {
        final boolean isNew = !shut;
        shut = true;
        return isNew;
    }

    /** {@return whether nobody is let in by this handle any more} Any thread. */
    protected final boolean isShut() {
        return shut;
    }
}
