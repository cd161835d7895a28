package io.sluice.transport.model;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.receive.FrameReader;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.SendLog;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.RdmaDevice;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One run of the model: random steps of the publisher, the device, the poller, the consumer and the conductor. What was
 * offered waits in a plain queue; what the link delivers must be the head of it, and must still be there when it is
 * consumed.
 */
final class LinkModel implements AutoCloseable {
    private static final int POOL_LENGTH = 1 << 16;
    /** Idle polls after which the receiver reports all it has not reported: twice its own number. */
    private static final int IDLE_POLLS = 512;
    /** Rounds in which everything must be over when nobody holds anything back. */
    private static final int SETTLE_ROUNDS = 10_000;
    private static final int FAIL_ONE_IN = 2_000;
    private static final AsyncEventHandler IGNORE = (type, completionQueue, queuePair) -> { };

    private final RdmaDevice device;
    private final RandomFaults faults;
    private final SplittableRandom random;
    private final boolean withBreaks;
    private final ModelLink link;
    private final byte[] pool = new byte[POOL_LENGTH];
    private final byte[] found;
    private final Deque<Message> expected = new ArrayDeque<>();
    private final Deque<Held> held = new ArrayDeque<>();
    private long delivered;
    private long backPressured;

    LinkModel(
        final RdmaDevice device,
        final RandomFaults faults,
        final Bounds bounds,
        final SplittableRandom random,
        final boolean withBreaks) {
        this.device = device;
        this.faults = faults;
        this.random = random;
        this.withBreaks = withBreaks;
        link = new ModelLink(device, bounds);
        random.nextBytes(pool);
        found = new byte[link.log().maxMessageLength()];
        faults.failOneIn(withBreaks ? FAIL_ONE_IN : 0);
    }

    /** One step of somebody. */
    void step() {
        final int die = random.nextInt(100);
        if (die < 35) {
            offer(random.nextInt(link.log().maxMessageLength() + 1));
        } else if (die < 65) {
            poll(random.nextInt(6));
        } else if (die < 85) {
            consume(random.nextInt(8));
        } else if (die < 92) {
            link.poster().flush();
        } else if (die < 95) {
            device.poll(IGNORE);
        } else if (die < 98) {
            idle(random.nextInt(IDLE_POLLS));
        } else if (die == 98) {
            askForToken();
        } else if (withBreaks && random.nextInt(50) == 0) {
            link.pull(random.nextBoolean());
        }
        repair();
        check();
    }

    private void offer(final int length) {
        final SendLog log = link.log();
        final ExclusivePoster poster = link.poster();
        verify(poster.enter(), "nobody has closed");
        final long limit = poster.limit();
        final long before = log.tail();
        final long position = log.claim(SendLog.alignedLength(length), limit);
        if (position < 0) {
            backPressured++;
            final int room = log.windowLength() - log.offset(before);
            final int padding = SendLog.alignedLength(length) > room ? room : 0;
            verify(before + padding + SendLog.alignedLength(length) > limit, "refused although it fits");
        } else {
            final boolean isAborted = random.nextInt(16) == 0;
            final int contentOffset = random.nextInt(POOL_LENGTH - length);
            log.buffer().putBytes(log.offset(position) + FrameDescriptor.HEADER_LENGTH, pool, contentOffset, length);
            final long end = log.commit(
                position,
                FrameDescriptor.frameLength(length),
                isAborted ? FrameDescriptor.PADDING_TYPE : FrameDescriptor.DATA_TYPE,
                end(position, length));
            verify(end <= limit, "crossed the limit");
            if (!isAborted) {
                expected.add(new Message(end, length, contentOffset));
            }
        }
        if (random.nextInt(8) != 0) {
            poster.post();
        }
        poster.leave();
    }

    private static long end(final long position, final int length) {
        return position + SendLog.alignedLength(length);
    }

