package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Checks of what the transport relies on, each on a device between two connected queue pairs of it. A check returns in
 * a few words what it has found, or throws what is wrong.
 */
final class Checks {
    private static final int MESSAGES = 20_000;
    private static final int WINDOW = 16;
    private static final int MESSAGE_LENGTH = 256;
    private static final int RESIZES = 50;
    private static final int MESSAGES_PER_RESIZE = 100;
    private static final int DESTRUCTIONS = 20;
    private static final int WRITES = 20_000;
    private static final int BURSTS = 2_000;
    private static final int BURST = 16;
    private static final Loop.Completions IGNORED = queue -> { };

    private final int messages;
    private final int resizes;
    private final int destructions;
    private final int writes;
    private final int bursts;

    /**
     * Checks that take their time, or a part of it.
     *
     * @param divisor of how often everything is done, at most 50.
     */
    Checks(final int divisor) {
        messages = MESSAGES / divisor / WINDOW * WINDOW;
        resizes = RESIZES / divisor;
        destructions = Math.max(1, DESTRUCTIONS / divisor);
        writes = WRITES / divisor;
        bursts = BURSTS / divisor;
    }

    /** Checks that each write's bytes are there when its immediate number is, and that the numbers come in order. */
    String ordering(final RdmaDevice device) {
        try (Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            for (int done = 0; done < messages; done += WINDOW) {
                loop.expect(WINDOW);
                for (int i = 0; i < WINDOW; i++) {
                    loop.fill(i * MESSAGE_LENGTH, MESSAGE_LENGTH, done + i);
                    loop.sendSignalled(i * MESSAGE_LENGTH, MESSAGE_LENGTH, done + i);
                }
                final int[] next = {done};
                loop.take(loop.receives, WINDOW, queue -> {
                    final int number = queue.immediateData();
                    if (number != next[0]) {
                        throw new CheckFailure("immediate=" + number + " instead of " + next[0]);
                    }
                    loop.checkArrived((number - done(number)) * MESSAGE_LENGTH, MESSAGE_LENGTH, number);
                    next[0]++;
                });
                loop.take(loop.sends, WINDOW, IGNORED);
            }
        }
        return messages + " messages of " + MESSAGE_LENGTH + " bytes, in order and whole";
    }

    private static int done(final int number) {
        return number / WINDOW * WINDOW;
    }

    /**
     * Checks that bytes posted inline are the device's own: what is written to the buffer after the post does not
     * arrive.
     */
    String inline(final RdmaDevice device) {
        final int max;
        try (Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            max = loop.first.attributes().maxInlineData();
            for (final int length : inlineEdges(max)) {
                loop.fill(0, length, length);
                loop.expect(1);
                final int flags = WorkFlags.SIGNALED | WorkFlags.INLINE;
                Loop.require("ibv_post_send of " + length + " inline bytes", loop.send(flags, 0, length, length));
                loop.fill(0, length, length + 1);
                loop.take(loop.receives, 1, IGNORED);
                loop.take(loop.sends, 1, IGNORED);
                loop.checkArrived(0, length, length);
            }
            if (loop.send(WorkFlags.SIGNALED | WorkFlags.INLINE, 0, max + 1, 0) == Errno.OK) {
                throw new CheckFailure("maxInlineData=" + max + ", and one byte more is taken");
            }
        }
        return "0 to " + max + " bytes";
    }

    /** Inline lengths to check: 0, 1, half of the longest and the longest, each once and none beyond the longest. */
    static int[] inlineEdges(final int max) {
        return IntStream.of(0, 1, max / 2, max).filter(each -> each <= max).distinct().toArray();
    }

    /** Checks that another thread can resize the queue that is polled: nothing is lost, and no poll fails. */
    String resize(final RdmaDevice device) {
        try (Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicReference<RuntimeException> failure = new AtomicReference<>();
            final AtomicInteger sent = new AtomicInteger();
            final long[] longestNs = {0};
            final Helper resizer = Helper.start("selftest-resizer", () -> {
                try {
                    for (int i = 0; i < resizes && !isDone.get(); i++) {
                        while (sent.get() < i * MESSAGES_PER_RESIZE && !isDone.get()) {
                            Thread.onSpinWait();
                        }
                        final long startNs = System.nanoTime();
                        loop.sends.resize((i % 2 == 0 ? 8 : 2) * Loop.WORK);
                        longestNs[0] = Math.max(longestNs[0], System.nanoTime() - startNs);
                    }
                } catch (final VerbsException e) {
                    failure.set(e);
                }
                isDone.set(true);
            });
            try {
                while (!isDone.get()) {
                    sendOne(loop, sent.getAndIncrement());
                }
            } finally {
                isDone.set(true);
                resizer.await();
            }
            if (failure.get() != null) {
                throw failure.get();
            }
            // the last resize, too, must leave a queue that works
            sendOne(loop, sent.getAndIncrement());
            return String.format(Locale.ROOT, "%d times under %d messages, the longest took %.3f ms",
                resizes, sent.get(), longestNs[0] / 1e6);
        }
    }

