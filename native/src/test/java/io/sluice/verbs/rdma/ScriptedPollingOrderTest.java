package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.DataPathLinker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every order of answers that a device can give to a few calls, against what ibv_create_cq_ex(3) and ibv_poll_cq(3) say
 * that a poller may do then: it never starts twice, never goes on or ends without a start, and always ends what began.
 */
class ScriptedPollingOrderTest {
    private static final int EIO = 5;
    private static final int[] ANSWERS = {Errno.OK, Errno.ENOENT, Errno.EBUSY, EIO};
    private static final int LENGTH = 5;
    private static final int BATCH = 3;
    /** Answers that {@code ibv_poll_cq} can give: a full batch, a short one, nothing, and errors. */
    private static final int[] COUNTS = {CompletionBatch.CAPACITY, 2, 0, -1, -22};
    private static final int POLLS = 4;

    @BeforeEach
    void assumeThatJavaMayBeCalled() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
    }

    /** All sequences of a length, digit by digit. */
    private static List<int[]> sequences(final int[] alphabet, final int length) {
        final List<int[]> all = new ArrayList<>();
        final int count = (int) Math.pow(alphabet.length, length);
        for (int number = 0; number < count; number++) {
            final int[] sequence = new int[length];
            int rest = number;
            for (int i = 0; i < length; i++) {
                sequence[i] = alphabet[rest % alphabet.length];
                rest /= alphabet.length;
            }
            all.add(sequence);
        }
        return all;
    }

    @Test
    void shouldKeepToTheOrderOfCallsWhateverADeviceAnswers() {
        try (ScriptedDevice device = new ScriptedDevice()) {
            for (final int[] answers : sequences(ANSWERS, LENGTH)) {
                device.calls.clear();
                final List<String> expected = new ArrayList<>();
                final CompletionQueue queue = device.extended(0, BATCH);
                int used = 0;
                while (used < LENGTH) {
                    used += pollOnce(queue, device, answers, used, expected);
                }
                assertEquals(expected, device.calls, () -> "answers=" + List.of(box(answers)));
            }
        }
    }

    private static Integer[] box(final int[] answers) {
        final Integer[] boxed = new Integer[answers.length];
        for (int i = 0; i < answers.length; i++) {
            boxed[i] = answers[i];
        }
        return boxed;
    }

    /** One turn of a poller, with what must reach the device written down; the answers that it took. */
    private static int pollOnce(
        final CompletionQueue queue, final ScriptedDevice device, final int[] answers, final int from,
        final List<String> expected) {
        int used = from;
        device.starts.add(answers[used]);
        expected.add("start");
        assertEquals(answers[used], queue.startPoll());
        if (answers[used++] != Errno.OK) {
            return used - from;
        }
        int result = Errno.OK;
        for (int taken = 1; result == Errno.OK && used < answers.length; taken++) {
            final boolean isFull = taken == BATCH;
            if (isFull) {
                // the device is not asked: the batch is long enough
                assertEquals(Errno.ENOENT, queue.nextPoll());
                break;
            }
            device.nexts.add(answers[used]);
            expected.add("next");
            result = queue.nextPoll();
            assertEquals(answers[used++], result);
        }
        queue.endPoll();
        expected.add("end");
        return used - from;
    }

    @Test
    void shouldHandOutEveryCompletionOfALegacyQueueOnceWhateverADeviceAnswers() {
        try (ScriptedDevice device = new ScriptedDevice()) {
            final long poll = device.pollFunction();
            final long notify = device.notifyFunction();
            long next = 1;
            for (final int[] counts : sequences(COUNTS, POLLS)) {
                device.polls.clear();
                device.calls.clear();
                int available = 0;
                for (final int count : counts) {
                    device.polls.add(count);
                    available += Math.max(0, count);
                }
                final CompletionQueue queue = device.legacy(0, notify, poll);
                final long last = next + available;
                while (!device.polls.isEmpty() || next < last) {
                    next = drain(queue, next);
                }
                assertEquals(last, next);
                // a full batch may not have been all
                final boolean asksOnce = counts[POLLS - 1] != CompletionBatch.CAPACITY;
                assertEquals(asksOnce ? POLLS : POLLS + 1, device.calls.size(), "calls of ibv_poll_cq");
            }
        }
    }

    /** One turn of a poller; the id that comes next. */
    private static long drain(final CompletionQueue queue, final long first) {
        long next = first;
        if (queue.startPoll() == Errno.OK) {
            do {
                assertEquals(next++, queue.workRequestId());
            } while (queue.nextPoll() == Errno.OK);
            queue.endPoll();
        }
        return next;
    }
}
