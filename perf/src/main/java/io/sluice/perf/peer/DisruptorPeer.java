package io.sluice.perf.peer;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.sluice.transport.Configuration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The floor under every hand-off over a ring: a ring of the Disruptor per stream, between threads of one process. A
 * message is copied into its event's own memory, and read there. Two cache lines of it are on their way: the ring's
 * cursor, and the message with its length.
 */
final class DisruptorPeer implements Peer {
    /** Events of a ring that is as long as Sluice's. */
    private static final int RING_LENGTH = Configuration.RING_DEFAULT;
    private static final int CACHE_LINE_LENGTH = 64;
    private static final int LENGTH_OFFSET = 0;
    private static final int MESSAGE_OFFSET = 8;

    private final Map<Integer, RingBuffer<UnsafeBuffer>> rings = new HashMap<>();
    private final long maxRingBytes;
    private int messageLength;

    /** Creates a peer whose rings are as long as Sluice's, whatever the length of a message. */
    DisruptorPeer() {
        this(Long.MAX_VALUE);
    }

    /** Creates a peer whose rings are shorter where their events took more bytes than so many. */
    DisruptorPeer(final long maxRingBytes) {
        this.maxRingBytes = maxRingBytes;
    }

    @Override
    public void launch(final Path folder, final boolean host, final int newMessageLength) {
        messageLength = newMessageLength;
    }

    private RingBuffer<UnsafeBuffer> ring(final int streamId) {
        final int eventLength = BitUtil.align(MESSAGE_OFFSET + messageLength, CACHE_LINE_LENGTH);
        return rings.computeIfAbsent(streamId, id -> RingBuffer.createSingleProducer(
            () -> new UnsafeBuffer(BufferUtil.allocateDirectAligned(eventLength, CACHE_LINE_LENGTH)),
            (int) Math.min(RING_LENGTH, Long.highestOneBit(maxRingBytes / eventLength)), new BusySpinWaitStrategy()));
    }

    @Override
    public Sender addSender(final int streamId) {
        return new RingSender(ring(streamId));
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        return new RingReceiver(ring(streamId), listener);
    }

    @Override
    public Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("channel", library() + ", " + rings.values().stream().map(RingBuffer::getBufferSize).distinct()
            .map(String::valueOf).collect(Collectors.joining(", ")) + " events, single producer");
        settings.put("publication", "next, copy, publish of a batch");
        settings.put("subscription", "EventPoller on the measured thread");
        settings.put("own threads", "none");
        return settings;
    }

    private static Path library() {
        return Path.of(RingBuffer.class.getProtectionDomain().getCodeSource().getLocation().getPath()).getFileName();
    }

    @Override
    public void close() {
        // memory goes with the process
    }

    private static final class RingSender implements Sender {
        private final RingBuffer<UnsafeBuffer> ring;
        private long filled = -1;
        private long published = -1;

        RingSender(final RingBuffer<UnsafeBuffer> ring) {
            this.ring = ring;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            if (!ring.hasAvailableCapacity(1)) {
                return false;
            }
            filled = ring.next();
            final UnsafeBuffer event = ring.get(filled);
            event.putInt(LENGTH_OFFSET, length);
            event.putBytes(MESSAGE_OFFSET, buffer, offset, length);
            return true;
        }

        @Override
        public void flush() {
            if (filled > published) {
                ring.publish(published + 1, filled);
                published = filled;
            }
        }
    }

    private static final class RingReceiver implements Receiver {
        private final EventPoller<UnsafeBuffer> poller;
        private final EventPoller.Handler<UnsafeBuffer> handler;
        private int handled;

        RingReceiver(final RingBuffer<UnsafeBuffer> ring, final MessageListener listener) {
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
            handler = (event, sequence, endOfBatch) -> {
                handled++;
                listener.onMessage(event, MESSAGE_OFFSET, event.getInt(LENGTH_OFFSET));
                return true;
            };
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public int poll() {
            handled = 0;
            try {
                poller.poll(handler);
            } catch (final Exception ex) {
                throw new IllegalStateException("a listener throws nothing that is checked", ex);
            }
            return handled;
        }
    }
}
