package io.sluice.transport.receive;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes first epochs of links without a device, each over a log of its own, and counts the looks at the logs. */
final class InboundEpochs {
    static final int WINDOW = 4096;
    static final int RECEIVES = 8;
    static final long FRAME_KEY = 0x0123_4567_89AB_CDEFL;

    private final List<StubQueuePair> queuePairs = new ArrayList<>();
    private final List<CountingRegion> regions = new ArrayList<>();
    private final List<SendLog> logs = new ArrayList<>();

    /** The epoch of one more link, whose index is how many there were before. */
    InboundEpoch next(final boolean memoryCompletion) {
        final int index = queuePairs.size();
        queuePairs.add(new StubQueuePair(8, FeedbackDescriptor.CELL_LENGTH));
        regions.add(new CountingRegion());
        logs.add(new SendLog(regions.get(index), 0, FRAME_KEY));
        return new InboundEpoch(queuePairs.get(index), workRequestId(index), regions.get(index), RECEIVES, 2,
            77_000, 7, null, memoryCompletion);
    }

    static long workRequestId(final int index) {
        return WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, index, 1);
    }

    StubQueuePair queuePair(final int index) {
        return queuePairs.get(index);
    }

    SendLog log(final int index) {
        return logs.get(index);
    }

    /** Looks at the next frame of a link's log so far, by whomever. */
    int looks(final int index) {
        return regions.get(index).memory.looks;
    }

    int looks() {
        return regions.stream().mapToInt(region -> region.memory.looks).sum();
    }

    private static final class CountingBuffer extends UnsafeBuffer {
        private int looks;

        CountingBuffer() {
            super(BufferUtil.allocateDirectAligned(WINDOW, WINDOW));
        }

        @Override
        public long getLongAcquire(final int index) {
            looks++;
            return super.getLongAcquire(index);
        }
    }

    private static final class CountingRegion implements MemoryRegion {
        private final CountingBuffer memory = new CountingBuffer();

        @Override
        public long address() {
            return memory.addressOffset();
        }

        @Override
        public long length() {
            return memory.capacity();
        }

        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 2;
        }

        @Override
        public UnsafeBuffer buffer() {
            return memory;
        }

        @Override
        public byte[] shareToken() {
            return new byte[0];
        }

        @Override
        public void close() {
        }
    }
}
