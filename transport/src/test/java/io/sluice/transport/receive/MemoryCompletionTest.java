package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shared log whose committed frames have arrived: no completion ever tells of them. */
class MemoryCompletionTest {
    private static final int WINDOW = 8192;
    private static final int FRAME = 32;
    private static final int POLLS = 100;
    /** Less than a sixteenth of the window takes at a hundred bytes per nanosecond. */
    private static final long PERIOD_NS = 5;
    private static final long FRAME_KEY = 0x0123_4567_89AB_CDEFL;

    private final StubQueuePair queuePair = new StubQueuePair(8, 16);
    private final StubRegion region = new StubRegion(WINDOW);
    private final SendLog log = new SendLog(region, 0, FRAME_KEY);
    private final InboundLink link = new InboundLink(WINDOW, 0, 1, FRAME_KEY);
    private long nowNs;
    private final ScanModeration moderation = new ScanModeration(() -> nowNs, PERIOD_NS, WINDOW);
    private final List<BreakReason> failures = new ArrayList<>();
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final Receiver receiver = new Receiver(
        completions, new StubCompletionQueue(), new Listener(), new LiveCounters(), () -> 0);

    private final class Listener implements ReceiverListener {
        @Override
        public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
            failures.add(reason);
        }

        @Override
        public void onEndReceived(final InboundLink ended) {
            // no end is announced
        }

        @Override
        public void onEndConsumed(final InboundLink ended) {
            // no end is announced
        }

