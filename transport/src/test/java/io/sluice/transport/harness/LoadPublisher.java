package io.sluice.transport.harness;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Publishes random messages from a thread of its own, in every way the API has, and keeps a journal of them.
 */
final class LoadPublisher {
    private static final int ABORT_ONE_IN = 64;

    private final Line options;
    private final String name;
    private final ExclusivePublication publication;
    private final JournalWriter journal;
    private final SplittableRandom random;
    private final Payload payload;
    private final Lengths lengths;
    private final BufferClaim claim = new BufferClaim();
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 100_000);
    private final Thread thread;
    private long backPressured;
    private long notConnected;
    private volatile boolean isHeld;
    private volatile boolean isHalted;

    LoadPublisher(final Line options, final ExclusivePublication publication, final Path journals) {
        this.options = options;
        this.publication = publication;
        name = options.text("name");
        final int id = options.intNumber("id");
        journal = new JournalWriter(journals.resolve(name + ".journal"), id, publication.streamId(), 0);
        random = new SplittableRandom(options.number("seed", id));
        payload = new Payload(id, publication.streamId(), random, publication.maxMessageLength());
        lengths = Lengths.valueOf(options.text("lengths", "small").toUpperCase(Locale.ROOT));
        isHeld = options.flag("hold");
        thread = Thread.ofPlatform().daemon().name("publish-" + name).start(this::run);
    }

    ExclusivePublication publication() {
        return publication;
    }

    void go() {
        isHeld = false;
    }

    /** Stop offering, without a word to the publication. */
    void halt() {
        isHalted = true;
        Await.end(thread);
    }

    private void run() {
        while (isHeld && !isHalted) {
            Thread.yield();
        }
        final long count = options.number("count", Integer.MAX_VALUE);
        final long pauseNs = options.number("pause-ns", 0);
        final int fixed = options.intNumber("length", -1);
        long result = 0;
        int sequence = 1;
        while (sequence <= count && !isHalted && result >= 0) {
            payload.next(sequence, fixed >= 0 ? fixed : lengths.next(random, publication.maxMessageLength()));
            result = publish(sequence);
            sequence++;
            if (pauseNs > 0) {
                spin(pauseNs);
            }
        }
        PeerMain.say("PUBLISHED name=" + name + " count=" + journal.records() + " position=" + publication.position()
            + " back-pressured=" + backPressured + " not-connected=" + notConnected + " result="
            + Publication.errorString(result));
    }

    private static void spin(final long durationNs) {
        if (durationNs >= TimeUnit.MILLISECONDS.toNanos(1)) {
            java.util.concurrent.locks.LockSupport.parkNanos(durationNs);
            return;
        }
        final long begin = System.nanoTime();
        while (System.nanoTime() - begin < durationNs) {
            Thread.onSpinWait();
        }
    }

    private long publish(final int sequence) {
        journal.begin(sequence, payload.length(), payload.checksum());
        idle.reset();
        while (true) {
            final long position = offer(sequence);
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

    private long offer(final int sequence) {
        final int kind = sequence & 3;
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
            claim.reservedValue(sequence).commit();
        }
        return position;
    }

    void close() {
        publication.close();
        Await.end(thread);
        journal.close();
    }
}
