package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import org.junit.jupiter.api.Test;

class SoftwareLayoutTest {
    @Test
    void shouldPackACompletionEntry() {
        final long body = QueuePairLayout.body(0x8765_4321, 0x7fff_ffff);
        assertEquals(0x8765_4321, (int) (body >>> 32));
        assertEquals(0x7fff_ffff, (int) body);

        final int verdict = QueuePairLayout.verdict(
            WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.TM_RNDV_INCOMPLETE);
        assertEquals(WorkFlags.WITH_IMMEDIATE, verdict >>> 16);
        assertEquals(WorkOpcode.RECV_RDMA_WITH_IMM, verdict >>> 8 & 0xff);
        assertEquals(WorkStatus.TM_RNDV_INCOMPLETE, verdict & 0xff);
    }

    @Test
    void shouldNumberEntriesSoThatZeroedMemoryAndTheLapBeforeAreNotValid() {
        assertEquals(1, QueuePairLayout.seal(0, -1) >>> 32);
        assertEquals(-1, (int) QueuePairLayout.seal(0, -1));
        assertEquals(0, QueuePairLayout.seal(0xffff_ffffL, 5) >>> 32);
        assertEquals(1, QueuePairLayout.seal(0x1_0000_0000L, 5) >>> 32);
    }

    @Test
    void shouldKeepTheWordsOfDifferentWritersOnDifferentLines() {
        final int line = 128;
        assertTrue(QueuePairLayout.STATE_OFFSET - QueuePairLayout.DOMAIN_OFFSET >= line - 36);
        assertTrue(QueuePairLayout.RECEIVES_POSTED_OFFSET - QueuePairLayout.STATE_OFFSET >= line);
        assertTrue(QueuePairLayout.FAULT_OFFSET - QueuePairLayout.RECEIVES_POSTED_OFFSET >= line);
        assertTrue(QueuePairLayout.ENTRIES_OFFSET - QueuePairLayout.FAULT_OFFSET >= line);
        assertTrue(CompletionQueueLayout.READY_OFFSET - CompletionQueueLayout.ARMED_OFFSET >= line);
    }

    @Test
    void shouldFitTheBitmapIntoItsPage() {
        final int last = SoftwareLimits.MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE - 1;
        assertEquals(CompletionQueueLayout.READY_OFFSET + 504, CompletionQueueLayout.readyWord(0, last));
        assertEquals(Long.MIN_VALUE, CompletionQueueLayout.readyBit(last));
        assertTrue(CompletionQueueLayout.readyWord(0, last) < CompletionQueueLayout.LENGTH);
    }

    @Test
    void shouldRoundTripAddresses() {
        final QueuePairAddress address =
            new QueuePairAddress("2147483647-0123456789abcdef", 0xff_ffff, -5, Integer.MAX_VALUE, 4095);
        assertEquals(address, QueuePairAddress.decode("test", address.encode()));
        assertTrue(address.encode().length <= SoftwareLimits.MAX_ADDRESS_LENGTH);
        final ShareToken token = new ShareToken("1-ffffffffffffffff", -7);
        assertEquals(token, ShareToken.decode(token.encode()));
    }

    @Test
    void shouldNameFoldersThatFitTheirBound() {
        final String longest = FabricNames.folder(9_999_999_999L, -1);
        assertEquals(FabricNames.MAX_FOLDER_LENGTH, longest.length());
        assertTrue(FabricNames.isFolder(longest));
        assertEquals("9999999999", FabricNames.processIdOf(longest));
        assertEquals(FabricNames.MAX_SOCKET_SUFFIX_LENGTH,
            ("/" + longest + "/" + FabricNames.channelSocket(0xff_ffff)).length());
    }

    @Test
    void shouldKnowTheTimersOfTheManualPage() {
        assertEquals(655_360_000L, RetryTimers.rnrTimerNs(0));
        assertEquals(10_000L, RetryTimers.rnrTimerNs(1));
        assertEquals(640_000L, RetryTimers.rnrTimerNs(12));
        assertEquals(491_520_000L, RetryTimers.rnrTimerNs(31));
        assertEquals(67_108_864L, RetryTimers.retriesNs(0, 14));
        assertEquals(7 * 67_108_864L, RetryTimers.retriesNs(6, 14));
        assertEquals(Long.MAX_VALUE, RetryTimers.retriesNs(6, 0));
    }
}
