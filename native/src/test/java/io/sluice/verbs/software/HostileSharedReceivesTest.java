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
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers can write anything into the files of a shared receive queue and of the queue pairs that draw on it. */
class HostileSharedReceivesTest {
    private static final int CAPACITY = 4;
    private static final int COMPLETION_ENTRIES = 8;
    private static final int ARRIVED = QueuePairLayout.verdict(
        WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.SUCCESS);

    private final TemporaryFabric fabric = new TemporaryFabric();
    private SoftwareLink link;
    private SoftwareSharedReceiveQueue shared;
    private CompletionQueue receives;
    private QueuePair owner;
    private QueuePair poster;
    private MappedMemory pairMemory;
    private MappedMemory queueMemory;
    private UnsafeBuffer pairFile;
    private UnsafeBuffer queueFile;

    @BeforeEach
    void open() throws IOException {
        link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
        shared = (SoftwareSharedReceiveQueue) link.rightDomain.createSharedReceiveQueue(CAPACITY);
        receives = link.newQueue(link.right);
        owner = newOwner();
        poster = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        SoftwareLink.connect(poster, owner);
        pairMemory = SystemEnvironment.instance().files().open(
            SoftwareLink.file(link.right, owner), true, Long.MAX_VALUE);
        queueMemory = SystemEnvironment.instance().files().open(
            link.right.context().folder().resolve(FabricNames.sharedReceiveQueue(shared.number())), true,
            Long.MAX_VALUE);
        pairFile = new UnsafeBuffer(pairMemory.address(), (int) pairMemory.length());
        queueFile = new UnsafeBuffer(queueMemory.address(), (int) queueMemory.length());
    }

    @AfterEach
    void close() {
        owner.close();
        shared.close();
        link.close();
        pairMemory.close();
        queueMemory.close();
        fabric.close();
    }

    private QueuePair newOwner() {
        return link.keep(link.rightDomain.createQueuePair(
            new QueuePairAttributes(receives, receives, SoftwareLink.WORK, 0, 0, 0, 12, 6, 14)
                .withSharedReceiveQueue(shared)));
    }

    private void forgeEntry(final long index, final int token, final int verdict) {
        final int entries = (int) QueuePairLayout.completionsOffset(1);
        final int tokens = entries + COMPLETION_ENTRIES * QueuePairLayout.ENTRY_LENGTH;
        pairFile.putInt(tokens + (int) index * Integer.BYTES, token);
        final int offset = entries + (int) index * QueuePairLayout.ENTRY_LENGTH;
        pairFile.putLong(offset, QueuePairLayout.body(5, 8));
        pairFile.putLong(offset + QueuePairLayout.SEAL_OFFSET, QueuePairLayout.seal(index, verdict));
    }

    private int write() {
        return poster.postWriteWithImmediate(1, WorkFlags.SIGNALED, 0, 0, 0, 0, 0, 9);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 3, 4, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldFailALinkWhoseEntryNamesNoReceiveThatIsOut(final int token) {
        shared.postReceives(1, 2);

        forgeEntry(0, token, ARRIVED);

        assertEmpty(receives);
        assertEquals(QueuePairState.ERROR, owner.state());
        link.duties();
        assertTrue(link.events.contains(AsyncEventType.QP_FATAL));
        assertTrue(link.events.contains(AsyncEventType.QP_LAST_WQE_REACHED));
        assertEquals(Errno.OK, shared.postReceives(1, 2), "no receive was lost");
    }

    @Test
    void shouldTellAReceiveOnceHoweverOftenItIsNamed() {
        shared.postReceives(1, 2);

        forgeEntry(0, 0, ARRIVED);
        forgeEntry(1, 0, ARRIVED);

        assertEquals(5, takeImmediate(receives));
        assertEmpty(receives);
        assertEquals(QueuePairState.ERROR, owner.state());
    }

    /** Two queue pairs do so whose pollers look at once. */
    @Test
    void shouldCountAReceiveOnceThatIsGivenBackTwice() {
        shared.postReceives(1, CAPACITY);

        shared.giveBack(0);
        shared.giveBack(0);

        assertEquals(CAPACITY - 1, shared.outstanding());
        assertEquals(Errno.ENOMEM, shared.postReceives(1, 2), "one has come back");
        assertEquals(Errno.OK, shared.postReceives(1, 1));
    }

    @Test
    void shouldCompleteAReceiveWhoseEntryMakesNoSense() {
        shared.postReceives(1, 1);

        forgeEntry(0, 0, QueuePairLayout.verdict(0, 7, 0));

        assertEquals(WorkStatus.GENERAL_ERR, takeStatus(receives));
        assertEmpty(receives);
        assertEquals(QueuePairState.ERROR, owner.state());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 2, 1000, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldKeepWithinTheQueueWhateverWasTaken(final long taken) {
        shared.postReceives(1, 2);
        queueFile.putLong(SharedQueueLayout.TAKEN_OFFSET, taken);

        assertEquals(Errno.OK, write());

        final int status = takeStatus(link.leftSends);
        assertTrue(status == WorkStatus.SUCCESS || status == WorkStatus.RNR_RETRY_EXC_ERR, WorkStatus.name(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -4, 3, 1 << 30})
    void shouldRefuseAQueueThatIsDamaged(final int entries) {
        queueFile.putInt(SharedQueueLayout.ENTRY_COUNT_OFFSET, entries);
        final QueuePair damaged = newOwner();
        final QueuePair late = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        late.initialise(SoftwareLink.ACCESS);

        final VerbsException refused =
            assertThrows(VerbsException.class, () -> late.readyToReceive(damaged.localAddress()));

        assertEquals(Errno.EINVAL, refused.errno());
        damaged.close();
    }
}
