package io.sluice.samples.selftest;

import io.sluice.verbs.AsyncEventType;
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
import java.util.stream.IntStream;

/**
 * Checks of all that the transport relies on, each on a device between two queue pairs of it. A check returns in a few
 * words what it has found, or throws what is wrong.
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
    private static final int SMALL = 4;
    private static final long EVENT_TIMEOUT_NS = 2_000_000_000L;
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

    /** Each write's bytes are there when its immediate number is, and the numbers come in order. */
    String ordering(final RdmaDevice device) {
        try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
            for (int done = 0; done < messages; done += WINDOW) {
                loop.expectWrites(WINDOW);
                for (int i = 0; i < WINDOW; i++) {
                    loop.fill(i * MESSAGE_LENGTH, MESSAGE_LENGTH, done + i);
                    loop.writeSignalled(i * MESSAGE_LENGTH, MESSAGE_LENGTH, done + i);
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

    /** Bytes posted inline are the device's own: what is written to the buffer after the post does not arrive. */
    String inline(final RdmaDevice device) {
        final int max = device.attributes().maxInlineData();
        try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
            for (final int length : IntStream.of(0, 1, max / 2, max).filter(each -> each <= max).distinct().toArray()) {
                loop.fill(0, length, length);
                loop.expectWrites(1);
                final int flags = WorkFlags.SIGNALED | WorkFlags.INLINE;
                Loop.require("ibv_post_send of " + length + " inline bytes", loop.write(flags, 0, length, length));
                loop.fill(0, length, length + 1);
                loop.take(loop.receives, 1, IGNORED);
                loop.take(loop.sends, 1, IGNORED);
                loop.checkArrived(0, length, length);
            }
            if (loop.write(WorkFlags.SIGNALED | WorkFlags.INLINE, 0, max + 1, 0) == Errno.OK) {
                throw new CheckFailure("maxInlineData=" + max + ", and one byte more is taken");
            }
        }
        return "0 to " + max + " bytes";
    }

    /** Posting ends with ENOMEM, nothing that was taken is lost or overwritten, and there is room again afterwards. */
    String fullQueue(final RdmaDevice device) {
        int least = Integer.MAX_VALUE;
        try (Loop loop = new Loop(device, 8 * Loop.WORK)) {
            for (int round = 0; round < SMALL; round++) {
                int taken = 0;
                // without receives at the other end nothing completes
                int result = Errno.OK;
                while (result == Errno.OK && taken < 8 * Loop.WORK) {
                    final int slot = taken % (Loop.LENGTH / MESSAGE_LENGTH);
                    loop.fill(slot * MESSAGE_LENGTH, MESSAGE_LENGTH, taken);
                    result = loop.write(WorkFlags.SIGNALED, slot * MESSAGE_LENGTH, MESSAGE_LENGTH, taken);
                    taken += result == Errno.OK ? 1 : 0;
                }
                if (result != Errno.ENOMEM) {
                    throw new CheckFailure("a full queue answers " + Errno.describe(result) + " after " + taken);
                }
                least = Math.min(least, taken);
                final int[] next = {0};
                while (next[0] < taken) {
                    final int some = Math.min(SMALL, taken - next[0]);
                    loop.expectWrites(some);
                    loop.take(loop.receives, some, queue -> {
                        if (queue.immediateData() != next[0]) {
                            throw new CheckFailure("immediate=" + queue.immediateData() + " instead of " + next[0]);
                        }
                        next[0]++;
                    });
                }
                loop.take(loop.sends, taken, IGNORED);
            }
        }
        return "ENOMEM after " + least + " of maxSendWork=" + Loop.WORK;
    }

    /** Another thread resizes the queue that is polled: nothing is lost, and no poll fails. */
    String resize(final RdmaDevice device) {
        if (!device.attributes().completionQueueResizing()) {
            return "this device resizes no queue";
        }
        try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicReference<RuntimeException> failure = new AtomicReference<>();
            final AtomicInteger sent = new AtomicInteger();
            final long[] longestNs = {0};
            final Thread resizer = new Thread(() -> {
                try {
                    for (int i = 0; i < resizes; i++) {
                        while (sent.get() < i * MESSAGES_PER_RESIZE) {
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
            }, "selftest-resizer");
            resizer.start();
            while (!isDone.get()) {
                loop.expectWrites(1);
                loop.writeSignalled(0, 1, sent.getAndIncrement());
                loop.take(loop.receives, 1, IGNORED);
                loop.take(loop.sends, 1, IGNORED);
            }
            join(resizer);
            if (failure.get() != null) {
                throw failure.get();
            }
            return String.format(Locale.ROOT, "%d times under %d messages, the longest took %.3f ms",
                resizes, sent.get(), longestNs[0] / 1e6);
        }
    }

    private static void join(final Thread thread) {
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckFailure("interrupted");
        }
    }

    /** Queue pairs are destroyed while another thread polls and posts. */
    String destroy(final RdmaDevice device) {
        long longestNs = 0;
        for (int i = 0; i < destructions; i++) {
            try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
                final AtomicBoolean isDone = new AtomicBoolean();
                final AtomicReference<String> wrong = new AtomicReference<>();
                final Thread user = new Thread(() -> use(loop, isDone, wrong), "selftest-user");
                user.start();
                Thread.onSpinWait();
                final long startNs = System.nanoTime();
                loop.first.close();
                longestNs = Math.max(longestNs, System.nanoTime() - startNs);
                isDone.set(true);
                join(user);
                if (wrong.get() != null) {
                    throw new CheckFailure(wrong.get());
                }
            }
        }
        return String.format(Locale.ROOT, "%d times, the longest took %.3f ms", destructions, longestNs / 1e6);
    }

    private static void use(final Loop loop, final AtomicBoolean isDone, final AtomicReference<String> wrong) {
        while (!isDone.get()) {
            final int result = loop.write(WorkFlags.SIGNALED, 0, 1, 0);
            if (result != Errno.OK && result != Errno.ENOMEM && result != Errno.EINVAL) {
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

    /** More completes than the queue holds: an event tells, or the device keeps more than it said. */
    String overrun(final RdmaDevice device) {
        try (Loop loop = new Loop(device, SMALL)) {
            final int granted = loop.sends.capacity();
            int posted = 0;
            for (int burst = 0; posted < 8 * granted && loop.events.isEmpty() && burst < messages; burst++) {
                loop.expectWrites(1);
                if (loop.write(WorkFlags.SIGNALED, 0, 1, posted) != Errno.OK) {
                    break;
                }
                posted++;
                final long startNs = System.nanoTime();
                int arrived = 0;
                while (arrived == 0 && System.nanoTime() - startNs < EVENT_TIMEOUT_NS && loop.events.isEmpty()) {
                    arrived = pollLeniently(loop);
                }
            }
            final long startNs = System.nanoTime();
            while (loop.events.isEmpty() && System.nanoTime() - startNs < EVENT_TIMEOUT_NS) {
                loop.duties();
            }
            return "capacity=" + granted + " completions=" + posted + " events=" + loop.events
                + (loop.events.contains(AsyncEventType.CQ_ERR) ? "" : ", none tells of an overrun");
        }
    }

    private static int pollLeniently(final Loop loop) {
        loop.duties();
        final CompletionQueue queue = loop.receives;
        if (queue.startPoll() != Errno.OK) {
            return 0;
        }
        queue.endPoll();
        return 1;
    }

    /** From the post of one byte until its completion at the other queue pair, by one thread. */
    String latency(final RdmaDevice device) {
        final long[] timesNs = new long[writes];
        try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
            for (int i = 0; i < 2 * writes; i++) {
                loop.expectWrites(1);
                final long startNs = System.nanoTime();
                loop.writeSignalled(0, 1, i);
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

    /** Time for each completion of bursts that wait in the queue already. */
    String drain(final RdmaDevice device) {
        final long[] timesNs = new long[bursts];
        try (Loop loop = new Loop(device, 2 * Loop.WORK)) {
            for (int i = 0; i < 2 * bursts; i++) {
                loop.expectWrites(BURST);
                for (int message = 0; message < BURST; message++) {
                    loop.writeSignalled(0, 1, message);
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
