package io.sluice.samples.rpma;

import io.sluice.rpma.RpmaCompletionFlags;
import io.sluice.rpma.RpmaConnection;
import io.sluice.rpma.RpmaConnectionConfiguration;
import io.sluice.rpma.RpmaConnectionEvent;
import io.sluice.rpma.RpmaConnectionRequest;
import io.sluice.rpma.RpmaError;
import io.sluice.rpma.RpmaException;
import io.sluice.rpma.RpmaMemoryRegion;
import io.sluice.rpma.RpmaPeer;
import io.sluice.rpma.RpmaUsage;
import io.sluice.verbs.WorkStatus;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of a connection over librpma that carries messages both ways. One thread sends and polls; whoever made the
 * link closes it.
 * <p>
 * Receives are always posted ahead: twice the {@link #WINDOW} of messages that may be under way, and each again as soon
 * as its message was taken. All completions come to one queue, the main one, so that one call of the library finds what
 * came and what failed. A send completes only when it fails ({@link RpmaCompletionFlags#ON_ERROR}), and each
 * {@value #SIGNAL_INTERVAL}th one always: its completion says that the device is done with all before it, and frees
 * their places in the send queue. So a message costs one post and one completion at each end. Sending and polling
 * allocate nothing.
 */
public final class RpmaLink implements PongLink, AutoCloseable {
    /** Length of the longest message, in bytes. */
    public static final int MAX_MESSAGE_LENGTH = 1 << 20;
    /** Messages that may be sent beyond those that came: the other end answers each of them. */
    public static final int WINDOW = 16;

    static final int RECEIVES = 2 * WINDOW;
    static final int SENDS = 2 * WINDOW;

    private static final int SIGNAL_INTERVAL = SENDS / 2;
    /** The mark of a send in a work-request id, beside its number; a receive has the number of its slot. */
    private static final long SEND = 1L << 62;
    /** The alignment of slots, so that no two messages share a cache line. */
    private static final int SLOT_ALIGNMENT = 64;
    private static final long ESTABLISH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final RpmaConnection connection;
    private final RpmaMemoryRegion region;
    private final int slotLength;
    private final UnsafeBuffer buffer;
    private final Completions completions;
    private final CompletionHandler handler = this::onCompletion;
    private final int[] arrivedSlots = new int[RECEIVES];
    private final int[] arrivedLengths = new int[RECEIVES];
    private long arrived;
    private long taken;
    private long sent;
    private long freed;
    private boolean isEnded;
    private String failure;

    private RpmaLink(
        final RpmaConnection connection,
        final RpmaMemoryRegion region,
        final int slotLength,
        final Completions completions) {
        this.connection = connection;
        this.region = region;
        this.slotLength = slotLength;
        this.completions = completions;
        buffer = region.buffer();
    }

    /** The configuration that connections are made with at both ends. */
    static RpmaConnectionConfiguration configuration() {
        return RpmaConnectionConfiguration.DEFAULT.withCompletionQueueSize(RECEIVES + SENDS)
            .withSendQueueSize(SENDS).withReceiveQueueSize(RECEIVES);
    }

    /**
     * Post receives, connect and wait until the other end has, too.
     *
     * @param data          to send along.
     * @param messageLength of the longest message, in bytes.
     * @param cpus          for a poller, if there is to be one.
     * @return null when it has refused, does not answer, or is gone.
     */
    static RpmaLink establish(
        final RpmaPeer peer,
        final RpmaConnectionRequest request,
        final byte[] data,
        final int messageLength,
        final RpmaLinkOptions options,
        final int... cpus) {
        final int slotLength = BitUtil.align(messageLength, SLOT_ALIGNMENT);
        final RpmaMemoryRegion region =
            peer.register((long) (RECEIVES + SENDS) * slotLength, RpmaUsage.SEND | RpmaUsage.RECEIVE);
        RpmaConnection connection = null;
        RpmaLink link = null;
        try {
            for (int slot = 0; slot < RECEIVES; slot++) {
                require(request.receive(region, (long) slot * slotLength, slotLength, slot), "post a receive");
            }
            connection = request.connect(data);
            if (connection.nextEvent(ESTABLISH_TIMEOUT_NS) == RpmaConnectionEvent.ESTABLISHED) {
                link = new RpmaLink(
                    connection, region, slotLength, Completions.of(connection.completionQueue(), options, cpus));
            }
            return link;
        } finally {
            if (link == null) {
                CloseHelper.closeAll(connection, request, region);
            }
        }
    }

    private static void require(final int result, final String what) {
        if (result != RpmaError.OK) {
            throw new RpmaLinkFailure("cannot " + what + ": " + RpmaError.describe(result));
        }
    }

    /**
     * Send a message. It is copied.
     *
     * @param source of it.
     * @param offset in the source, in bytes.
     * @param length in bytes, up to what both ends have agreed on.
     * @return false when too many are under way: poll, and try again.
     * @throws RpmaLinkFailure when the library refuses.
     */
    @Override
    public boolean offer(final DirectBuffer source, final int offset, final int length) {
        if (sent - arrived >= WINDOW || sent - freed >= SENDS) {
            return false;
        }
        final int slotOffset = (RECEIVES + (int) (sent % SENDS)) * slotLength;
        buffer.putBytes(slotOffset, source, offset, length);
        final boolean isSignalled = (sent + 1) % SIGNAL_INTERVAL == 0;
        require(connection.send(region, slotOffset, length,
            isSignalled ? RpmaCompletionFlags.ALWAYS : RpmaCompletionFlags.ON_ERROR, SEND | sent), "send");
        sent++;
        return true;
    }

    /**
     * Look what has completed, and hand over messages that have come, in order.
     *
     * @param taker that gets them.
     * @return completions and messages; 0 when there was nothing.
     * @throws RpmaLinkFailure when something has failed.
     */
    @Override
    public int poll(final MessageTaker taker) {
        int work = completions.drain(handler);
        if (failure != null) {
            throw new RpmaLinkFailure(failure);
        }
        while (taken < arrived) {
            final int index = (int) (taken % RECEIVES);
            final int slot = arrivedSlots[index];
            if (!taker.onMessage(buffer, slot * slotLength, arrivedLengths[index])) {
                break;
            }
            taken++;
            work++;
            require(connection.receive(region, (long) slot * slotLength, slotLength, slot), "post a receive");
        }
        return work;
    }

    private void onCompletion(final long workRequestId, final int status, final int byteLength) {
        if (status != WorkStatus.SUCCESS) {
            onFailed(workRequestId, status);
        } else if ((workRequestId & SEND) == 0) {
            final int index = (int) (arrived % RECEIVES);
            arrivedSlots[index] = (int) workRequestId;
            arrivedLengths[index] = byteLength;
            arrived++;
        } else {
            freed = (workRequestId & ~SEND) + 1;
        }
    }

    /** Notes a failure; what was under way when the connection ended is flushed, and tells no more than that it did. */
    private void onFailed(final long workRequestId, final int status) {
        isEnded = true;
        if (status != WorkStatus.WR_FLUSH_ERR && failure == null) {
            failure = ((workRequestId & SEND) == 0 ? "a receive" : "a send") + " has failed: "
                + WorkStatus.name(status);
        }
    }

    /**
     * Whether the other end is there, as far as is known. The thread of the link.
     *
     * @return false when it has ended the connection, or the connection is lost.
     * @throws RpmaLinkFailure when the library does not tell.
     */
    @Override
    public boolean isConnected() {
        if (!isEnded) {
            RpmaLinkFailure.around(this::takeEvent);
        }
        return !isEnded;
    }

    /** Takes an event; after the first one, each tells of an end. */
    private void takeEvent() {
        isEnded = connection.nextEvent(0) != null;
    }

    /** Wait a little, as the options say, after a poll that found nothing. The thread of the link. */
    @Override
    public void idle() {
        completions.idle();
    }

    /**
     * End the connection, and give back what it took.
     *
     * @throws RpmaLinkFailure when the library refuses; what could be given back is.
     */
    @Override
    public void close() {
        completions.close();
        try {
            connection.disconnect();
        } catch (final RpmaException e) {
            // the other end, or the device, has ended it before
            isEnded = true;
        }
        RpmaLinkFailure.around(() -> CloseHelper.closeAll(connection, region));
    }
}
