package io.sluice.transport.harness;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Publication;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Offers random messages to a publication in every way the API has, and keeps a journal of them. When several write to
 * one publication, each has every n-th sequence. The writing thread; any other lets it go and halts it.
 */
final class LoadWriter {
    private static final int ABORT_ONE_IN = 64;
    private static final long HOLD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SEED_STEP = 1_000_003;

    private final Line options;
    private final Publication publication;
    private final int index;
    private final int stride;
    private final JournalWriter journal;
    private final SplittableRandom random;
    private final Payload payload;
    private final Lengths lengths;
    private final BufferClaim claim = new BufferClaim();
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 100_000);
    private volatile long backPressured;
    private volatile boolean isHeld;
    private volatile boolean isHalted;
    private long notConnected;
    private long result;

    LoadWriter(final Line options, final Publication publication, final int index, final Path file) {
        this.options = options;
        this.publication = publication;
        this.index = index;
        stride = options.intNumber("writers", 1);
        final int id = options.intNumber("id");
        journal = new JournalWriter(file, id, publication.streamId(), 0).sessionId(publication.sessionId());
        random = new SplittableRandom(options.number("seed", id) + index * SEED_STEP);
        payload = new Payload(id, publication.streamId(), random, publication.maxMessageLength());
        lengths = Lengths.valueOf(options.text("lengths", "small").toUpperCase(Locale.ROOT));
        isHeld = options.flag("hold");
    }

    void go() {
        isHeld = false;
    }

    void halt() {
        isHalted = true;
    }

    /** Offers so far that were answered with BACK_PRESSURED. */
    long backPressured() {
        return backPressured;
    }

    /** Offers that were answered with NOT_CONNECTED; when the thread has ended. */
    long notConnected() {
        return notConnected;
    }

    /** The result of the last offer; when the thread has ended. */
    long result() {
        return result;
    }

    /** Messages sent; when the thread has ended. */
    long records() {
        return journal.records();
    }

    void run() {
        while (isHeld && !isHalted) {
            LockSupport.parkNanos(HOLD_NS);
        }
        final long count = options.number("count", Integer.MAX_VALUE);
        final long pauseNs = options.number("pause-ns", 0);
        final int burst = options.intNumber("burst", 1);
        final int fixed = options.intNumber("length", -1);
        int sent = 0;
        int sequence = index + 1;
        while (sequence <= count && !isHalted && result >= 0) {
            payload.next(sequence, fixed >= 0 ? fixed : lengths.next(random, publication.maxMessageLength()));
            result = publish(sequence, sent & 3);
            sequence += stride;
            sent++;
            if (pauseNs > 0 && sent % burst == 0) {
                pause(pauseNs);
            }
        }
    }

    private static void pause(final long durationNs) {
        if (durationNs >= TimeUnit.MILLISECONDS.toNanos(1)) {
            LockSupport.parkNanos(durationNs);
            return;
        }
        final long begin = System.nanoTime();
        while (System.nanoTime() - begin < durationNs) {
            Thread.onSpinWait();
        }
    }

    private long publish(final int sequence, final int kind) {
        journal.begin(sequence, payload.length(), payload.checksum());
        idle.reset();
        while (true) {
            final long position = offer(sequence, kind);
            if (position > 0) {
                journal.end(payload.checksum(), position);
                return position;
            }
            if (position == Publication.BACK_PRESSURED) {
                backPressured++;
            } else if (position == Publication.NOT_CONNECTED) {
                notConnected++;
            } else if (position != Publication.ADMIN_ACTION) {
                journal.withdraw();
                return position;
            }
            if (isHalted) {
                journal.withdraw();
                return 0;
            }
            idle.idle();
        }
    }

    private long offer(final int sequence, final int kind) {
        if (kind == 0) {
            return claim(sequence);
        } else if (kind == 1 && payload.hasHeader()) {
            return publication.offer(
                payload.header(), 0, Payload.HEADER_LENGTH,
                payload.content(), payload.contentOffset(), payload.length() - Payload.HEADER_LENGTH);
        }
        return publication.offer(payload.contiguous(), 0, payload.length(), sequence);
    }

    private long claim(final int sequence) {
        if (random.nextInt(ABORT_ONE_IN) == 0) {
            final long position = publication.tryClaim(payload.length(), claim);
            if (position < 0) {
                return position;
            }
            claim.buffer().setMemory(0, payload.length(), (byte) 0x5A);
            claim.abort();
        }
        final long position = publication.tryClaim(payload.length(), claim);
        if (position > 0) {
            payload.copyTo(claim.buffer());
            return commit(sequence) ? position : Publication.CLOSED;
        }
        return position;
    }

    /** Publications are closed under their writers here; a claim that was open is then refused, and not sent. */
    private boolean commit(final int sequence) {
        try {
            claim.reservedValue(sequence).commit();
            return true;
        } catch (final IllegalStateException ex) {
            if (publication.isClosed()) {
                return false;
            }
            throw ex;
        }
    }

    void close() {
        journal.close();
    }
}
