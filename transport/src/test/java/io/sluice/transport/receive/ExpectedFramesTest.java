package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.SendLog;
import org.junit.jupiter.api.Test;

/** Links are only asked for frames where one is, or where nobody else may look. */
class ExpectedFramesTest {
    private static final int FRAME = 32;

    private final ExpectedFrames frames = new ExpectedFrames();
    private InboundEpochs epochs = new InboundEpochs(false);
    private int count;

    private InboundLink expect(final boolean memoryCompletion) {
        final InboundLink link = new InboundLink(InboundEpochs.WINDOW, 0, 1, InboundEpochs.FRAME_KEY);
        link.begin(epochs.next(memoryCompletion));
        link.join(0);
        frames.add();
        frames.expect(count++, link);
        return link;
    }

    private void commit(final int index) {
        final SendLog log = epochs.log(index);
        log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME, FrameDescriptor.DATA_TYPE, 0);
    }

    @Test
    void shouldExpectOnlyFramesThatAreCommitted() {
        expect(true);
        expect(true);
        assertFalse(frames.mayBeThere(0));
        epochs.log(0).claim(FRAME, Long.MAX_VALUE);
        commit(1);
        assertTrue(frames.mayBeThere(1));
    }

    @Test
    void shouldExpectTheFrameAtThePositionReceivedOnly() {
        final InboundLink link = expect(true);
        commit(0);
        link.logScan().find(FrameReader.SCAN_LIMIT);
        link.positions().advance(FRAME);
        frames.expect(0, link);
        assertFalse(frames.mayBeThere(0));
        commit(0);
        assertTrue(frames.mayBeThere(0));
    }

    @Test
    void shouldFollowLinksToOtherPlaces() {
        for (int i = 0; i < 3; i++) {
            expect(true);
        }
        commit(2);
        frames.swap(0, 2);
        assertTrue(frames.mayBeThere(0));
        assertFalse(frames.mayBeThere(2));
        frames.remove(0);
        assertFalse(frames.mayBeThere(0));
        assertFalse(frames.mayBeThere(1));
        commit(0);
        assertTrue(frames.mayBeThere(1));
    }

    /** The link's ring may be released while the link waits for its next epoch. */
    @Test
    void shouldNotLookIntoTheRingOfALinkBetweenEpochs() {
        final InboundLink link = expect(true);
        link.quiesce();
        frames.expect(0, link);
        assertTrue(frames.mayBeThere(0));
    }

    @Test
    void shouldLeaveLinksAloneOfWhichCompletionsTell() {
        expect(false);
        assertTrue(frames.mayBeThere(0));
    }

    @Test
    void shouldLeaveLogsOnTheHeapToTheirLinks() {
        epochs = new InboundEpochs(true);
        expect(true);
        assertTrue(frames.mayBeThere(0));
    }
}
