package io.sluice.transport.receive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * The head of an {@link EventRing}, up to which its events are published: the one line that waiting consumers look at.
 * Beside the sequence it has the address of the frame that the last batch begins with, so that they can read the event
 * and its frame, both in lines that the poller has written, at the same time and not one after the other. The poller
 * writes; any thread reads.
 */
public final class RingHead {
    /** Sequence before the first event. */
    public static final long NONE = -1;

    /** Processors fetch pairs of lines: nothing else is to lie in that of the head, which is read all the time. */
    private static final int PADDING_WORDS = 16;
    private static final int PUBLISHED = PADDING_WORDS;
    private static final int FRAME_ADDRESS = PADDING_WORDS + 1;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words = new long[2 * PADDING_WORDS];

    RingHead() {
        words[PUBLISHED] = NONE;
    }

    /** Show a batch to the consumers. Poller. */
    void publish(final long sequence, final long frameAddress) {
        words[FRAME_ADDRESS] = frameAddress;
        WORD.setRelease(words, PUBLISHED, sequence);
    }

    /** {@return the last event published, or {@link #NONE}} Any thread. */
    public long published() {
        return (long) WORD.getAcquire(words, PUBLISHED);
    }

    /**
     * Read the first word of the frame that the last batch begins with, for the cache's sake only. Only for a consumer
     * that gates the ring and had passed all that was published before it found something new: it has then passed
     * nothing of the last batch, whose memory, of whatever link, is therefore there.
     *
     * @return whatever stands there.
     */
    public long touchFrame() {
        return UnsafeApi.getLong(words[FRAME_ADDRESS]);
    }
}
