package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AtomicTest extends VerbsSuite {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_ATOMIC;
    /** Offset of the peer's word. */
    private static final int WORD = 512;
    /** Offset of what comes back. */
    private static final int RESULT = 64;

    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        assumeTrue(rig.first.attributes().atomics(), "the device has no atomics");
        link(new EndpointOptions(), new EndpointOptions().grants(ACCESS));
    }

    private void link(final EndpointOptions poster, final EndpointOptions owner) {
        final Rig.Link link = rig.link(poster, owner);
        left = link.left();
        right = link.right();
    }

    private int compareAndSwap(final long id, final int flags, final long expected, final long replacement) {
        return left.queuePair.postCompareAndSwap(id, flags, left.address(RESULT), left.region.localKey(),
            right.address(WORD), right.region.remoteKey(), expected, replacement);
    }

    private int fetchAdd(final long id, final int flags, final long addend) {
        return left.queuePair.postFetchAdd(id, flags, left.address(RESULT), left.region.localKey(),
            right.address(WORD), right.region.remoteKey(), addend);
    }

    private Completion awaitResult(final int opcode) {
        final Completion completion = rig.awaitSuccess(left.sendQueue);
        assertEquals(opcode, completion.opcode());
        assertEquals(Long.BYTES, completion.byteLength());
        assertEquals(left.queuePair.number(), completion.queuePair());
        return completion;
    }

    @Test
    void shouldSwapWhatIsAsExpected() {
        right.buffer.putLong(WORD, 0x1122_3344_5566_7788L);

        assertEquals(Errno.OK, compareAndSwap(5, WorkFlags.SIGNALED, 0x1122_3344_5566_7788L, -2));

        assertEquals(5, awaitResult(WorkOpcode.COMPARE_SWAP).workRequestId());
        assertEquals(0x1122_3344_5566_7788L, left.buffer.getLong(RESULT));
        assertEquals(-2, right.buffer.getLong(WORD));
        assertTrue(right.isZero(0, WORD) && right.isZero(WORD + 8, 64));
        assertTrue(left.isZero(0, RESULT) && left.isZero(RESULT + 8, 64));
    }

    @Test
    void shouldLeaveWhatIsNotAsExpectedAndTellIt() {
        right.buffer.putLong(WORD, 77);

        compareAndSwap(1, WorkFlags.SIGNALED, 78, 79);

        awaitResult(WorkOpcode.COMPARE_SWAP);
        assertEquals(77, left.buffer.getLong(RESULT));
        assertEquals(77, right.buffer.getLong(WORD));
    }

    @Test
    void shouldAddAndTellWhatWasThere() {
        right.buffer.putLong(WORD, Long.MAX_VALUE);

        assertEquals(Errno.OK, fetchAdd(6, WorkFlags.SIGNALED, 1));
        assertEquals(6, awaitResult(WorkOpcode.FETCH_ADD).workRequestId());
        assertEquals(Long.MAX_VALUE, left.buffer.getLong(RESULT));
        assertEquals(Long.MIN_VALUE, right.buffer.getLong(WORD), "the sum wraps");
        fetchAdd(7, WorkFlags.SIGNALED, -3);
        awaitResult(WorkOpcode.FETCH_ADD);
        assertEquals(Long.MIN_VALUE, left.buffer.getLong(RESULT));
        assertEquals(Long.MIN_VALUE - 3, right.buffer.getLong(WORD));
    }

    @Test
    void shouldLoseNothingWhenManyAddAtOnce() {
        final Endpoint[] posters = new Endpoint[3];
        for (int i = 0; i < posters.length; i++) {
            posters[i] = rig.link(new EndpointOptions(), new EndpointOptions().grants(ACCESS)).left();
        }
        final Set<Long> seen = new HashSet<>();
        for (int round = 0; round < 50; round++) {
            for (final Endpoint poster : posters) {
                assertEquals(Errno.OK, poster.queuePair.postFetchAdd(round, WorkFlags.SIGNALED, poster.address(0),
                    poster.region.localKey(), right.address(WORD), right.region.remoteKey(), 1));
            }
            for (final Endpoint poster : posters) {
                rig.awaitSuccess(poster.sendQueue);
                assertTrue(seen.add(poster.buffer.getLong(0)), "each found another number");
            }
        }
        assertEquals(150, right.buffer.getLong(WORD));
    }

    @Test
    void shouldCarryOutAtomicsAfterWhatHadToWait() {
        link(new EndpointOptions().rnrRetryCount(7), new EndpointOptions().grants(ACCESS));
        left.send(1, WorkFlags.SIGNALED, 1024, 8);
        assertEquals(Errno.OK, compareAndSwap(2, WorkFlags.SIGNALED, 0, 40));
        assertEquals(Errno.OK, fetchAdd(3, WorkFlags.SIGNALED, 2));

        right.receive(9, 2048, 8);

        assertEquals(1, rig.awaitSuccess(left.sendQueue).workRequestId());
        assertEquals(2, awaitResult(WorkOpcode.COMPARE_SWAP).workRequestId());
        assertEquals(3, awaitResult(WorkOpcode.FETCH_ADD).workRequestId());
        assertEquals(42, right.buffer.getLong(WORD));
        assertEquals(40, left.buffer.getLong(RESULT));
    }

    @Test
    void shouldRefuseWhatCannotBeAtomic() {
        assertEquals(Errno.EINVAL, compareAndSwap(1, WorkFlags.SIGNALED | WorkFlags.INLINE, 0, 1));
        assertEquals(Errno.EINVAL, fetchAdd(1, WorkFlags.SIGNALED | WorkFlags.INLINE, 1));
        for (final int shift : new int[] {1, 4, 7}) {
            assertEquals(Errno.EINVAL, left.queuePair.postFetchAdd(1, WorkFlags.SIGNALED, left.address(RESULT),
                left.region.localKey(), right.address(WORD + shift), right.region.remoteKey(), 1));
        }
        link(new EndpointOptions().reads(0, 1), new EndpointOptions().grants(ACCESS));
        assertEquals(Errno.EINVAL, compareAndSwap(1, WorkFlags.SIGNALED, 0, 1), "none was asked for");
        left.queuePair.close();
        assertEquals(Errno.EINVAL, fetchAdd(1, WorkFlags.SIGNALED, 1));
    }

    @Test
    void shouldRefuseARegionWithoutRemoteAtomic() {
        final MemoryRegion region = rig.keep(rig.secondDomain.allocateRegion(
            4096, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));

        left.queuePair.postFetchAdd(4, WorkFlags.NONE, left.address(RESULT), left.region.localKey(),
            region.address(), region.remoteKey(), 1);

        final Completion failed = rig.await(left.sendQueue);
        assertEquals(WorkStatus.REM_ACCESS_ERR, failed.status(), failed.toString());
        assertEquals(4, failed.workRequestId());
        rig.awaitState(right.queuePair, QueuePairState.ERROR);
        assertEquals(0, region.buffer().getLong(0));
    }

    @Test
    void shouldRefuseARegionForAtomicsThatMustNotBeWritten() {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> rig.firstDomain.allocateRegion(4096, AccessFlags.REMOTE_ATOMIC)).errno());
    }
}
