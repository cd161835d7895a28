package io.sluice.samples;

import io.sluice.transport.Publication;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * Runs a {@link MarketFeed} at a rate and offers its messages to one publication. A market cannot leave out a
 * message: under back-pressure it waits, and the market with it. One thread runs it; any thread may read the counts.
 */
final class FeedPublisher implements Runnable {
    private static final long UNCONNECTED_PAUSE_NS = 1_000_000;

    private final Publication publication;
    private final MarketFeed feed;
    private final FixedRate schedule;
    private final StopSignal stop;
    private final IdleStrategy idleStrategy = new BackoffIdleStrategy();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();

    /**
     * A feed that has not begun.
     *
     * @param publication to offer to; this thread's own.
     * @param seed        of the market.
     * @param instruments in the market.
     * @param rate        events per second, 0 for as many as possible.
     * @param stop        ends the loop.
     */
    FeedPublisher(
        final Publication publication, final long seed, final int instruments, final long rate,
        final StopSignal stop) {
        this.publication = publication;
        this.stop = stop;
        schedule = rate == 0 ? null : new FixedRate(rate);
        feed = new MarketFeed(seed, instruments,
            new MarketDataWriter(instruments, SystemEpochNanoClock.INSTANCE, this::send));
    }

    @Override
    public void run() {
        while (!publication.isConnected() && !stop.isRequested()) {
            LockSupport.parkNanos(UNCONNECTED_PAUSE_NS);
        }
        feed.open();
        if (schedule != null) {
            schedule.start(System.nanoTime());
        }
        while (!stop.isRequested()) {
            if (schedule == null) {
                feed.step();
            } else if (schedule.isDue(System.nanoTime())) {
                feed.step();
                schedule.onSent(System.nanoTime());
            } else {
                idleStrategy.idle();
            }
        }
    }

    private void send(final DirectBuffer message, final int length) {
        long result = publication.offer(message, 0, length);
        while (result < 0 && !stop.isRequested()) {
            if (result == Publication.BACK_PRESSURED) {
                backPressured.lazySet(backPressured.get() + 1);
            } else if (result != Publication.ADMIN_ACTION && result != Publication.NOT_CONNECTED) {
                throw new RunFailure("cannot publish: " + Publication.errorString(result));
            }
            idleStrategy.idle();
            result = publication.offer(message, 0, length);
        }
        idleStrategy.reset();
        if (result > 0) {
            sent.lazySet(sent.get() + 1);
        }
    }

    /** Messages that were offered with success. */
    long sent() {
        return sent.get();
    }

    /** Offers that were refused because the slowest subscription is a window behind. */
    long backPressured() {
        return backPressured.get();
    }
}
