package io.sluice.samples.selftest;

import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import java.util.BitSet;

/**
 * Checks of datagrams, each on a device between two queue pairs of it. In which order they arrive is not promised, and
 * not quite that they do: a few may be lost.
 */
final class DatagramChecks {
    /** The most datagrams that may be lost: more than that are a fault. */
    static final int MOST_LOST = 10;
    /** A datagram that has not arrived then is lost. */
    static final long LOSS_TIMEOUT_NS = 1_000_000_000L;
    private static final int MESSAGES = 20_000;
    private static final int WINDOW = 16;
    private static final int MESSAGE_LENGTH = 256;
    private static final int DESTRUCTIONS = 20;

    private final int messages;
    private final int destructions;

    /**
     * Checks that take their time, or a part of it.
     *
     * @param divisor of how often everything is done, at most 50.
     */
    DatagramChecks(final int divisor) {
        messages = MESSAGES / divisor / WINDOW * WINDOW;
        destructions = Math.max(1, DESTRUCTIONS / divisor);
    }

    /** Datagrams that arrive are whole, and arrive once; nearly all do. */
    String arrival(final RdmaDevice device) {
        final int length = Math.min(MESSAGE_LENGTH, device.attributes().maxDatagramLength());
        final BitSet missing = new BitSet();
        try (DatagramLoop loop = DatagramLoop.open(device, LoopOptions.DEFAULT, length)) {
            for (int done = 0; done < messages; done += WINDOW) {
                loop.expect(WINDOW);
                for (int i = 0; i < WINDOW; i++) {
                    missing.set(done + i);
                    loop.fill(i * length, length, done + i);
                    loop.sendSignalled(i * length, length, done + i);
                }
                loop.take(loop.sends, WINDOW, queue -> { });
                receive(loop, missing, done, length);
            }
        }
        return messages + " datagrams of " + length + " bytes, whole, lost=" + missing.cardinality();
    }

    /** Receives until all from a number on have arrived, or no more come. */
    private static void receive(
        final DatagramLoop loop, final BitSet missing, final int from, final int length) {
        final long startNs = System.nanoTime();
        while (missing.nextSetBit(from) >= 0 && System.nanoTime() - startNs < LOSS_TIMEOUT_NS) {
            loop.poll(loop.receives, WINDOW, queue -> {
                final int number = queue.immediateData();
                if (number < 0 || !missing.get(number)) {
                    throw new CheckFailure("message=" + number + " arrives, and was not sent, or has arrived before");
                }
                loop.checkReceived(queue, length);
                missing.clear(number);
            });
        }
        if (missing.cardinality() > MOST_LOST) {
            throw new CheckFailure("lost=" + missing.cardinality() + " of the datagrams up to "
                + (missing.length() - 1) + ", for which there were receives");
        }
    }

    /** Checks that bytes posted inline are the device's own, as those of connected queue pairs are. */
    String inline(final RdmaDevice device) {
        final int longest = device.attributes().maxDatagramLength();
        final int max;
        try (DatagramLoop loop = DatagramLoop.open(device, LoopOptions.DEFAULT, longest)) {
            final int granted = loop.first.attributes().maxInlineData();
            max = Math.min(granted, longest);
            final int flags = WorkFlags.SIGNALED | WorkFlags.INLINE;
            for (final int length : Checks.inlineEdges(max)) {
                loop.fill(0, length, length);
                loop.expect(1);
                Loop.require("ibv_post_send of " + length + " inline bytes", loop.send(flags, 0, length, length));
                loop.fill(0, length, length + 1);
                loop.take(loop.receives, 1, queue -> loop.checkReceived(queue, length));
                loop.take(loop.sends, 1, queue -> { });
            }
            if (granted < longest && loop.send(flags, 0, granted + 1, 0) == Errno.OK) {
                throw new CheckFailure("maxInlineData=" + granted + ", and one byte more is taken");
            }
        }
        return "0 to " + max + " bytes";
    }

    /** Runs {@link DatagramFullQueueCheck}. */
    String fullQueue(final RdmaDevice device) {
        return DatagramFullQueueCheck.run(device);
    }

    /** Checks that queue pairs can be destroyed while another thread polls and posts. */
    String destroy(final RdmaDevice device) {
        return Checks.destroy(destructions, () -> DatagramLoop.open(device, LoopOptions.DEFAULT, MESSAGE_LENGTH));
    }
}