    private static void sendOne(final Loop loop, final int number) {
        loop.expect(1);
        loop.sendSignalled(0, 1, number);
        loop.take(loop.receives, 1, IGNORED);
        loop.take(loop.sends, 1, IGNORED);
    }

    /** Checks that queue pairs can be destroyed while another thread polls and posts. */
    String destroy(final RdmaDevice device) {
        return destroy(destructions, () -> ConnectedLoop.open(device, LoopOptions.DEFAULT));
    }

    /** Destroys queue pairs of loops of any kind, so many times. */
    static String destroy(final int times, final Supplier<? extends Loop> opening) {
        long longestNs = 0;
        for (int i = 0; i < times; i++) {
            try (Loop loop = opening.get()) {
                final AtomicBoolean isDone = new AtomicBoolean();
                final AtomicInteger posted = new AtomicInteger();
                final AtomicReference<String> wrong = new AtomicReference<>();
                final Helper user = Helper.start("selftest-user", () -> use(loop, posted, isDone, wrong));
                try {
                    // it is under load from then on
                    while (posted.get() == 0 && wrong.get() == null) {
                        Thread.onSpinWait();
                    }
                    final long startNs = System.nanoTime();
                    loop.first.close();
                    longestNs = Math.max(longestNs, System.nanoTime() - startNs);
                } finally {
                    isDone.set(true);
                    user.await();
                }
                if (wrong.get() != null) {
                    throw new CheckFailure(wrong.get());
                }
            }
        }
        return String.format(Locale.ROOT, "%d times, the longest took %.3f ms", times, longestNs / 1e6);
    }

    private static void use(
        final Loop loop, final AtomicInteger posted, final AtomicBoolean isDone, final AtomicReference<String> wrong) {
        while (!isDone.get()) {
            final int result = loop.send(WorkFlags.SIGNALED, 0, 1, 0);
            if (result == Errno.OK) {
                posted.incrementAndGet();
            } else if (result != Errno.ENOMEM && result != Errno.EINVAL) {
                wrong.set("a post to a queue pair that is closed answers " + Errno.describe(result));
            }
            final int start = loop.sends.startPoll();
            if (start == Errno.OK) {
                loop.sends.endPoll();
            } else if (start != Errno.ENOENT && start != Errno.EBUSY) {
                wrong.set("a poll beside a queue pair that is closed answers " + Errno.describe(start));
            }
        }
    }

    /** Measures the time from the post of one byte until its completion at the other queue pair, by one thread. */
    String latency(final RdmaDevice device) {
        final long[] timesNs = new long[writes];
        try (Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            for (int i = 0; i < 2 * writes; i++) {
                loop.expect(1);
                final long startNs = System.nanoTime();
                loop.sendSignalled(0, 1, i);
                loop.take(loop.receives, 1, IGNORED);
                timesNs[i % writes] = System.nanoTime() - startNs;
                loop.take(loop.sends, 1, IGNORED);
            }
        }
        Arrays.sort(timesNs);
        return String.format(Locale.ROOT, "one way, 1 byte: p50=%.3f us p99=%.3f us p99.9=%.3f us",
            timesNs[writes / 2] / 1e3, timesNs[writes * 99 / 100] / 1e3,
            timesNs[writes * 999 / 1000] / 1e3);
    }

    /** Measures the time for each completion of bursts that wait in the queue already. */
    String drain(final RdmaDevice device) {
        final long[] timesNs = new long[bursts];
        try (Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            for (int i = 0; i < 2 * bursts; i++) {
                loop.expect(BURST);
                for (int message = 0; message < BURST; message++) {
                    loop.sendSignalled(0, 1, message);
                }
                // the receives are all there when the last send is done
                loop.take(loop.sends, BURST, IGNORED);
                final long startNs = System.nanoTime();
                loop.take(loop.receives, BURST, CompletionQueue::immediateData);
                timesNs[i % bursts] = System.nanoTime() - startNs;
            }
        }
        Arrays.sort(timesNs);
        return String.format(
            Locale.ROOT, "%.1f ns for each completion of %d", timesNs[bursts / 2] / (double) BURST, BURST);
    }
}
