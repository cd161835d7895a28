package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.Audit.Debt;
import io.sluice.transport.send.SendLog;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The judge who counts is judged here. */
class AuditTest {
    private static final int SESSION_ID = 7;
    private static final int MESSAGES = 100;
    private static final int LENGTH = 8;
    private static final int FRAME = SendLog.alignedLength(LENGTH);
    private static final Debt PREFIX = new Debt(true, false);
    private static final Debt ALL = new Debt(true, true);
    private static final Debt GIVEN_UP = new Debt(false, true);

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private int images;

    private void publish(final int count, final boolean isLastKnown) {
        try (JournalWriter writer = journal("p", 0)) {
            for (int i = 1; i <= count; i++) {
                writer.begin(i, LENGTH, i);
                if (i < count || isLastKnown) {
                    writer.end(i, (long) i * FRAME);
                }
            }
        }
    }

    private JournalWriter journal(final String name, final long joinPosition) {
        return new JournalWriter(fabric.journals().resolve(name + ".journal"), 3, 1, joinPosition)
            .sessionId(SESSION_ID);
    }

    /** An image with these messages, by their sequences. */
    private void image(final int joinBehind, final int... sequences) {
        try (JournalWriter writer = journal("s-" + images++, (long) joinBehind * FRAME)) {
            for (final int sequence : sequences) {
                writer.write(sequence, LENGTH, sequence, (long) sequence * FRAME);
            }
        }
    }

    private static int[] range(final int from, final int to) {
        return IntStream.rangeClosed(from, to).toArray();
    }

    private void assertCounts(
        final Debt debt, final long messages, final long lost, final long duplicated, final long corrupted) {
        final Audit audit = judge(debt, "");
        final String found = "lost=" + audit.lost() + " duplicated=" + audit.duplicated() + " corrupted="
            + audit.corrupted() + " " + audit.firstFinding();
        assertEquals(messages, audit.messages(), found);
        assertEquals(lost, audit.lost(), found);
        assertEquals(duplicated, audit.duplicated(), found);
        assertEquals(corrupted, audit.corrupted(), found);
        if (lost + duplicated + corrupted > 0) {
            assertNotNull(audit.firstFinding());
            assertFalse(audit.isFlawless());
        } else {
            assertTrue(audit.isFlawless());
        }
    }

    private Audit judge(final Debt debt, final String errors) {
        final Audit audit = new Audit(fabric.journals());
        audit.judge("p", SESSION_ID, "s", errors, debt);
        return audit;
    }

    @Test
    void shouldFindNothingInACompleteImage() {
        publish(MESSAGES, true);
        image(0, range(1, MESSAGES));
        assertCounts(ALL, MESSAGES, 0, 0, 0);
    }

    @Test
    void shouldFindNothingWhenThereIsNoImage() {
        publish(MESSAGES, true);
        assertCounts(ALL, 0, 0, 0, 0);
    }

    @Test
    void shouldCountWhatIsMissingInTheMiddle() {
        publish(MESSAGES, true);
        image(0, 1, 2, 3, 7, 8, 10);
        assertCounts(PREFIX, 6, 4, 0, 0);
    }

    @Test
    void shouldCountWhatIsMissingAtTheEndOnlyWhenItIsOwed() {
        publish(MESSAGES, true);
        image(0, range(1, 90));
        assertCounts(PREFIX, 90, 0, 0, 0);
        assertCounts(ALL, 90, 10, 0, 0);
    }

    @Test
    void shouldCountWhatIsMissingAtTheBeginningBehindTheJoinPosition() {
        publish(MESSAGES, true);
        image(10, range(13, MESSAGES));
        assertCounts(ALL, MESSAGES - 12, 2, 0, 0);
    }

    @Test
    void shouldCountWhatIsMissingBetweenImagesUnlessOneWasGivenUp() {
        publish(MESSAGES, true);
        image(0, range(1, 40));
        image(50, range(51, MESSAGES));
        assertCounts(ALL, 90, 10, 0, 0);
        assertCounts(GIVEN_UP, 90, 0, 0, 0);
    }

    @Test
    void shouldSayWhetherTheProcessesHaveToldOfTheSession() {
        publish(MESSAGES, true);
        image(0, range(1, 40));
        image(50, range(51, MESSAGES));
        final String told = "image given up: sessionId=" + SESSION_ID + ";";
        final String finding = judge(ALL, told + "\nlink given up: sessionId=70").firstFinding();
        assertTrue(finding.endsWith("told " + told), finding);
        final String silent = judge(ALL, "link given up: sessionId=70").firstFinding();
        assertTrue(silent.endsWith("told nothing of this sessionId"), silent);
    }

    @Test
    void shouldCountWhatIsThereTwice() {
        publish(MESSAGES, true);
        image(0, 1, 2, 3, 3, 4, 2, 5);
        assertCounts(PREFIX, 7, 0, 2, 0);
    }

    @Test
    void shouldCountWhatIsInTwoImages() {
        publish(MESSAGES, true);
        image(0, range(1, 40));
        image(30, range(31, MESSAGES));
        assertCounts(GIVEN_UP, 110, 0, 10, 0);
    }

    @Test
    void shouldCountWhatHasChanged() {
        publish(MESSAGES, true);
        try (JournalWriter writer = journal("s-0", 0)) {
            writer.write(1, LENGTH, 1, FRAME);
            writer.write(2, LENGTH, 17, 2L * FRAME);
            writer.write(3, LENGTH - 1, 3, 3L * FRAME);
            writer.write(Payload.BAD_SEQUENCE, LENGTH, 4, 4L * FRAME);
            writer.write(5, LENGTH, 5, 2L * MESSAGES * FRAME);
            writer.write(6, LENGTH, 6, 6L * FRAME);
        }
        assertCounts(PREFIX, 6, 0, 0, 4);
    }

    @Test
    void shouldCountWhatWasNeverSent() {
        publish(MESSAGES, true);
        image(0, range(1, MESSAGES + 2));
        assertCounts(ALL, MESSAGES + 2, 0, 0, 2);
    }

    @Test
    void shouldTakeTheLastMessageOfAKilledPublisherForSent() {
        publish(MESSAGES, false);
        image(0, range(1, MESSAGES));
        assertCounts(PREFIX, MESSAGES, 0, 0, 0);
    }

    @Test
    void shouldNotCountTheLastMessageWhoseHandlerWasToldThatItChanged() {
        publish(MESSAGES, true);
        try (JournalWriter writer = journal("s-0", 0)) {
            writer.write(1, LENGTH, 1, FRAME);
            writer.write(2, LENGTH, 17, 2L * FRAME);
        }
        final String told = "a message changed under its handler: position=" + FRAME + "; take it for lost";
        assertTrue(judge(GIVEN_UP, told).lost() == MESSAGES - 1);
        assertEquals(0, judge(GIVEN_UP, told).corrupted());
        assertEquals(1, judge(GIVEN_UP, "").corrupted());
    }

    @Test
    void shouldMissNothingOfAnImageThatJoinsAtTheEnd() {
        publish(MESSAGES, true);
        image(0, range(1, 50));
        image(MESSAGES);
        assertCounts(GIVEN_UP, 50, 0, 0, 0);
        assertCounts(ALL, 50, 50, 0, 0);
    }
}