    private int poll(final int limit) {
        int work = link.receiver().drain();
        final InboundLink inbound = link.inbound();
        final ImagePositions positions = inbound.positions();
        final int heldBefore = held.size();
        long position = positions.walked();
        for (int i = 0; i < limit && position < positions.received(); i++) {
            final long word = inbound.reader().frameAt(position, positions.received());
            verify(word != FrameReader.BAD_FRAME, "bad frame at " + position);
            final long frame = position;
            position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(word));
            if (FrameDescriptor.typeOf(word) == FrameDescriptor.DATA_TYPE) {
                walk(frame, word, position);
            } else {
                held.add(new Held(null, null, 0, position));
            }
            work++;
        }
        positions.onWalked(position, held.size() - heldBefore);
        link.receiver().maintain(work);
        return work;
    }

    private void walk(final long frame, final long word, final long end) {
        final Message message = expected.poll();
        verify(message != null, "delivered what nobody offered");
        verify(message.end == end, "expected " + message + " delivered end=" + end);
        verify(
            FrameDescriptor.frameLengthOf(word) == FrameDescriptor.frameLength(message.length),
            "expected " + message + " delivered frameLength=" + FrameDescriptor.frameLengthOf(word));
        final InboundLink inbound = link.inbound();
        final Held walked = new Held(message, inbound.reader().ring(), inbound.reader().offset(frame), end);
        verifyContent(walked);
        held.add(walked);
        delivered++;
    }

    private void verifyContent(final Held message) {
        final Message expectation = message.message;
        final int offset = message.offset;
        message.ring.getBytes(offset + FrameDescriptor.HEADER_LENGTH, found, 0, expectation.length);
        verify(
            message.ring.getLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET) == expectation.end,
            "another reserved value: " + expectation);
        verify(
            Arrays.equals(
                found, 0, expectation.length, pool, expectation.contentOffset,
                expectation.contentOffset + expectation.length),
            "another content: " + expectation);
    }

    /** The consumers pass some of what they were handed: until now its bytes must not have changed. */
    private void consume(final int count) {
        for (int i = 0; i < count && !held.isEmpty(); i++) {
            final Held first = held.poll();
            if (first.message != null) {
                verifyContent(first);
            }
            link.inbound().positions().onReclaimed(first.end);
        }
        link.releaseOldRings();
    }

    private void idle(final int polls) {
        for (int i = 0; i < polls; i++) {
            link.receiver().maintain(0);
        }
    }

    private void askForToken() {
        link.poster().requestToken();
        link.poster().onFenced();
        verify(link.poster().isSettled(), "nobody is inside");
    }

    private void repair() {
        if (link.isBroken()) {
            verify(!link.isMisunderstood(), "misunderstood: " + link.failure());
            verify(withBreaks, "broke without a fault: " + link.failure());
            if (!link.hasOldRing() && random.nextInt(4) == 0) {
                link.resume();
            }
        }
    }

    private void check() {
        final ImagePositions positions = link.inbound().positions();
        final long reported = link.outbound().consumedPosition();
        final long posted = link.isMemoryCompletion() ? link.log().tail() : link.outbound().postedPosition();
        final long consumed = positions.consumed();
        verify(reported <= consumed, "reported=" + reported + " > consumed=" + consumed);
        verify(consumed <= positions.walked(), "consumed > walked");
        verify(positions.walked() <= positions.received(), "walked > received");
        verify(link.isBroken() || positions.received() <= posted, "received > posted=" + posted);
        verify(posted <= link.log().tail(), "posted > committed");
        verify(link.log().tail() - consumed <= link.log().windowLength(), "overwritten before consumed");
    }

    /** Hold nothing back any more: everything is delivered, consumed and reported, and there is room again. */
    void finish() {
        faults.failOneIn(0);
        // the last commit was followed by a post, as every commit of a publication is
        link.poster().enter();
        link.poster().post();
        link.poster().leave();
        final long tail = link.log().tail();
        int rounds = 0;
        while (link.isBroken() || link.inbound().positions().consumed() < tail
            || link.poster().limit() < tail + link.log().windowLength()) {
            verify(rounds++ < SETTLE_ROUNDS, "stuck: tail=" + tail + " posted=" + link.outbound().postedPosition()
                + " received=" + link.inbound().positions().received() + " consumed="
                + link.inbound().positions().consumed() + " limit=" + link.poster().limit()
                + " broken=" + link.isBroken());
            link.poster().flush();
            device.poll(IGNORE);
            poll(Integer.MAX_VALUE);
            consume(Integer.MAX_VALUE);
            idle(IDLE_POLLS);
            repair();
        }
        verify(expected.isEmpty(), "lost: " + expected.peek());
        verify(held.isEmpty(), "not consumed");
    }

    private static void verify(final boolean condition, final String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    long delivered() {
        return delivered;
    }

    long backPressured() {
        return backPressured;
    }

    long resumptions() {
        return link.resumptions();
    }

    long deferrals() {
        return faults.deferrals();
    }

    @Override
    public void close() {
        link.close();
    }

    /**
     * A message that was offered.
     */
    private record Message(long end, int length, int contentOffset) {
    }

    /**
     * A message, or padding, that was handed out and is not consumed.
     */
    private record Held(Message message, UnsafeBuffer ring, int offset, long end) {
    }
}
