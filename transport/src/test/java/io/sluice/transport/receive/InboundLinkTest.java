package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.Errno;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InboundLinkTest {
    private static final int WINDOW = 4096;
    private static final int DEPTH = 8;
    private static final int REPORT_INTERVAL = 3;
    private static final long ID = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 1, 1);

    private final StubRegion ring = new StubRegion(WINDOW);
    private final StubQueuePair queuePair = new StubQueuePair(4, FeedbackDescriptor.CELL_LENGTH);
    private final InboundLink link = new InboundLink(WINDOW, 0, 1, 0);

    private InboundEpoch epoch(final long workRequestId) {
        return epoch(queuePair, workRequestId);
    }

    private InboundEpoch epoch(final StubQueuePair ofQueuePair, final long workRequestId) {
        return new InboundEpoch(
            ofQueuePair, new EpochReceives(workRequestId, DEPTH, REPORT_INTERVAL), ring,
            new RemoteMemory(77_000, 7), null, false, ScanModeration.NONE);
    }

    private void joinAt(final long position) {
        link.begin(epoch(ID));
        assertTrue(link.join(position));
    }

    private boolean receive(final long position) {
        return link.onWrite(ImmediatePosition.immediate(position));
    }

    private void consume(final long position) {
        link.positions().advance(position);
    }

    private long frameAt(final long position) {
        return link.reader().frameAt(position, link.positions().received());
    }

    @Test
    void shouldBeginItsRunWhereItJoins() {
        joinAt(320);
        assertTrue(link.positions().isJoined());
        assertEquals(320, link.positions().received());
        assertEquals(320, link.positions().walked());
        assertEquals(320, link.positions().consumed());
    }

    @Test
    void shouldKeepWhatWasReceivedBeforeItJoined() {
        link.begin(epoch(ID));
        assertTrue(receive(640));
        assertTrue(link.join(320));
        assertEquals(640, link.positions().received());
        assertEquals(320, link.positions().walked());
    }

    @ParameterizedTest
    @ValueSource(longs = {-32, 1, 31, 33, Long.MIN_VALUE})
    void shouldRefuseToJoinBetweenFrames(final long position) {
        link.begin(epoch(ID));
        assertFalse(link.join(position));
        assertFalse(link.positions().isJoined());
    }

    @Test
    void shouldRefuseToJoinMoreThanAWindowBehindWhatWasReceived() {
        link.begin(epoch(ID));
        assertTrue(receive(WINDOW + 64));
        assertFalse(link.join(32));
        assertTrue(link.join(64));
        assertFalse(link.join(64), "once");
    }

    @Test
    void shouldTakeAWholeWindowAndNoMore() {
        joinAt(0);
        assertTrue(receive(WINDOW));
        assertFalse(receive(WINDOW + 32), "those bytes would lie over what is not consumed");
        assertEquals(WINDOW, link.positions().received());
        consume(32);
        assertTrue(receive(WINDOW + 32));
    }

    @Test
    void shouldTakeALaterImmediateForAnEarlierOneAndARepeatedOneForNothing() {
        joinAt(0);
        assertTrue(receive(320));
        assertTrue(receive(64));
        assertTrue(receive(320));
        assertEquals(320, link.positions().received());
    }

    @Test
    void shouldGiveReceivesBackInChains() {
        joinAt(0);
        receive(32);
        receive(64);
        assertTrue(link.credits().repost(false));
        assertEquals(0, queuePair.receivesPosted());
        receive(96);
        assertTrue(link.credits().repost(false));
        assertEquals(3, queuePair.receivesPosted());
        receive(128);
        assertTrue(link.credits().repost(true), "an idle poller gives all back");
        assertEquals(4, queuePair.receivesPosted());
    }

    @Test
    void shouldSayThatItsQueuePairRefuses() {
        joinAt(0);
        receive(32);
        queuePair.result(Errno.EINVAL);
        assertFalse(link.credits().repost(true));
        assertFalse(link.feedback().write());
    }

    @Test
    void shouldReportAnEighthOfTheWindow() {
        joinAt(0);
        receive(WINDOW);
        consume(WINDOW / 8 - 32);
        assertFalse(link.feedback().isDue(false));
        assertTrue(link.feedback().isDue(true), "an idle poller reports all");
        consume(WINDOW / 8);
        assertTrue(link.feedback().isDue(false));
        assertTrue(link.feedback().write());
        assertFalse(link.feedback().isDue(true));
        assertEquals(77_000, queuePair.posts().getFirst().remoteAddress());
        assertEquals(FeedbackDescriptor.CELL_LENGTH, queuePair.posts().getFirst().length());
    }

    @Test
    void shouldHaveNoMoreReportsOutstandingThanTheirCompletionQueueHasRoomFor() {
        final StubQueuePair generous = new StubQueuePair(1024, FeedbackDescriptor.CELL_LENGTH);
        link.begin(epoch(generous, ID));
        link.join(0);
        for (int i = 0; i < InboundEpoch.SEND_QUEUE_LENGTH; i++) {
            assertTrue(link.feedback().hasRoom());
            assertTrue(link.feedback().write());
        }
        assertFalse(link.feedback().hasRoom());
    }

    @Test
    void shouldReportReceivesThatWerePosted() {
        joinAt(0);
        for (int i = 1; i <= REPORT_INTERVAL; i++) {
            receive(i * 32);
        }
        assertFalse(link.feedback().isDue(false));
        link.credits().repost(false);
        assertTrue(link.feedback().isDue(false));
    }

    /**
     * The last report of the old epoch may not have arrived, which nobody knows: a publisher with a full window waits
     * for it. One that came before its queue pair receives would break the new one.
     */
    @Test
    void shouldReportAgainInANewEpochOnceThePublicationReceivesThere() {
        joinAt(0);
        receive(WINDOW);
        consume(WINDOW);
        assertTrue(link.feedback().write());
        assertFalse(link.feedback().isDue(true));
        link.quiesce();
        link.begin(epoch(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 1, 2)));
        assertFalse(link.feedback().isDue(true));
        assertFalse(link.isIdleMaintenanceDue());
        link.establish();
        assertTrue(link.feedback().isDue(false));
        assertTrue(link.isMaintenanceDue());
        assertTrue(link.feedback().write());
        assertFalse(link.feedback().isDue(true));
    }

    @Test
    void shouldTakeOnlyCompletionsOfItsEpoch() {
        joinAt(0);
        final long next = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 1, 2);
        assertTrue(link.isCurrent(ID));
        assertFalse(link.isCurrent(next));
        link.quiesce();
        assertFalse(link.isLive());
        assertFalse(link.isCurrent(ID));
        link.begin(epoch(next));
        assertTrue(link.isCurrent(next));
        assertFalse(link.isCurrent(ID));
    }

    @Test
    void shouldReadFramesOfThisLapOnly() {
        final SendLog log = new SendLog(ring, 0, 0);
        joinAt(0);
        long position = 0;
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < WINDOW / 64; i++) {
                receive(position + 64);
                assertEquals(FrameReader.BAD_FRAME, frameAt(position), "nothing there, or an earlier lap's");
                log.commit(log.claim(64, Long.MAX_VALUE), 40, FrameDescriptor.DATA_TYPE, 5);
                assertEquals(40, FrameDescriptor.frameLengthOf(frameAt(position)));
                position += 64;
                consume(position);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"23, 1, 1", "0, 1, 1", "-64, 1, 1", "65, 1, 1", "2147483647, 1, 1", "40, 0, 1", "40, 2, 1", "40, 1, 2"})
    void shouldFindABadFrame(final int length, final int version, final int type) {
        joinAt(0);
        receive(64);
        final UnsafeBuffer buffer = ring.buffer();
        buffer.putLong(FrameDescriptor.LAP_WORD_OFFSET, 0);
        buffer.putLong(0, (long) type << 48 | (long) version << 32 | length & 0xFFFF_FFFFL);
        assertEquals(FrameReader.BAD_FRAME, frameAt(0));
        buffer.putLong(0, FrameDescriptor.lengthWord(40, 0xFF, FrameDescriptor.DATA_TYPE));
        assertNotEquals(FrameReader.BAD_FRAME, frameAt(0), "unknown flags are ignored");
        buffer.putLong(0, FrameDescriptor.lengthWord(64, 0, FrameDescriptor.PADDING_TYPE));
        assertNotEquals(FrameReader.BAD_FRAME, frameAt(0));
    }

    @Test
    void shouldNotReadAFrameAcrossTheEndOfTheRing() {
        joinAt(WINDOW - 64);
        receive(WINDOW + 64);
        ring.buffer().putLong(
            WINDOW - 64 + FrameDescriptor.LAP_WORD_OFFSET, FrameDescriptor.lapWord(WINDOW - 64) & 0xFFFF_FFFFL);
        ring.buffer().putLong(WINDOW - 64, FrameDescriptor.lengthWord(96, 0, FrameDescriptor.DATA_TYPE));
        assertEquals(FrameReader.BAD_FRAME, frameAt(WINDOW - 64));
    }
}
