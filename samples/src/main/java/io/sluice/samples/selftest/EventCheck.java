package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A queue that is armed announces its next completion on its channel: once it is armed, armed again while it is empty,
 * and armed again with a completion in it. An event that nobody asked for is counted and no fault, since it costs no
 * more than a poll. One thread, and another that waits.
 */
final class EventCheck {
    private static final int ROUNDS = 200;
    private static final int WAKE_UPS = 200;

    private final Loop loop;
    private final CompletionChannel channel;
    private final long timeoutNs;
    private final int divisor;
    private int events;
    private int extra;

    private EventCheck(final Loop loop, final long timeoutNs, final int divisor) {
        this.loop = loop;
        channel = loop.options.channel();
        this.timeoutNs = timeoutNs;
        this.divisor = divisor;
    }

    /** Run the checks of both queues of connected queue pairs, of waking up, and of solicited events. */
    static String run(final RdmaDevice device, final long timeoutNs, final int divisor) {
        try (CompletionChannel channel = device.createCompletionChannel();
            Loop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT.withChannel(channel))) {
            final EventCheck check = new EventCheck(loop, timeoutNs, divisor);
            check.announce(loop.receives);
            check.announce(loop.sends);
            final String solicited = check.solicit();
            final String wakeUps = check.wakeUp();
            return check.figures() + ", solicited ones: " + solicited + ", " + wakeUps;
        }
    }

    /** Checks the queue of sends of datagrams, which complete also where they are lost. */
    static String runDatagrams(final RdmaDevice device, final long timeoutNs, final int divisor) {
        try (CompletionChannel channel = device.createCompletionChannel();
            Loop loop = DatagramLoop.open(device, LoopOptions.DEFAULT.withChannel(channel), 1)) {
            final EventCheck check = new EventCheck(loop, timeoutNs, divisor);
            check.announce(loop.sends);
            return check.figures();
        }
    }

    private String figures() {
        return "events=" + events + ", not asked for=" + extra;
    }

    private void announce(final CompletionQueue queue) {
        for (int round = 0; round < Math.max(1, ROUNDS / divisor); round++) {
            arm(queue);
            send(WorkFlags.SIGNALED);
            await(queue, "armed");
            complete();

            arm(queue);
            arm(queue);
            send(WorkFlags.SIGNALED);
            await(queue, "armed twice while it is empty");
            complete();

            arm(queue);
            send(WorkFlags.SIGNALED);
            await(queue, "armed");
            Loop.require("ibv_req_notify_cq", queue.requestNotify(false));
            complete();
            loop.requireEmpty(queue);
            send(WorkFlags.SIGNALED);
            await(queue, "armed before the completion that it has announced was polled");
            complete();
        }
    }

    /** Arm an empty queue, and poll it, as whoever is about to wait must. */
    private void arm(final CompletionQueue queue) {
        Loop.require("ibv_req_notify_cq", queue.requestNotify(false));
        loop.requireEmpty(queue);
    }

    private void send(final int flags) {
        loop.expect(1);
        Loop.require("ibv_post_send", loop.send(flags, 0, 1, 0));
    }

    private void await(final CompletionQueue queue, final String how) {
        requireEvent(channel.getEvent(timeoutNs), queue, how);
    }

    private void requireEvent(final CompletionQueue found, final CompletionQueue queue, final String how) {
        if (found != null) {
            found.acknowledgeEvents(1);
        }
        if (found != queue) {
            throw new CheckFailure((found == null ? "no event comes for the queue of " : "an event is for another queue"
                + " than that of ") + (queue == loop.sends ? "sends, " : "receives, ") + how + ", after events="
                + events);
        }
        events++;
    }

    /** Take what was sent, and the events that nobody has asked for. */
    private void complete() {
        loop.take(loop.sends, 1, queue -> { });
        if (loop instanceof ConnectedLoop) {
            loop.take(loop.receives, 1, queue -> { });
        } else {
            // whatever has arrived: one may be lost, or late
            loop.poll(loop.receives, Loop.WORK, queue -> { });
        }
        for (CompletionQueue found = channel.getEvent(0); found != null; found = channel.getEvent(0)) {
            found.acknowledgeEvents(1);
            extra++;
        }
    }

    private String solicit() {
        final int result = loop.receives.requestNotify(true);
        if (result == Errno.EOPNOTSUPP) {
            return "not there";
        }
        Loop.require("ibv_req_notify_cq for solicited completions only", result);
        loop.requireEmpty(loop.receives);
        send(WorkFlags.SIGNALED | WorkFlags.SOLICITED);
        await(loop.receives, "armed for solicited completions only, after a send that was marked so");
        complete();
        return "there";
    }

    /** Measures the time from the post of a byte until a thread goes on that waits for the event. */
    private String wakeUp() {
        final long[] timesNs = new long[Math.max(1, WAKE_UPS / divisor)];
        final long[] wokenNs = {0};
        for (int i = 0; i < timesNs.length; i++) {
            arm(loop.receives);
            final AtomicBoolean isWaiting = new AtomicBoolean();
            final AtomicReference<CompletionQueue> found = new AtomicReference<>();
            final AtomicReference<VerbsException> failure = new AtomicReference<>();
            final Helper waiter = Helper.start("selftest-waiter", () -> {
                isWaiting.set(true);
                try {
                    found.set(channel.getEvent(timeoutNs));
                } catch (final VerbsException e) {
                    failure.set(e);
                }
                wokenNs[0] = System.nanoTime();
            });
            final long startNs;
            try {
                while (!isWaiting.get()) {
                    Thread.onSpinWait();
                }
                startNs = System.nanoTime();
                send(WorkFlags.SIGNALED);
            } finally {
                waiter.await();
            }
            if (failure.get() != null) {
                throw failure.get();
            }
            requireEvent(found.get(), loop.receives, "for which a thread waits");
            timesNs[i] = wokenNs[0] - startNs;
            complete();
        }
        Arrays.sort(timesNs);
        return String.format(Locale.ROOT, "woken after p50=%.1f us", timesNs[timesNs.length / 2] / 1e3);
    }
}
