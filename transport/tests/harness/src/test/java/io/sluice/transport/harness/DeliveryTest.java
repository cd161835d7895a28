package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of the end-to-end tests is judged here: it must find every kind of damage. */
class DeliveryTest {
    private static final int STREAM_ID = 10;
    private static final int PUBLICATION_ID = 3;
    /** More than one mapped segment of a journal. */
    private static final int MESSAGES = 300_000;
    private static final long FRAME = 64;

    @TempDir
    private Path folder;
    private Journal sent;

    @BeforeEach
    void publish() {
        try (JournalWriter writer = new JournalWriter(folder.resolve("p.journal"), PUBLICATION_ID, STREAM_ID, 0)) {
            for (int i = 1; i <= MESSAGES; i++) {
                writer.begin(i, length(i), checksum(i));
                writer.end(checksum(i), i * FRAME);
            }
        }
        sent = Journal.open(folder.resolve("p.journal"));
    }

    private static int length(final int sequence) {
        return sequence % 40;
    }

    private static int checksum(final int sequence) {
        return sequence * 0x9E37_79B9;
    }

    private static void write(final JournalWriter writer, final int from, final int to) {
        for (int i = from; i <= to; i++) {
            writer.write(i, length(i), checksum(i), i * FRAME);
        }
    }

    private Journal received(final long joinPosition, final Consumer<JournalWriter> messages) {
        final Path file = folder.resolve("s.journal");
        try (JournalWriter writer = new JournalWriter(file, PUBLICATION_ID, STREAM_ID, joinPosition)) {
            messages.accept(writer);
        }
        return Journal.open(file);
    }

    private void assertRejected(final String what, final Consumer<JournalWriter> messages) {
        final Journal received = received(0, messages);
        final AssertionError error = assertThrows(AssertionError.class, () -> Delivery.assertComplete(sent, received));
        assertTrue(error.getMessage().startsWith(what), error.getMessage());
    }

    @Test
    void shouldAcceptACompleteRun() {
        assertEquals(MESSAGES, Delivery.assertComplete(sent, received(0, writer -> write(writer, 1, MESSAGES))));
    }

    @Test
    void shouldAcceptARunFromTheJoinPositionOn() {
        final Journal received = received(500 * FRAME, writer -> write(writer, 501, MESSAGES));
        assertEquals(MESSAGES - 500, Delivery.assertComplete(sent, received));
    }

    @Test
    void shouldAcceptAPrefixOnlyAsAPrefix() {
        final Journal received = received(0, writer -> write(writer, 1, 1000));
        assertEquals(1000, Delivery.assertPrefix(sent, received));
        final AssertionError error = assertThrows(AssertionError.class, () -> Delivery.assertComplete(sent, received));
        assertTrue(error.getMessage().startsWith("lost at the end"), error.getMessage());
    }

    @Test
    void shouldFindALostMessage() {
        assertRejected("lost", writer -> {
            write(writer, 1, 5000);
            write(writer, 5002, MESSAGES);
        });
    }

    @Test
    void shouldFindALostFirstMessage() {
        assertRejected("lost", writer -> write(writer, 2, MESSAGES));
    }

    @Test
    void shouldFindADuplicate() {
        assertRejected("duplicated", writer -> {
            write(writer, 1, 5000);
            write(writer, 5000, MESSAGES);
        });
    }

    @Test
    void shouldFindADuplicateOfTheLastMessage() {
        assertRejected("received what was never sent", writer -> {
            write(writer, 1, MESSAGES);
            write(writer, MESSAGES, MESSAGES);
        });
    }

    @Test
    void shouldFindReordering() {
        assertRejected("lost", writer -> {
            write(writer, 1, 10);
            write(writer, 12, 12);
            write(writer, 11, 11);
            write(writer, 13, MESSAGES);
        });
    }

    @Test
    void shouldFindCorruption() {
        assertRejected("content corrupted", writer -> {
            write(writer, 1, 10);
            writer.write(11, length(11), checksum(11) ^ 1, 11 * FRAME);
        });
        folder.resolve("s.journal").toFile().delete();
        assertRejected("length corrupted", writer -> writer.write(1, length(2), checksum(1), FRAME));
        folder.resolve("s.journal").toFile().delete();
        assertRejected("position corrupted", writer -> writer.write(1, length(1), checksum(1), 2 * FRAME));
    }

    @Test
    void shouldNotMixStreamsNorPublications() {
        final Path file = folder.resolve("other.journal");
        new JournalWriter(file, PUBLICATION_ID, STREAM_ID + 1, 0).close();
        assertThrows(AssertionError.class, () -> Delivery.assertPrefix(sent, Journal.open(file)));
        final Path foreign = folder.resolve("foreign.journal");
        try (JournalWriter writer = new JournalWriter(foreign, PUBLICATION_ID + 1, STREAM_ID, 0)) {
            write(writer, 1, 10);
        }
        assertThrows(AssertionError.class, () -> Delivery.assertPrefix(sent, Journal.open(foreign)));
    }

    @Test
    void shouldNotKnowWhetherTheMessageOfAKilledPublisherWasSent() {
        final Path file = folder.resolve("killed.journal");
        try (JournalWriter writer = new JournalWriter(file, PUBLICATION_ID, STREAM_ID, 0)) {
            for (int i = 1; i <= 3; i++) {
                writer.begin(i, length(i), checksum(i));
                if (i < 3) {
                    writer.end(checksum(i), i * FRAME);
                }
            }
        }
        final Journal killed = Journal.open(file);
        assertEquals(3, Delivery.assertComplete(killed, received(0, writer -> write(writer, 1, 3))));
        folder.resolve("s.journal").toFile().delete();
        assertEquals(2, Delivery.assertComplete(killed, received(0, writer -> write(writer, 1, 2))));
    }

    @Test
    void shouldForgetAMessageThatWasWithdrawn() {
        final Path file = folder.resolve("halted.journal");
        try (JournalWriter writer = new JournalWriter(file, PUBLICATION_ID, STREAM_ID, 0)) {
            writer.begin(1, 5, 5);
            writer.end(5, FRAME);
            writer.begin(2, 6, 6);
            writer.withdraw();
        }
        assertEquals(1, Journal.open(file).records());
    }
}
