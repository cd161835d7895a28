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
 * <pre>
 *   made ──connection(…)──→ in use ──a post or a send fails──→ failed
 *                             └──a receive fails, or the peer breaks the rules──→ not readable
 * </pre>
 * <table>
 *   <caption>What may be done in each state, and the thread of it</caption>
 *   <tr><td>made</td><td>receives are posted, so that the peer's first message finds one</td><td>set-up</td></tr>
 *   <tr><td>in use</td><td>messages are sent and read; the end of the connection is not noticed here, but by whoever
 *     asks for {@link #state()}</td><td>conductor</td></tr>
 *   <tr><td>failed</td><td>nothing is sent any more; what had arrived is read</td><td>conductor</td></tr>
 *   <tr><td>not readable</td><td>nothing is read any more either; failed, too, unless the receives were only flushed
 *     because the connection has ended</td><td>conductor</td></tr>
 * </table>
 * Nothing is thrown for what happens on the way: the first reason stays in {@link #failure()}, and the session asks for
 * it in each duty cycle. Why one connection serves all links is in {@code docs/decisions/018-control-connection.md}.
 */
final class ControlConnection implements AutoCloseable {
    /**
     * The number of receives posted, and of messages in flight at most: several bursts of handshakes for a hundred
     * links.
     */
    static final int DEPTH = 64;

    /** Messages that may wait for credit; a peer that lets more pile up is broken. */
    private static final int MAX_WAITING = 4096;

    private static final int CREDIT_LENGTH = 8;
    private static final int SLOT_LENGTH = CREDIT_LENGTH + ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH;
    /**
     * The device's timers, for a peer without a receive and for one without an answer; see {@code
     * docs/decisions/006-credits-and-batching.md} for what other values do.
     */
    private static final int MIN_RNR_TIMER_CODE_640_US = 12;
    private static final int ACK_TIMEOUT_CODE_67_MS = 14;
    private static final int RETRY_COUNT = 6;

    private final LiveCounters counters;
    /** Whether whatever was posted has arrived, so that closing cuts nothing off. */
    private final boolean arrivesAtOnce;
    /** Queues of this connection alone: one that overruns takes no other connection with it. */
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final MemoryRegion region;
    /**
     * Slots of the receives, by their index, and behind them slots of the sends, each of which is written again when
     * the send of {@link #DEPTH} messages before has completed.
     */
    private final UnsafeBuffer slots;
    private final QueuePair queuePair;
    /** Messages that wait for credit or for a slot, in their order. */
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    /** Messages that have arrived and are not handed out yet. */
    private final ArrivedMessages arrived;
    /** The messages of both ends by their numbers: what may be sent, and what the peer is to be told. */
    private final ControlCredits credits = new ControlCredits(DEPTH);
    /** The connection manager's end; null until it was dialled or accepted. */
    private Connection connection;
    /** The first reason why nothing can be sent any more, or null. */
    private String failure;
    /**
     * Whether what has arrived may be read: not behind a receive that has failed, nor behind a message that breaks the
     * rules.
     */
    private boolean isReadable = true;

    /**
     * Makes the queue pair and posts all its receives, before the peer can know of it. Set-up thread, as it may block;
     * what was made is closed again when the device refuses the rest, and its exception goes to whoever asked.
     */
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
        } catch (final Throwable ex) {
            CloseHelper.quietCloseAll(pair, memory, receives, sendCompletions);
            throw ex;
        }
        receiveCompletions = receives;
        arrived = new ArrivedMessages(receives, DEPTH);
        region = memory;
        slots = memory.buffer();
        queuePair = pair;
        for (int slot = 0; slot < DEPTH; slot++) {
            postReceive(slot);
        }
    }

    /** {@return the queue pair, for the connection manager to connect} */
    QueuePair queuePair() {
        return queuePair;
    }

    /** Sets the connection manager's end, once. It is made from the queue pair, and so after it. */
    void connection(final Connection newConnection) {
        connection = newConnection;
    }

    /** The source address that data links to the same peer go by. */
    SourceAddress sourceAddress() {
        return connection == null ? SourceAddress.ANY : connection.sourceAddress();
    }

    /** {@return the address of the peer, for people; by its port it is told from others of its host} */
    String peer() {
        return connection == null ? "unknown" : connection.peer();
    }

    /** {@return whether the peer's process has certainly ended} False says only that nobody knows. */
    boolean isPeerGone() {
        return connection != null && connection.isPeerGone();
    }

    /** {@return the state of the connection manager's end now} Takes up what has happened to it, without waiting. */
    Connection.State state() {
        return connection.poll();
    }

    Connection connection() {
        return connection;
    }

    /** {@return whether a completion queue is one of this connection's, so that its overrun is the end of it} */
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
        while (more && count < DEPTH && isReadable && arrived.hasNext()) {
            count++;
            arrived.next();
            more = onReceive(arrived.slot(), arrived.length(), reader);
        }
        if (isReadable && arrived.hasFailed()) {
            isReadable = false;
            // a connection that ends flushes its receives, and another thread may have taken the event of its end since
            // this one asked for the state: that tells the rest
            if (arrived.status() != WorkStatus.WR_FLUSH_ERR || connection.poll() != Connection.State.DISCONNECTED) {
                fail("receive failed: " + WorkStatus.name(arrived.status()));
            }
        }
        if (failure == null && isReadable) {
            sendWaiting();
        }
        return count;
    }

    /**
     * Takes the credit of a message and hands the rest to the reader, if there is any. Lengths and credit come from the
     * peer and are checked: a credit for more than was sent would make this end send without a receive at the other.
     *
     * @return whether to go on reading; after false the receive is posted again only if the message was good.
     */
    private boolean onReceive(final int slot, final int length, final MessageReader reader) {
        if (length < CREDIT_LENGTH || length > SLOT_LENGTH) {
            reject("message length out of range: length=" + length);
            return false;
        }
        credits.onReceived();
        final int offset = slot * SLOT_LENGTH;
        final long credit = slots.getLong(offset);
        if (!credits.take(credit)) {
            reject("credit does not add up: credit=" + credit + " sent=" + credits.sent());
            return false;
        }
        final boolean goOn = length == CREDIT_LENGTH
            || reader.onMessage(slots, offset + CREDIT_LENGTH, length - CREDIT_LENGTH);
        postReceive(slot);
        return goOn;
    }

    /**
     * Posts the receive of a slot again. The peer may use it when it is told so, by the next message or after half of
     * all receives.
     */
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
     * Sends a message, now or as soon as there is credit; nothing on a connection that has failed. A peer that is slow
     * to read makes messages wait here, and one that lets thousands pile up is given up: it would have this side keep
     * them all.
     *
     * @param buffer that holds it, copied before this returns.
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

    /** Posts what waits, as far as there is room, and then returns credit if that is due. */
    private void sendWaiting() {
        reapSends();
        while (!waiting.isEmpty() && failure == null && credits.hasRoom()) {
            post(waiting.poll());
        }
        if (failure == null && credits.isReturnDue()) {
            post(new byte[0]);
        }
    }

    /**
     * Posts one message with the credit in front. Each send is signalled: its completion frees the slot, and says that
     * the peer's device has it.
     *
     * @param message without credit; empty when only credit is to be returned.
     */
    private void post(final byte[] message) {
        final int slot = DEPTH + credits.nextSlot();
        final int offset = slot * SLOT_LENGTH;
        slots.putLong(offset, credits.received());
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
        credits.onSent();
    }

    /**
     * Takes the completions of sends. The first one that has failed says why the connection has; the others are flushed
     * after it.
     */
    private void reapSends() {
        if (sendCompletions.startPoll() != Errno.OK) {
            return;
        }
        do {
            if (sendCompletions.status() != WorkStatus.SUCCESS) {
                fail("send failed: " + WorkStatus.name(sendCompletions.status()));
            }
            credits.onSendCompleted();
        } while (sendCompletions.nextPoll() == Errno.OK);
        sendCompletions.endPoll();
    }

    /**
     * Whether what was sent has left, or never will: then the connection can be closed and nothing is cut off. Messages
     * that wait for credit go as the peer gives it; what else the peer says is for a session that has ended.
     */
    boolean hasLeft() {
        if (!waiting.isEmpty()) {
            poll((buffer, offset, length) -> true);
        }
        reapSends();
        return failure != null || !isReadable || connection.poll() != Connection.State.ESTABLISHED
            || waiting.isEmpty() && (arrivesAtOnce || credits.haveAllSendsCompleted());
    }

    /** Ends reading, as the peer says what no transport would say. */
    private void reject(final String reason) {
        counters.increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        isReadable = false;
        fail(reason);
    }

    /**
     * Notes that nothing can be sent any more, and why; the first reason stays. The session ends when it looks the next
     * time, and not within this call, which may come from deep inside of one of its own.
     */
    void fail(final String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /**
     * Closes at once: {@link ClosingConnections} waits for what has to leave. Set-up thread. The connection goes first,
     * as it moves the queue pair to the error state, and the memory only when no queue pair can use it.
     */
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
