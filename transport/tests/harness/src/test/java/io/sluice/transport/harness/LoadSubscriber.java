package io.sluice.transport.harness;

import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.Header;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.kit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls a subscription, or one of each of its channels, {@code channel=a;b;...}, on a thread of its own and keeps a
 * journal for each of their images. With {@code limit=n pace-ns=n} it takes so many messages at most each time, and
 * stands still for so long after them, so that publishers have always offered more than it has consumed.
 */
final class LoadSubscriber {
    private final String name;
    private final ImageJournals journals;
    private final boolean isControlled;
    private final int limit;
    private final long paceNs;
    private final SplittableRandom random;
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 100_000);
    private final List<Subscription> subscriptions;
    private final Thread thread;
    private volatile long pauseNs;
    private volatile boolean isPaused;
    private volatile boolean isPausedNow;
    private volatile boolean isLeaving;

    LoadSubscriber(final Line options, final Transport transport, final Path folder) {
        name = options.text("name");
        isControlled = options.text("style", "poll").equals("controlled");
        limit = options.intNumber("limit", 64);
        paceNs = options.number("pace-ns", 0);
        isPaused = options.flag("paused");
        random = new SplittableRandom(options.number("seed", 1));
        final int streamId = options.intNumber("stream");
        journals = new ImageJournals(name, streamId, folder);
        subscriptions = Stream.of(options.text("channel").split(";")).map(channel -> transport.addSubscription(
            channel, streamId, journals::onAvailable, journals::onUnavailable)).toList();
        thread = Thread.ofPlatform().daemon().name("poll-" + name).start(this::run);
    }

    private void run() {
        while (!isLeaving) {
            if (isPaused) {
                isPausedNow = true;
                Thread.yield();
            } else {
                isPausedNow = false;
                poll(pauseNs);
            }
        }
    }

    private void poll(final long currentPauseNs) {
        final int most = currentPauseNs > 0 ? 1 : limit;
        int messages = 0;
        for (final Subscription subscription : subscriptions) {
            messages += isControlled
                ? subscription.controlledPoll(this::onControlledMessage, most)
                : subscription.poll(this::onFragment, most);
        }
        idle.idle(messages);
        if (currentPauseNs > 0) {
            LockSupport.parkNanos(currentPauseNs);
        } else if (messages > 0 && paceNs > 0) {
            LockSupport.parkNanos(paceNs);
        }
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        journals.onMessage(header.image(), buffer, offset, length, header.reservedValue(), header.position());
    }

    private Action onControlledMessage(
        final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int die = random.nextInt(16);
        if (die == 0) {
            return Action.ABORT;
        }
        onFragment(buffer, offset, length, header);
        return die == 1 ? Action.BREAK : die == 2 ? Action.COMMIT : Action.CONTINUE;
    }

    void pause(final boolean pause) {
        isPaused = pause;
        Await.until("pause of " + name, () -> isPausedNow == pause);
    }

    /** Stands still from now on for so long after each message; 0 for full speed. */
    void slow(final long newPauseNs) {
        pauseNs = newPauseNs;
    }

    int images() {
        return subscriptions.stream().mapToInt(Subscription::imageCount).sum();
    }

    long messages() {
        return journals.messages();
    }

    /** Stop polling, then close. */
    void leave() {
        isLeaving = true;
        Await.end(thread);
        subscriptions.forEach(Subscription::close);
    }
}
