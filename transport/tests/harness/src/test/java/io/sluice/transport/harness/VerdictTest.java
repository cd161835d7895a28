package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The judge of pairs is judged here, see {@link DeliveryTest} for that of single images. */
class VerdictTest {
    private static final int SESSION_ID = 7;
    private static final int STREAM_ID = 1;
    private static final int PUBLICATION_ID = 3;
    private static final int MESSAGES = 100;
    private static final int FRAME = 64;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private final Life early = new Life("s", null, 0, 1);
    private final Life publisher = new Life("p", null, SESSION_ID, 2);
    private final Life late = new Life("s", null, 0, 3);
    private int images;

    @BeforeEach
    void publish() {
        write("p", 1, 1);
    }

    private void write(final String name, final int from, final int step) {
        try (JournalWriter writer = journal(name, 0)) {
            for (int i = from; i <= MESSAGES; i += step) {
                writer.begin(i, 8, i);
                writer.end(i, (long) i * FRAME);
            }
        }
    }

    private JournalWriter journal(final String name, final long joinPosition) {
        return new JournalWriter(
            fabric.journals().resolve(name + ".journal"), PUBLICATION_ID, STREAM_ID, joinPosition)
            .sessionId(SESSION_ID);
    }

    /** An image with the messages behind one and up to another. */
    private void image(final int behind, final int last) {
        try (JournalWriter writer = journal("s-" + images++, (long) behind * FRAME)) {
            for (int i = behind + 1; i <= last; i++) {
                writer.write(i, 8, i, (long) i * FRAME);
            }
        }
    }

    private void assertRejected(final String what, final Life subscriber, final boolean isGating) {
        final AssertionError error = assertThrows(
            AssertionError.class, () -> Verdict.judge(fabric, publisher, subscriber, isGating));
        assertTrue(error.getMessage().startsWith(what), error.getMessage());
    }

    @Test
    void shouldAcceptOneImageOfEverything() {
        image(0, MESSAGES);
        publisher.close(4);
        assertEquals(MESSAGES, Verdict.judge(fabric, publisher, early, true));
    }

    @Test
    void shouldPutTheJournalsOfSeveralWritersTogether() {
        write("q.0", 1, 2);
        write("q.1", 2, 2);
        image(0, MESSAGES);
        final Life shared = new Life("q", null, SESSION_ID, 2);
        shared.close(4);
        assertEquals(MESSAGES, Verdict.judge(fabric, shared, early, true));
    }

    @Test
    void shouldNotAcceptThatTwoWritersGotOnePosition() {
        write("q.0", 1, 2);
        write("q.1", 3, 2);
        final Life shared = new Life("q", null, SESSION_ID, 2);
        final AssertionError error =
            assertThrows(AssertionError.class, () -> Verdict.judge(fabric, shared, early, true));
        assertTrue(error.getMessage().startsWith("a position was given twice"), error.getMessage());
    }

    @Test
    void shouldNotAcceptThatTheEndOfAClosedPublicationIsMissing() {
        image(0, MESSAGES - 1);
        publisher.close(4);
        assertRejected("lost at the end", early, true);
    }

    @Test
    void shouldAcceptAPrefixOfAKilledPublicationAndForASubscriptionThatLeft() {
        image(0, MESSAGES - 1);
        publisher.kill(4);
        assertEquals(MESSAGES - 1, Verdict.judge(fabric, publisher, early, true));
    }

    @Test
    void shouldAcceptAPrefixForASubscriptionThatLeft() {
        image(10, MESSAGES - 1);
        late.close(4);
        publisher.close(5);
        assertEquals(MESSAGES - 11, Verdict.judge(fabric, publisher, late, true));
    }

    @Test
    void shouldAcceptAGapBetweenImagesOfAGivenUpLinkOnly() {
        image(0, 50);
        image(60, MESSAGES);
        publisher.close(5);
        assertRejected("more than one image", early, true);
        assertEquals(MESSAGES - 10, Verdict.judge(fabric, publisher, early, false));
        early.giveUp(3);
        assertEquals(MESSAGES - 10, Verdict.judge(fabric, publisher, early, true));
    }

    @Test
    void shouldFindAMessageThatIsInTwoImages() {
        image(0, 50);
        image(49, MESSAGES);
        publisher.giveUp(3);
        publisher.close(4);
        assertRejected("images that overlap", early, true);
    }

    @Test
    void shouldMissTheImageAfterALinkWasGivenUp() {
        image(0, 50);
        publisher.giveUp(3);
        assertRejected("no second image", early, true);
    }

    @Test
    void shouldMissTheBeginningOfAPublicationThatBeganLater() {
        image(1, MESSAGES);
        assertRejected("joined at another place", early, true);
    }

    @Test
    void shouldNotAcceptThatALateSubscriptionHasTheBeginning() {
        image(0, MESSAGES);
        assertRejected("joined at another place", late, true);
    }

    @Test
    void shouldNotAcceptImagesOfAPublicationThatWasOverBefore() {
        image(0, 10);
        publisher.close(3);
        assertRejected("images of a publication that it never met", new Life("s", null, 0, 4), true);
    }

    @Test
    void shouldNotAcceptThatNothingArrived() {
        assertRejected("no image", early, false);
        image(0, 0);
        assertRejected("nothing received", early, true);
    }
}