        @Override
        public void onCompletionQueueFailed(final int errno) {
            throw new AssertionError("errno=" + errno);
        }
    }

    @BeforeEach
    void attach() {
        receiver.commands().attach(link, epoch(1));
        receiver.commands().join(link, 0, () -> {
            throw new AssertionError("join refused");
        });
        receiver.drain();
    }

    private InboundEpoch epoch(final int generation) {
        return new InboundEpoch(
            queuePair, new EpochReceives(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, generation), 8, 2),
            region, new RemoteMemory(77_000, 7), null, true, moderation);
    }

    private long commit() {
        return commit(FrameDescriptor.DATA_TYPE);
    }

    private long commit(final int type) {
        final long position = log.claim(FRAME, link.positions().consumed() + WINDOW);
        assertTrue(position >= 0, () -> "claimed " + position);
        return log.commit(position, FRAME, type, 0);
    }

    /** Poll as an application that polls in vain. */
    private void pollInVain(final int polls) {
        for (int i = 0; i < polls; i++) {
            assertEquals(0, receiver.drain());
            receiver.maintain(0);
        }
    }

    private void consume(final long position) {
        link.positions().advance(position);
    }

    @Test
    void shouldFindWhatWasCommittedAndNothingElse() {
        assertEquals(0, receiver.drain());
        final long end = commit();
        log.claim(FRAME, WINDOW);
        assertTrue(receiver.drain() > 0);
        assertEquals(end, link.positions().received());
        assertEquals(0, receiver.drain(), "a claimed frame has not arrived");
        log.commit(end, FRAME, FrameDescriptor.DATA_TYPE, 0);
        assertTrue(receiver.drain() > 0);
        assertEquals(end + FRAME, link.positions().received());
    }

    @Test
    void shouldLookPastTheMessageThatItWaitedForOnlyAfterItWasHandled() {
        pollInVain(POLLS);
        final long first = commit();
        commit();
        final long last = commit();
        final int found = receiver.drain();
        assertEquals(first, link.positions().received());
        consume(first);
        receiver.maintain(found);
        receiver.drain();
        assertEquals(last, link.positions().received());
    }

    /** An aborted claim, or the rest of a lap, is no message: one waits behind it. */
    @Test
    void shouldFindTheMessageBehindPaddingInOnePoll() {
        pollInVain(POLLS);
        commit(FrameDescriptor.PADDING_TYPE);
        commit(FrameDescriptor.PADDING_TYPE);
        final long end = commit();
        commit();
        assertTrue(receiver.drain() > 0);
        assertEquals(end, link.positions().received());
    }

    /**
     * Errors alone complete: so the receiver does not look for them in each poll that finds frames, but does so in
     * time.
     */
    @Test
    void shouldNoticeAFailedOperationThoughFramesKeepComing() {
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1), WorkStatus.WR_FLUSH_ERR, 0);
        for (int polls = 0; failures.isEmpty() && polls < POLLS; polls++) {
            commit();
            receiver.drain();
            consume(link.positions().received());
        }
        assertEquals(List.of(BreakReason.COMPLETION_ERROR), failures);
    }

    @Test
    void shouldNotLookBeforeTheRunBegins() {
        final InboundLink fresh = new InboundLink(WINDOW, 0, 1, FRAME_KEY);
        fresh.begin(epoch(1));
        commit();
        assertEquals(0, fresh.logScan().find(FrameReader.SCAN_LIMIT));
        assertTrue(fresh.join(0));
        assertEquals(1, fresh.logScan().find(FrameReader.SCAN_LIMIT));
        assertEquals(FRAME, fresh.positions().received());
    }

    /** An application wrote in the lap before what looks like this lap's header, but could not know the key. */
    @Test
    void shouldNotTakeAnOldMessageForAFrame() {
        while (log.tail() < WINDOW) {
            commit();
        }
        receiver.commands().quiesce(link, position -> assertEquals(WINDOW, position));
        receiver.drain();
        receiver.commands().resume(link, epoch(2), (ring, position) -> { });
        consume(WINDOW);
        region.buffer().putLong(0, FrameDescriptor.lengthWord(FRAME, 0, FrameDescriptor.DATA_TYPE));
        region.buffer().putLong(FrameDescriptor.LAP_WORD_OFFSET, FrameDescriptor.lapAndChecksumWord(
            WINDOW, FrameDescriptor.NO_CHECKSUM, 0));
        receiver.drain();
        assertEquals(WINDOW, link.positions().received());
        commit();
        receiver.drain();
        assertEquals(WINDOW + FRAME, link.positions().received());
    }

    @Test
    void shouldNotLookFurtherThanAWindowFromWhatWasConsumed() {
        while (log.tail() < WINDOW) {
            commit();
        }
        for (int i = 0; i < WINDOW / FRAME; i++) {
            receiver.drain();
        }
        assertEquals(WINDOW, link.positions().received());
        // a publication that overwrites what was not consumed
        log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME, FrameDescriptor.DATA_TYPE, 0);
        assertEquals(0, receiver.drain());
        assertEquals(WINDOW, link.positions().received());
    }

    @Test
    void shouldFindEverythingThatWasCommittedBeforeTheEpochEnded() {
        while (log.tail() < WINDOW) {
            commit();
        }
        final long[] quiescent = new long[1];
        receiver.commands().quiesce(link, position -> quiescent[0] = position);
        receiver.drain();
        assertEquals(WINDOW, quiescent[0]);
        consume(WINDOW);
        commit();
        receiver.drain();
        assertEquals(WINDOW, link.positions().received(), "what was told for resumption is final");
        receiver.commands().resume(link, epoch(2), (ring, position) -> { });
        receiver.drain();
        assertEquals(WINDOW + FRAME, link.positions().received());
    }

    @Test
    void shouldFindEverythingThatWasCommittedWhenTheQueuePairBreaks() {
        while (log.tail() < WINDOW) {
            commit();
        }
        receiver.fail(link, BreakReason.COMPLETION_ERROR);
        assertEquals(WINDOW, link.positions().received());
        assertEquals(List.of(BreakReason.COMPLETION_ERROR), failures);
    }

    /**
     * A message of the lap before ended inside the word that tells laps apart, and its last bytes happen to be those of
     * the next lap's word: what it left of that word must not be the rest.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void shouldNotTakeTheEndOfAnOldMessageForAFrame(final int luckyBytes) {
        for (final boolean inPlace : new boolean[] {false, true}) {
            final long position = log.tail();
            final long wrong = position + WINDOW + FRAME;
            final int frameLength = FRAME + FrameDescriptor.LAP_WORD_OFFSET + luckyBytes;
            log.claim(2 * FRAME, Long.MAX_VALUE);
            if (inPlace) {
                log.markAll(position, frameLength);
            }
            final long lapWord = FrameDescriptor.lapAndChecksumWord(wrong, FrameDescriptor.NO_CHECKSUM, FRAME_KEY);
            region.buffer().putLong(log.offset(wrong), 1_000);
            for (int i = 0; i < luckyBytes; i++) {
                region.buffer().putByte(
                    log.offset(wrong) + FrameDescriptor.LAP_WORD_OFFSET + i, (byte) (lapWord >>> Byte.SIZE * i));
            }
            log.commit(position, frameLength, FrameDescriptor.DATA_TYPE, 0);
            while (log.tail() < wrong) {
                commit();
                receiver.drain();
                consume(link.positions().received());
            }
            assertEquals(0, receiver.drain());
            assertEquals(wrong, link.positions().received());
        }
    }

    @Test
    void shouldLeaveAMalformedFrameToWhoeverHandsItOut() {
        final long position = log.tail();
        commit();
        region.buffer().putInt(0, WINDOW + 1);
        receiver.drain();
        assertEquals(FrameReader.BAD_FRAME, link.reader().frameAt(position, link.positions().received()));
        link.truncate(position);
        receiver.fail(link, BreakReason.BAD_FRAME);
        assertEquals(position, link.positions().received(), "its bytes are not looked at again");
        assertEquals(0, receiver.drain());
    }

    /** The publication fails its queue pair before it goes on without this link. */
    @Test
    void shouldNotTakeWhatAPublicationWritesThatHasGivenItUp() {
        final long end = commit();
        receiver.drain();
        queuePair.peerReceiving(false);
        commit();
        assertEquals(0, receiver.drain());
        receiver.commands().expect(link, log.tail());
        receiver.drain();
        receiver.commands().endAtReceived(link);
        receiver.drain();
        assertEquals(end, link.positions().received());
    }

    @Test
    void shouldFindAFrameBadThatIsNotCommittedWhereThePublicationHasBeen() {
        final long position = log.tail();
        commit();
        region.buffer().putLong(FrameDescriptor.LAP_WORD_OFFSET, 77);
        assertEquals(0, receiver.drain());
        receiver.commands().expect(link, log.tail());
        receiver.drain();
        assertEquals(FRAME, link.positions().received());
        assertEquals(FrameReader.BAD_FRAME, link.reader().frameAt(position, link.positions().received()));
        link.truncate(position);
        assertTrue(link.end().badFrame().startsWith(
            "consumed=0 received=32 position=0 length=32 version=1 type=1 lapWord="), link.end().badFrame());
        receiver.commands().expect(link, WINDOW + FRAME);
        receiver.drain();
        assertEquals(position, link.positions().received(), "a window further than what was consumed cannot be");
    }

    @Test
    void shouldKeepOnePositionHoweverManyThePublicationTellsWhileNobodyPolls() {
        commit();
        region.buffer().putLong(FrameDescriptor.LAP_WORD_OFFSET, 77);
        for (long position = log.tail(); position >= 0; position -= FRAME) {
            receiver.commands().expect(link, position);
        }
        for (int i = 0; i < 1000; i++) {
            receiver.commands().expect(link, 0);
        }
        assertEquals(1, receiver.drain(), "commands");
        assertEquals(FRAME, link.positions().received());
        receiver.commands().expect(link, FRAME);
        assertEquals(1, receiver.drain(), "commands");
    }

    @Test
    void shouldBreakTheLinkWhenThePublicationTellsWhereNoFrameCanEnd() {
        commit();
        receiver.commands().expect(link, log.tail() - 4);
        receiver.drain();
        assertEquals(List.of(BreakReason.BAD_POSITION), failures);
    }

    /** Streams until the log is held; the last look has reached the end of the stream. */
    private void streamUntilHeld() {
        for (int i = 0; i < 100_000 && !moderation.isHeld(); i++) {
            nowNs += i % 4;
            commit();
            receiver.drain();
            consume(link.positions().received());
        }
        assertTrue(moderation.isHeld());
        assertEquals(log.tail(), link.positions().received());
    }

    @Test
    void shouldNotLookAtTheLogOfADenseStreamForAWhile() {
        streamUntilHeld();
        final long before = link.positions().received();
        final long end = commit();
        pollInVain(POLLS);
        assertEquals(before, link.positions().received());
        nowNs += PERIOD_NS;
        assertTrue(receiver.drain() > 0);
        assertEquals(end, link.positions().received());
    }

    @Test
    void shouldNotOpenTheSingleImagePollOfALogThatIsNotToBeLookedAt() {
        streamUntilHeld();
        pollInVain(POLLS);
        commit();
        assertNull(receiver.awaited());
        nowNs += PERIOD_NS;
        assertTrue(receiver.drain() > 0);
    }

    /** A link's break is the last moment at which anybody looks. */
    @Test
    void shouldFindWhatWasCommittedToALinkThatBreaksThoughItsLogIsHeld() {
        streamUntilHeld();
        long end = 0;
        for (int i = 0; i < 2 * FrameReader.SCAN_LIMIT; i++) {
            end = commit();
        }
        receiver.fail(link, BreakReason.QUEUE_PAIR_ERROR);
        assertEquals(end, link.positions().received());
    }
}
