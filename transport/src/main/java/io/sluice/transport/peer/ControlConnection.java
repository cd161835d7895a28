package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayDeque;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Carries control messages between two transports over a queue pair of its own, with SEND and RECEIVE and its own
 * credits, so that the peer never lacks a receive. Before every message stands the number of messages received from
 * the peer so far. Created and closed on the set-up thread, otherwise used by the conductor.
 */
final class ControlConnection implements AutoCloseable {
    /**
     * The number of receives posted, and of messages in flight at most: several bursts of handshakes for a hundred
     * links.
     */
    static final int DEPTH = 64;

    /** Receives kept back for messages that only return credit. */
    private static final int CREDIT_RESERVE = 4;

    /** Messages received before credit is returned even if there is nothing else to say. */
    private static final int CREDIT_INTERVAL = DEPTH / 2;

    /** Messages that may wait for credit; a peer that lets more pile up is broken. */
    private static final int MAX_WAITING = 4096;

    private static final int CREDIT_LENGTH = 8;
    private static final int SLOT_LENGTH = CREDIT_LENGTH + ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH;
    private static final int MIN_RNR_TIMER_CODE_640_US = 12;
    private static final int ACK_TIMEOUT_CODE_67_MS = 14;
    private static final int RETRY_COUNT = 6;

    private final LiveCounters counters;
    private final boolean arrivesAtOnce;
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final MemoryRegion region;
    private final UnsafeBuffer slots;
    private final QueuePair queuePair;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    /**
     * Receives that were taken from their queue, at most as many as are posted, and, below, the number of them handed
     * out.
     */
    private final int[] takenSlots = new int[DEPTH];
    private final int[] takenLengths = new int[DEPTH];
    private int taken;
    private int handedOut;
    /** The status of the receive that was taken last: after one that has failed none is taken. */
    private int receiveStatus = WorkStatus.SUCCESS;
    private Connection connection;
    private String failure;
    private boolean isReadable = true;
    private long sent;
    private long sendsCompleted;
    private long received;
    private long receivedTold;
    private long peerReceived;

    ControlConnection(final TransportParameters parameters) {
        counters = parameters.counters();
        // in shared memory, and nowhere else, what was posted has arrived
        arrivesAtOnce = parameters.device().attributes().sharesMemory();
        final CompletionQueueAttributes attributes =
            new CompletionQueueAttributes(2 * DEPTH, CompletionField.BYTE_LENGTH, null);
        sendCompletions = parameters.device().createCompletionQueue(attributes);
        CompletionQueue receives = null;
        MemoryRegion memory = null;
        QueuePair pair = null;
        try {
            receives = parameters.device().createCompletionQueue(attributes);
            memory = parameters.domain().allocateRegion(2L * DEPTH * SLOT_LENGTH, AccessFlags.LOCAL_WRITE);
            pair = parameters.domain().createQueuePair(new QueuePairAttributes(
                sendCompletions, receives, DEPTH, DEPTH, 0, 0, MIN_RNR_TIMER_CODE_640_US, RETRY_COUNT,
                ACK_TIMEOUT_CODE_67_MS));
            pair.initialise(AccessFlags.LOCAL_WRITE);
        } catch (final RuntimeException ex) {
            CloseHelper.quietCloseAll(pair, memory, receives, sendCompletions);
            throw ex;
        }
        receiveCompletions = receives;
        region = memory;
        slots = memory.buffer();
        queuePair = pair;
        for (int slot = 0; slot < DEPTH; slot++) {
            postReceive(slot);
        }
    }

    QueuePair queuePair() {
        return queuePair;
    }

    void connection(final Connection newConnection) {
        connection = newConnection;
    }

    /** The source address that data links to the same peer go by. */
    SourceAddress sourceAddress() {
        return connection == null ? SourceAddress.ANY : connection.sourceAddress();
    }

    String peer() {
        return connection == null ? "unknown" : connection.peer();
    }

    boolean isPeerGone() {
        return connection != null && connection.isPeerGone();
    }

    Connection.State state() {
        return connection.poll();
    }

    Connection connection() {
        return connection;
    }

    boolean completesAt(final CompletionQueue queue) {
        return queue == sendCompletions || queue == receiveCompletions;
    }

    /** The reason why this connection cannot go on, or null. */
    String failure() {
        return failure;
    }

    /**
     * Receive what has arrived, as many messages as may be under way, and send what waits: a peer that sends all the
     * time does not keep the others waiting. A send that has failed keeps nothing of what had arrived before from being
     * read: it may be the goodbye that explains it. A receive that has failed, or a peer that does not keep to the
     * rules, is the end of reading.
     *
     * @param reader told of each message without its credit; it answers whether to go on.
     * @return messages received.
     */
    int poll(final MessageReader reader) {
        int count = 0;
        boolean more = true;
        while (more && count < DEPTH && isReadable && hasReceived()) {
            count++;
            more = onReceive(takenSlots[handedOut], takenLengths[handedOut++], reader);
        }
        if (isReadable && handedOut == taken && receiveStatus != WorkStatus.SUCCESS) {
            isReadable = false;
            // a connection that ends flushes its receives, and another thread may have taken the event of its end since
            // this one asked for the state: that tells the rest
            if (receiveStatus != WorkStatus.WR_FLUSH_ERR || connection.poll() != Connection.State.DISCONNECTED) {
                fail("receive failed: " + WorkStatus.name(receiveStatus));
            }
        }
        if (failure == null && isReadable) {
            sendWaiting();
        }
        return count;
    }

