package io.sluice.transport.harness;

import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls a subscription on a thread of its own and keeps a journal for each of its images.
 */
final class LoadSubscriber {
    private final String name;
    private final Path journals;
    private final boolean isControlled;
    private final int limit;
    private final int streamId;
    private final SplittableRandom random;
    private final Payload.Check check;
    private final Map<Image, ImageJournal> images = new ConcurrentHashMap<>();
    private final AtomicInteger imageCount = new AtomicInteger();
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 100_000);
    private final Subscription subscription;
    private final Thread thread;
    private ImageJournal current;
    private volatile long messages;
    private volatile boolean isPaused;
    private volatile boolean isPausedNow;
    private volatile boolean isLeaving;

    LoadSubscriber(final Line options, final Transport transport, final Path journals) {
        this.journals = journals;
        name = options.text("name");
        isControlled = options.text("style", "poll").equals("controlled");
        limit = options.intNumber("limit", 64);
        isPaused = options.flag("paused");
        random = new SplittableRandom(options.number("seed", 1));
        streamId = options.intNumber("stream");
        check = new Payload.Check(streamId);
        subscription = transport.addSubscription(
            options.text("channel"), streamId, this::onAvailable, this::onUnavailable);
        thread = Thread.ofPlatform().daemon().name("poll-" + name).start(this::run);
    }

    private void onAvailable(final Image image) {
        final ImageJournal journal = new ImageJournal(image, imageCount.getAndIncrement());
        images.put(image, journal);
        PeerMain.say("AVAILABLE name=" + name + " index=" + journal.index + " session=" + image.sessionId() + " join="
            + image.joinPosition());
    }

    private void onUnavailable(final Image image) {
        final ImageJournal journal = images.get(image);
        if (journal == null || journal.isOver) {
            PeerMain.say("FAILED what=unavailable-without-available name=" + name);
            return;
        }
        journal.isOver = true;
        PeerMain.say("UNAVAILABLE name=" + name + " index=" + journal.index + " session=" + image.sessionId()
            + " position=" + image.position() + " end=" + image.isEndOfStream() + " messages="
            + journal.writer.records());
    }

    private void run() {
        while (!isLeaving) {
            if (isPaused) {
                isPausedNow = true;
                Thread.yield();
            } else {
                isPausedNow = false;
                idle.idle(isControlled
                    ? subscription.controlledPoll(this::onControlledMessage, limit)
                    : subscription.poll(this::onMessage, limit));
            }
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final ImageJournal journal = journalOf(header.image());
        check.read(buffer, offset, length, header.reservedValue());
        journal.write(check, length, header.position());
        messages++;
    }

    private Action onControlledMessage(
        final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int die = random.nextInt(16);
        if (die == 0) {
            return Action.ABORT;
        }
        onMessage(buffer, offset, length, header);
        return die == 1 ? Action.BREAK : die == 2 ? Action.COMMIT : Action.CONTINUE;
    }

    private ImageJournal journalOf(final Image image) {
        if (current == null || current.image != image) {
            current = images.get(image);
            if (current == null) {
                PeerMain.say("FAILED what=message-before-available name=" + name);
                current = new ImageJournal(image, imageCount.getAndIncrement());
                images.put(image, current);
            }
        }
        if (current.isOver) {
            PeerMain.say("FAILED what=message-after-unavailable name=" + name);
        }
        return current;
    }

    void pause(final boolean pause) {
        isPaused = pause;
        Await.until("pause of " + name, () -> isPausedNow == pause);
    }

    long messages() {
        return messages;
    }

    /** Stop polling, then close. */
    void leave() {
        isLeaving = true;
        Await.end(thread);
        subscription.close();
    }

    /** What was received of one image. Written by the polling thread. */
    private final class ImageJournal {
        private final Image image;
        private final int index;
        private final JournalWriter writer;
        private int publicationId = JournalWriter.UNKNOWN_ID;
        private volatile boolean isOver;

        ImageJournal(final Image image, final int index) {
            this.image = image;
            this.index = index;
            writer = new JournalWriter(
                journals.resolve(String.format("%s-%03d.journal", name, index)),
                JournalWriter.UNKNOWN_ID, streamId, image.joinPosition());
        }

        void write(final Payload.Check message, final int length, final long position) {
            if (message.publicationId() != JournalWriter.UNKNOWN_ID && message.publicationId() != publicationId) {
                if (publicationId == JournalWriter.UNKNOWN_ID) {
                    publicationId = message.publicationId();
                    writer.publicationId(publicationId);
                } else {
                    message.reject();
                }
            }
            writer.write(message.sequence(), length, message.checksum(), position);
        }
    }
}
