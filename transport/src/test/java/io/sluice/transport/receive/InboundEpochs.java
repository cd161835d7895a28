package io.sluice.transport.receive;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes first epochs of links without a device, each over a log of its own. Looks are counted of logs on the heap,
 * which only links themselves look at.
 */
final class InboundEpochs {
    static final int WINDOW = 4096;
    static final int RECEIVES = 8;
    static final long FRAME_KEY = 0x0123_4567_89AB_CDEFL;

    private final boolean areLogsOnHeap;
    private final List<StubQueuePair> queuePairs = new ArrayList<>();
    private final List<CountingBuffer> memories = new ArrayList<>();
    private final List<SendLog> logs = new ArrayList<>();

    /** Make epochs with logs whose looks are counted. */
    InboundEpochs() {
        this(true);
    }

    /** Make epochs with logs on the heap, or in memory as a device has it. */
    InboundEpochs(final boolean areLogsOnHeap) {
        this.areLogsOnHeap = areLogsOnHeap;
    }

    /** The epoch of one more link, whose index is how many there were before. */
    InboundEpoch next(final boolean memoryCompletion) {
        final int index = queuePairs.size();
        queuePairs.add(new StubQueuePair(8, FeedbackDescriptor.CELL_LENGTH));
        memories.add(new CountingBuffer());
        final StubRegion region = areLogsOnHeap ? new StubRegion(memories.get(index)) : new StubRegion(WINDOW);
        logs.add(new SendLog(region, 0, FRAME_KEY));
        return new InboundEpoch(
            queuePairs.get(index), new EpochReceives(workRequestId(index), RECEIVES, 2), region,
            new RemoteMemory(77_000, 7), null, memoryCompletion, ScanModeration.NONE);
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
        return memories.get(index).looks;
    }

    int looks() {
        return memories.stream().mapToInt(memory -> memory.looks).sum();
    }

    private static final class CountingBuffer extends UnsafeBuffer {
        private int looks;

        CountingBuffer() {
            super(new byte[WINDOW]);
        }

        @Override
        public long getLongAcquire(final int index) {
            looks++;
            return super.getLongAcquire(index);
        }
    }
}