    private boolean hasReceived() {
        if (handedOut == taken && receiveStatus == WorkStatus.SUCCESS && receiveCompletions.startPoll() == Errno.OK) {
            takeReceives();
        }
        return handedOut < taken;
    }

    /** Take a batch to its end: readers of messages may do anything, and for their sends another queue is polled. */
    private void takeReceives() {
        handedOut = 0;
        taken = 0;
        do {
            receiveStatus = receiveCompletions.status();
            if (receiveStatus == WorkStatus.SUCCESS) {
                takenSlots[taken] = WorkRequestId.index(receiveCompletions.workRequestId());
                takenLengths[taken++] = receiveCompletions.byteLength();
            }
        } while (receiveStatus == WorkStatus.SUCCESS && taken < DEPTH && receiveCompletions.nextPoll() == Errno.OK);
        receiveCompletions.endPoll();
    }

    private boolean onReceive(final int slot, final int length, final MessageReader reader) {
        if (length < CREDIT_LENGTH || length > SLOT_LENGTH) {
            reject("message length out of range: length=" + length);
            return false;
        }
        received++;
        final int offset = slot * SLOT_LENGTH;
        final long credit = slots.getLong(offset);
        if (credit < peerReceived || credit > sent) {
            reject("credit does not add up: credit=" + credit + " sent=" + sent);
            return false;
        }
        peerReceived = credit;
        final boolean goOn = length == CREDIT_LENGTH
            || reader.onMessage(slots, offset + CREDIT_LENGTH, length - CREDIT_LENGTH);
        postReceive(slot);
        return goOn;
    }

    private void postReceive(final int slot) {
        final int result = queuePair.postReceive(
            WorkRequestId.pack(WorkRequestId.KIND_CONTROL_RECEIVE, slot, 0),
            region.address() + (long) slot * SLOT_LENGTH,
            region.localKey(),
            SLOT_LENGTH);
        if (result != Errno.OK) {
            fail("ibv_post_recv: " + Errno.describe(result));
        }
    }

    /**
     * Send a message, now or as soon as there is credit.
     *
     * @param buffer that holds it.
     * @param length in bytes, at most a control message's.
     */
    void send(final DirectBuffer buffer, final int length) {
        if (failure != null) {
            return;
        }
        if (waiting.size() >= MAX_WAITING) {
            fail("peer takes no messages: waiting=" + waiting.size());
            return;
        }
        final byte[] message = new byte[length];
        buffer.getBytes(0, message);
        waiting.add(message);
        sendWaiting();
    }

    /** Whether what is sent now would wait for the peer: then what is only advice is better not sent. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    private void sendWaiting() {
        reapSends();
        while (!waiting.isEmpty() && hasRoom(DEPTH - CREDIT_RESERVE)) {
            post(waiting.poll());
        }
        if (received - receivedTold >= CREDIT_INTERVAL && hasRoom(DEPTH)) {
            post(new byte[0]);
        }
    }

    private boolean hasRoom(final int depth) {
        return failure == null && sent - peerReceived < depth && sent - sendsCompleted < DEPTH;
    }

    private void post(final byte[] message) {
        final int slot = DEPTH + (int) (sent % DEPTH);
        final int offset = slot * SLOT_LENGTH;
        slots.putLong(offset, received);
        slots.putBytes(offset + CREDIT_LENGTH, message);
        final int result = queuePair.postSend(
            WorkRequestId.pack(WorkRequestId.KIND_CONTROL_SEND, slot, 0),
            WorkFlags.SIGNALED,
            region.address() + offset,
            region.localKey(),
            CREDIT_LENGTH + message.length);
        if (result != Errno.OK) {
            fail("ibv_post_send: " + Errno.describe(result));
            return;
        }
        sent++;
        receivedTold = received;
    }

    private void reapSends() {
        if (sendCompletions.startPoll() != Errno.OK) {
            return;
        }
        do {
            if (sendCompletions.status() != WorkStatus.SUCCESS) {
                fail("send failed: " + WorkStatus.name(sendCompletions.status()));
            }
            sendsCompleted++;
        } while (sendCompletions.nextPoll() == Errno.OK);
        sendCompletions.endPoll();
    }

    /** Whether what was sent has left, or never will: then the connection can be closed and nothing is cut off. */
    boolean hasLeft() {
        if (arrivesAtOnce) {
            return true;
        }
        reapSends();
        return failure != null || sendsCompleted == sent || connection.poll() != Connection.State.ESTABLISHED;
    }

    /** Ends reading, as the peer says what no transport would say. */
    private void reject(final String reason) {
        counters.increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        isReadable = false;
        fail(reason);
    }

    void fail(final String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Closes at once: {@link ClosingConnections} waits for what has to leave. */
    @Override
    public void close() {
        CloseHelper.closeAll(connection, queuePair, region, receiveCompletions, sendCompletions);
    }

    /**
     * Reads control messages.
     */
    @FunctionalInterface
    interface MessageReader {
        /**
         * A message.
         *
         * @param buffer that holds it.
         * @param offset where it begins.
         * @param length in bytes.
         * @return false to stop reading from this connection.
         */
        boolean onMessage(DirectBuffer buffer, int offset, int length);
    }
}
