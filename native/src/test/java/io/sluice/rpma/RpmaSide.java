package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.verbs.WorkOpcode;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.concurrent.UnsafeBuffer;

/** One side of a connection for one test: its memory, its queues, and what came of them. The test's thread. */
final class RpmaSide {
    static final int REGION_LENGTH = 16 * 1024;
    /** Places in the region: what the other side reads and writes, what this one sends or fetches, what it receives. */
    static final int REACHABLE = 0;
    static final int LOCAL = 4 * 1024;
    static final int RECEIVES = 8 * 1024;
    /** Bytes that a receive takes. */
    static final int SLOT_LENGTH = 64;
    static final int ALL_USAGES = RpmaUsage.READ_SOURCE | RpmaUsage.READ_DESTINATION | RpmaUsage.WRITE_SOURCE
        | RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY | RpmaUsage.SEND | RpmaUsage.RECEIVE;

    final RpmaPeer peer;
    final RpmaMemoryRegion region;
    final UnsafeBuffer buffer;
    /** The connection, null until {@link #connect}. */
    RpmaConnection connection;
    /** The other side's region; null until {@link #reach}. */
    RpmaRemoteRegion remote;
    /** Taker of the main queue. */
    CompletionTaker main;
    /** Taker of the queue of receives, which may be the main queue. */
    CompletionTaker receives;
    private final RpmaRig rig;
    private final SideOptions options;
    private final Deque<TakenCompletion> sent = new ArrayDeque<>();
    private final Deque<TakenCompletion> received = new ArrayDeque<>();

    RpmaSide(final RpmaRig rig, final RpmaPeer peer, final SideOptions options) {
        this.rig = rig;
        this.peer = peer;
        this.options = options;
        region = rig.keep(peer.register(REGION_LENGTH, options.usages()));
        buffer = region.buffer();
    }

    /** Go on with a request: post what is to be received, and connect. */
    void connect(final RpmaConnectionRequest request) {
        rig.keep(request);
        final RpmaSharedReceiveQueue shared = options.configuration().sharedReceiveQueue();
        for (int slot = 0; slot < options.receives(); slot++) {
            assertEquals(RpmaError.OK, shared != null ? postReceive(slot)
                : request.receive(region, RECEIVES + slot * SLOT_LENGTH, SLOT_LENGTH, slot));
        }
        connection = rig.keep(request.connect(options.privateData()));
        main = taker(connection.completionQueue());
        final RpmaCompletionQueue ofShared = shared == null ? null : shared.receiveCompletionQueue();
        receives = ofShared != null ? new CompletionTaker(ofShared, options.way())
            : connection.receiveCompletionQueue() != null ? taker(connection.receiveCompletionQueue()) : main;
    }

    private CompletionTaker taker(final RpmaCompletionQueue queue) {
        return options.way().waits && options.configuration().sharesCompletionChannel()
            ? new CompletionTaker(queue, options.way(), this::awaitShared) : new CompletionTaker(queue, options.way());
    }

    /** Wait on the shared channel, and take what is in the queue that has announced something. */
    private void awaitShared() {
        assertEquals(RpmaError.OK, connection.awaitCompletion(RpmaRig.TIMEOUT_NS), "no event");
        (connection.signalledQueue() == main.queue() ? main : receives).drain();
    }

    /** The other side's memory, by its descriptor. */
    void reach(final byte[] descriptor) {
        remote = rig.keep(peer.remoteRegion(descriptor));
    }

    void awaitEvent(final RpmaConnectionEvent event) {
        assertEquals(event, connection.nextEvent(RpmaRig.TIMEOUT_NS));
    }

    /** Have a message received to a slot, whose number its work request has. */
    int postReceive(final long slot) {
        final RpmaSharedReceiveQueue shared = options.configuration().sharedReceiveQueue();
        final long offset = RECEIVES + slot * SLOT_LENGTH;
        return shared != null ? shared.receive(region, offset, SLOT_LENGTH, slot)
            : connection.receive(region, offset, SLOT_LENGTH, slot);
    }

    /** The next completion of something that was posted to send, read, write or flush. */
    TakenCompletion awaitSent() {
        return await(sent, main);
    }

    /** The next completion of a receive. */
    TakenCompletion awaitReceived() {
        return await(received, receives);
    }

    private TakenCompletion await(final Deque<TakenCompletion> kind, final CompletionTaker taker) {
        while (kind.isEmpty()) {
            final TakenCompletion completion = taker.nextSuccess();
            assertEquals(connection.queuePairNumber(), completion.queuePairNumber(), completion::toString);
            (completion.opcode() < WorkOpcode.RECV ? sent : received).add(completion);
        }
        return kind.removeFirst();
    }

    /** Send a number of eight bytes, and wait until it is sent. */
    void sendNumber(final long number) {
        sendLastNumber(number);
        final TakenCompletion completion = awaitSent();
        assertEquals(~number, completion.workRequestId());
        assertEquals(WorkOpcode.SEND, completion.opcode());
    }

    /**
     * Send a number that the other side ends the connection for: it may be gone before it has acknowledged the message,
     * so that nothing waits for the completion.
     */
    void sendLastNumber(final long number) {
        buffer.putLong(LOCAL, number, ByteOrder.LITTLE_ENDIAN);
        assertEquals(RpmaError.OK,
            connection.send(region, LOCAL, Long.BYTES, RpmaCompletionFlags.ALWAYS, ~number));
    }

    /** Receive a number of eight bytes, and have room for the next one. */
    long awaitNumber() {
        final TakenCompletion completion = awaitReceived();
        assertEquals(WorkOpcode.RECV, completion.opcode());
        assertEquals(Long.BYTES, completion.byteLength());
        assertFalse(completion.hasImmediate(), completion::toString);
        final long number = numberIn(completion);
        assertEquals(RpmaError.OK, postReceive(completion.workRequestId()));
        return number;
    }

    /** The number that a receive has brought. */
    long numberIn(final TakenCompletion completion) {
        return buffer.getLong(slotOf(completion), ByteOrder.LITTLE_ENDIAN);
    }

    /** The slot of the region into which a receive has put what came. */
    static int slotOf(final TakenCompletion completion) {
        return RECEIVES + (int) completion.workRequestId() * SLOT_LENGTH;
    }

    /** Write a pattern into the region. */
    void fill(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            buffer.putByte(offset + i, pattern(i, seed));
        }
    }

    void assertHolds(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            assertEquals(pattern(i, seed), buffer.getByte(offset + i), "byte " + i + " of " + length);
        }
    }

    /** A byte of the pattern, which with seed 3 is the one of {@code rpma_peer.c}. */
    private static byte pattern(final int i, final int seed) {
        return (byte) (7 * i + seed);
    }
}
