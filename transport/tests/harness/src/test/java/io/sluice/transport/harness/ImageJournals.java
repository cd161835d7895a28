package io.sluice.transport.harness;

import io.sluice.transport.Image;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/**
 * A journal for each image that one consumer has, and what the consumer must never see. Images come and go on the
 * callback thread, messages are written by the consumer's.
 */
final class ImageJournals {
    private final String name;
    private final Path folder;
    private final int streamId;
    private final Payload.Check check;
    private final Map<Image, ImageJournal> images = new ConcurrentHashMap<>();
    private final AtomicInteger imageCount = new AtomicInteger();
    private ImageJournal current;
    private volatile long messages;

    ImageJournals(final String name, final int streamId, final Path folder) {
        this.name = name;
        this.folder = folder;
        this.streamId = streamId;
        check = new Payload.Check(streamId);
    }

    String name() {
        return name;
    }

    long messages() {
        return messages;
    }

    void onAvailable(final Image image) {
        final ImageJournal journal = new ImageJournal(image, imageCount.getAndIncrement());
        images.put(image, journal);
        PeerMain.say("AVAILABLE name=" + name + " index=" + journal.index + " session=" + image.sessionId() + " join="
            + image.joinPosition());
    }

    void onUnavailable(final Image image) {
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

    void onMessage(
        final Image image,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final long reservedValue,
        final long position) {
        final ImageJournal journal = journalOf(image);
        check.read(buffer, offset, length, reservedValue);
        journal.write(length, position);
        messages++;
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

    /** The record of all that was received of one image. Written by the consumer's thread. */
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
                folder.resolve(String.format(Locale.ROOT, "%s-%03d.journal", name, index)),
                JournalWriter.UNKNOWN_ID, streamId, image.joinPosition()).sessionId(image.sessionId());
        }

        void write(final int length, final long position) {
            final int id = check.publicationId();
            if (id != JournalWriter.UNKNOWN_ID && id != publicationId) {
                if (publicationId == JournalWriter.UNKNOWN_ID) {
                    publicationId = id;
                    writer.publicationId(id);
                } else {
                    check.reject();
                }
            }
            writer.write(check.sequence(), length, check.checksum(), position);
        }
    }
}
