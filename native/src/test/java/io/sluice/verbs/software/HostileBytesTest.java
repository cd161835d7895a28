package io.sluice.verbs.software;

import static io.sluice.verbs.software.SoftwareLink.assertEmpty;
import static io.sluice.verbs.software.SoftwareLink.takeImmediate;
import static io.sluice.verbs.software.SoftwareLink.takeStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.MappedMemory;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that can write to the shared files can write anything into them, at any time. */
class HostileBytesTest {
    private final TemporaryFabric fabric = new TemporaryFabric();
    private SoftwareLink link;
    private MappedMemory memory;
    private UnsafeBuffer pairFile;

    @BeforeEach
    void open() throws IOException {
        link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
        memory = map(SoftwareLink.file(link.right, link.rightPair));
        pairFile = view(memory);
    }

    @AfterEach
    void close() {
        link.close();
        memory.close();
        fabric.close();
    }

    private static MappedMemory map(final Path file) throws IOException {
        return SystemEnvironment.instance().files().open(file, true, Long.MAX_VALUE);
    }

    private static UnsafeBuffer view(final MappedMemory memory) {
        return new UnsafeBuffer(memory.address(), (int) memory.length());
    }

    private void forgeEntry(final long index, final long body, final int verdict) {
        final int offset = (int) QueuePairLayout.completionsOffset(SoftwareLink.WORK)
            + (int) index * QueuePairLayout.ENTRY_LENGTH;
        pairFile.putLong(offset, body);
        pairFile.putLong(offset + QueuePairLayout.SEAL_OFFSET, QueuePairLayout.seal(index, verdict));
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 0", "2, 129, 1", "2, 129, 5", "0, 129, 0", "9, 128, 0", "65535, 255, 255", "0, 128, 12",
        "0, 0, 0", "1, 255, 0"})
    void shouldFailALinkWhoseEntryMakesNoSense(final int flags, final int opcode, final int status) {
        link.rightPair.postReceives(1, 2);

        forgeEntry(0, 8, QueuePairLayout.verdict(flags, opcode, status));

        assertEquals(WorkStatus.GENERAL_ERR, takeStatus(link.rightReceives));
        assertEquals(WorkStatus.WR_FLUSH_ERR, takeStatus(link.rightReceives));
        assertEmpty(link.rightReceives);
        assertEquals(QueuePairState.ERROR, link.rightPair.state());
        link.duties();
        assertTrue(link.events.contains(AsyncEventType.QP_FATAL));
    }

    @Test
    void shouldFailALinkWhoseEntryHasANegativeLength() {
        link.rightPair.postReceives(1, 1);

        forgeEntry(0, QueuePairLayout.body(5, -1),
            QueuePairLayout.verdict(WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.SUCCESS));

        assertEquals(WorkStatus.GENERAL_ERR, takeStatus(link.rightReceives));
        assertEquals(QueuePairState.ERROR, link.rightPair.state());
    }

    @Test
    void shouldFailALinkWithMoreEntriesThanReceives() {
        link.rightPair.postReceives(1, 2);
        for (int i = 0; i < 5; i++) {
            forgeEntry(i, QueuePairLayout.body(i, 0), QueuePairLayout.verdict(
                WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.SUCCESS));
        }

        assertEquals(0, takeImmediate(link.rightReceives));
        assertEquals(1, takeImmediate(link.rightReceives));
        assertEmpty(link.rightReceives);
        assertEquals(QueuePairState.ERROR, link.rightPair.state());
    }

    @Test
    void shouldIgnoreEntriesOfAnotherLap() {
        link.rightPair.postReceives(1, 2);
        final int offset = (int) QueuePairLayout.completionsOffset(SoftwareLink.WORK);
        for (final long sequence : new long[] {0, 2, 33, -1, Integer.MAX_VALUE}) {
            pairFile.putLong(offset + QueuePairLayout.SEAL_OFFSET, sequence << 32 | 2 << 16 | 129 << 8);
            assertEmpty(link.rightReceives);
        }
        pairFile.putLong(offset + QueuePairLayout.SEAL_OFFSET, 0);

        link.write(1, 0, 8, 6);

        assertEquals(6, takeImmediate(link.rightReceives));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 40})
    void shouldNotWriteBeyondTheRingWhateverThePeerSaysItHasRoomFor(final long posted) {
        link.rightPair.postReceives(1, 1);
        final long nonce = pairFile.getLong(QueuePairLayout.NONCE_OFFSET);
        pairFile.putLong(QueuePairLayout.RECEIVES_POSTED_OFFSET, posted);
        for (int i = 0; i < 100; i++) {
            link.write(i, 0, 8, i);
            while (link.leftSends.startPoll() == Errno.OK) {
                link.leftSends.endPoll();
            }
        }

        final int rings = QueuePairLayout.ENTRIES_OFFSET;
        final int end = (int) QueuePairLayout.length(SoftwareLink.WORK, 2 * SoftwareLink.WORK);
        assertEquals(nonce, pairFile.getLong(QueuePairLayout.NONCE_OFFSET));
        assertEquals(0, pairFile.getLong(rings), "receive entries are the owner's");
        assertEquals(0, pairFile.getLong(rings + SoftwareLink.WORK * QueuePairLayout.ENTRY_LENGTH - Long.BYTES));
        assertEquals(end, pairFile.capacity());
    }

    @ParameterizedTest
    @CsvSource({"0, 100, 0", "-8, 100, 1", "9223372036854775800, 2147483647, 1", "0, -1, 1"})
    void shouldNotFillAForgedReceive(final long offset, final int length, final int isOwnKey) {
        link.rightPair.postReceive(1, link.rightRegion.address(), link.rightRegion.localKey(), 64);
        pairFile.putLong(QueuePairLayout.ENTRIES_OFFSET, link.rightRegion.address() + offset);
        pairFile.putInt(QueuePairLayout.ENTRIES_OFFSET + QueuePairLayout.RECEIVE_LENGTH_OFFSET, length);
        pairFile.putInt(QueuePairLayout.ENTRIES_OFFSET + QueuePairLayout.RECEIVE_KEY_OFFSET,
            isOwnKey == 1 ? link.rightRegion.localKey() : 77);

        assertEquals(Errno.OK,
            link.leftPair.postSend(2, WorkFlags.NONE, link.leftRegion.address(), link.leftRegion.localKey(), 64));

        assertTrue(takeStatus(link.leftSends) != WorkStatus.SUCCESS);
        assertEquals(QueuePairState.ERROR, link.leftPair.state());
    }

    @Test
    void shouldSurviveReadyBitsOfNobody() throws IOException {
        for (int i = 0; i < 3; i++) {
            link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        }
        link.rightPair.postReceives(1, 1);
        try (MappedMemory queueFile = map(SoftwareLink.file(link.right, link.rightReceives))) {
            view(queueFile).setMemory(CompletionQueueLayout.READY_OFFSET, 3000, (byte) 0xff);
            view(queueFile).putInt(CompletionQueueLayout.ARMED_OFFSET, 0x7777);
            for (int i = 0; i < 5000; i++) {
                assertEmpty(link.rightReceives);
            }
        }
        link.write(1, 0, 8, 3);

        assertEquals(3, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldRaiseUnknownFaultsAsFatal() {
        pairFile.putInt(QueuePairLayout.FAULT_OFFSET, 12345);

        link.duties();

        assertTrue(link.events.contains(AsyncEventType.QP_FATAL));
        assertEquals(QueuePairState.ERROR, link.rightPair.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {QueuePairLayout.MAGIC_OFFSET, QueuePairLayout.VERSION_OFFSET, QueuePairLayout.NUMBER_OFFSET,
        QueuePairLayout.NONCE_OFFSET, QueuePairLayout.RECEIVE_ENTRIES_OFFSET,
        QueuePairLayout.COMPLETION_ENTRIES_OFFSET})
    void shouldRefuseAQueuePairWithADamagedHeader(final int offset) {
        pairFile.putInt(offset, pairFile.getInt(offset) ^ 0x4000_0001);
        final QueuePair other = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        other.initialise(SoftwareLink.ACCESS);

        final VerbsException e =
            assertThrows(VerbsException.class, () -> other.readyToReceive(link.rightPair.localAddress()));

        assertEquals(Errno.EINVAL, e.errno());
    }

    @ParameterizedTest
    @ValueSource(ints = {RegionLayout.MAGIC_OFFSET, RegionLayout.VERSION_OFFSET, RegionLayout.KEY_OFFSET,
        RegionLayout.LENGTH_OFFSET + 4, RegionLayout.DATA_KEY_OFFSET, RegionLayout.FOLDER_LENGTH_OFFSET,
        RegionLayout.FOLDER_OFFSET, RegionLayout.VALID_OFFSET, RegionLayout.DOMAIN_OFFSET})
    void shouldNotWriteToARegionWithADamagedHeader(final int offset) throws IOException {
        try (MappedMemory header =
            map(link.right.context().folder().resolve(FabricNames.regionHeader(link.rightRegion.remoteKey())))) {
            view(header).putInt(offset, view(header).getInt(offset) ^ 0x2f2f_2f2f);
            link.rightPair.postReceives(1, 1);

            assertEquals(Errno.OK, link.write(1, 0, 8, 1));

            assertEquals(WorkStatus.REM_ACCESS_ERR, takeStatus(link.leftSends));
        }
    }

    @Test
    void shouldNotWriteBeyondADataFileThatIsShorterThanItsRegion() throws IOException {
        try (MappedMemory header =
            map(link.right.context().folder().resolve(FabricNames.regionHeader(link.rightRegion.remoteKey())))) {
            view(header).putLong(RegionLayout.LENGTH_OFFSET, 10L * SoftwareLink.REGION_LENGTH);
            link.rightPair.postReceives(1, 1);

            link.leftPair.postWrite(1, WorkFlags.NONE, link.leftRegion.address(), link.leftRegion.localKey(), 8,
                link.rightRegion.address() + 5L * SoftwareLink.REGION_LENGTH, link.rightRegion.remoteKey());

            assertEquals(WorkStatus.REM_ACCESS_ERR, takeStatus(link.leftSends));
        }
    }

    /** Random bytes in every shared file, while both ends go on as if nothing were wrong. */
    @Test
    void shouldSurviveRandomBytesEverywhere() throws IOException {
        final Random random = new Random(20260101);
        for (int round = 0; round < 150; round++) {
            try (SoftwareLink victim = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
                MappedMemory left = map(SoftwareLink.file(victim.left, victim.leftPair));
                MappedMemory right = map(SoftwareLink.file(victim.right, victim.rightPair));
                MappedMemory queue = map(SoftwareLink.file(victim.right, victim.rightReceives))) {
                victim.rightPair.postReceives(1, 8);
                for (int i = 0; i < 60; i++) {
                    scribble(random, left);
                    scribble(random, right);
                    scribble(random, queue);
                    exercise(victim, random, i);
                }
            }
        }
        link.rightPair.postReceives(1, 1);
        link.write(1, 0, 8, 12);
        assertEquals(12, takeImmediate(link.rightReceives));
    }

    private static void scribble(final Random random, final MappedMemory file) {
        final UnsafeBuffer buffer = view(file);
        final int index = random.nextInt(buffer.capacity() / 4) * 4;
        buffer.putInt(index, random.nextBoolean() ? random.nextInt() : random.nextInt(20));
    }

    private static void exercise(final SoftwareLink victim, final Random random, final int immediate) {
        victim.write(1, 0, random.nextInt(512), immediate);
        victim.leftPair.postSend(2, WorkFlags.NONE, victim.leftRegion.address(), victim.leftRegion.localKey(), 16);
        victim.rightPair.postReceive(3, victim.rightRegion.address(), victim.rightRegion.localKey(), 64);
        victim.rightPair.postReceives(4, 1 + random.nextInt(3));
        victim.duties();
        for (int i = 0; i < 3; i++) {
            if (victim.rightReceives.startPoll() == Errno.OK) {
                victim.rightReceives.endPoll();
            }
            if (victim.leftSends.startPoll() == Errno.OK) {
                victim.leftSends.endPoll();
            }
        }
    }
}
