package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a device is given by the interfaces to post sends and receives, and what its answers become. */
class ScriptedPostingTest {
    private static final int CAPACITY = 5;
    /** A power of two. */
    private static final int PLACES = 8;
    private static final int MAX_INLINE = 64;
    private static final int MAX_RECEIVES = 1000;

    private ScriptedQueuePair device;

    @BeforeEach
    void script() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        device = new ScriptedQueuePair();
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private SendWork requests(final boolean isSystemCall) {
        return new SendWork(device.sendFunction(), device.address(), MAX_INLINE, isSystemCall);
    }

    private BuilderPoster builder(final boolean isSystemCall) {
        return new BuilderPoster(device.address(), MAX_INLINE, isSystemCall, new SendLedger(CAPACITY, true));
    }

    private ReceiveWork receives() {
        return new ReceiveWork(device.receiveFunction(), device.address(), MAX_RECEIVES, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFillInARequest(final boolean isSystemCall) {
        final SendWork work = requests(isSystemCall);

        assertEquals(Errno.OK, work.post(SendPoster.RDMA_WRITE_WITH_IMM, 7, WorkFlags.SIGNALED, 100, 1, 32, 200, 2,
            0x0102_0304));
        assertEquals(Errno.OK, work.post(SendPoster.SEND, 8, WorkFlags.NONE, 101, 3, 33, 0, 0, 0));
        assertEquals(Errno.OK, work.post(SendPoster.RDMA_WRITE, 9, WorkFlags.NONE, 0, 0, 0, 0, 0, 0));

        assertEquals(List.of(
            "post id=7 opcode=1 flags=2 imm=4030201 to=200/2 from=100/1+32",
            "post id=8 opcode=2 flags=0 imm=0 to=0/0 from=101/3+33",
            "post id=9 opcode=0 flags=0 imm=0 to=0/0"), device.calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBuildARequestCallByCall(final boolean isSystemCall) {
        final BuilderPoster poster = builder(isSystemCall);

        poster.post(SendPoster.RDMA_WRITE_WITH_IMM, 7, WorkFlags.SIGNALED, 100, 1, 32, 200, 2, 0x0102_0304);
        poster.post(SendPoster.RDMA_WRITE, 8, WorkFlags.INLINE, 100, 1, 8, 200, 2, 0);
        poster.post(SendPoster.SEND, 9, WorkFlags.NONE, 100, 1, 0, 0, 0, 0);
        poster.post(SendPoster.SEND_WITH_IMM, 10, WorkFlags.NONE, 100, 1, 5, 0, 0, 1);

        assertEquals(List.of(
            "start", "write to=200/2 imm=4030201", "from=100/1+32", "complete id=7 flags=2",
            "start", "write to=200/2", "inline=100+8", "complete id=8 flags=8",
            "start", "send", "from=100/1+0", "complete id=9 flags=0",
            "start", "send imm=1000000", "from=100/1+5", "complete id=10 flags=0"), device.calls);
    }

    @Test
    void shouldFillInReadsAndAtomicsAndLeaveNothingOfThemBehind() {
        final SendWork work = requests(false);

        work.post(SendPoster.RDMA_READ, 1, WorkFlags.SIGNALED, 100, 1, 32, 200, 2, 0);
        work.postAtomic(SendPoster.ATOMIC_CMP_AND_SWP, 2, WorkFlags.FENCED, 100, 1, 208, 2, -5, 6);
        work.postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, 3, WorkFlags.NONE, 108, 1, 216, 3, 7, 0);
        work.post(SendPoster.RDMA_WRITE, 4, WorkFlags.NONE, 100, 1, 16, 300, 4, 0);

        assertEquals(List.of(
            "post id=1 opcode=4 flags=2 imm=0 to=200/2 from=100/1+32",
            "post id=2 opcode=5 flags=1 imm=0 at=208/2 operands=-5,6 from=100/1+8",
            "post id=3 opcode=6 flags=0 imm=0 at=216/3 operands=7,0 from=108/1+8",
            "post id=4 opcode=0 flags=0 imm=0 to=300/4 from=100/1+16"), device.calls);
    }

    @Test
    void shouldBuildReadsAndAtomics() {
        final BuilderPoster poster = builder(false);

        poster.post(SendPoster.RDMA_READ, 1, WorkFlags.SIGNALED, 100, 1, 32, 200, 2, 0);
        poster.postAtomic(SendPoster.ATOMIC_CMP_AND_SWP, 2, WorkFlags.FENCED, 100, 1, 208, 2, -5, 6);
        poster.postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, 3, WorkFlags.NONE, 108, 1, 216, 3, 7, 0);

        assertEquals(List.of(
            "start", "read at=200/2", "from=100/1+32", "complete id=1 flags=2",
            "start", "swap at=208/2 -5,6", "from=100/1+8", "complete id=2 flags=1",
            "start", "add at=216/3 7", "from=108/1+8", "complete id=3 flags=0"), device.calls);
    }

    @Test
    void shouldRefuseLengthsThatNoDeviceIsAskedFor() {
        for (final SendPoster poster : List.of(requests(false), builder(false))) {
            assertEquals(Errno.EINVAL, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, -1, 0, 0, 0));
            assertEquals(Errno.EINVAL,
                poster.post(SendPoster.SEND, 1, WorkFlags.INLINE, 0, 0, MAX_INLINE + 1, 0, 0, 0));
        }
        assertTrue(device.calls.isEmpty());
    }

    @Test
    void shouldHandOnWhatTheDeviceAnswers() {
        for (final SendPoster poster : List.of(requests(true), requests(false), builder(true), builder(false))) {
            device.result = Errno.ENOMEM;
            assertEquals(Errno.ENOMEM, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 0, 0, 0));
            // as qedr and erdma answer
            device.result = -Errno.ENOMEM;
            assertEquals(Errno.ENOMEM, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 0, 0, 0));
            device.result = -1;
            assertEquals(ProviderErrno.EIO, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 0, 0, 0));
        }
    }

    /** Soft-RoCE names a full send queue differently by this interface. */
    @Test
    void shouldTellThatTheSendQueueIsFullByOneName() {
        device.result = 28;

        assertEquals(Errno.ENOMEM, builder(true).post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 0, 0, 0));
        assertEquals(Errno.ENOMEM, builder(true).postAtomic(
            SendPoster.ATOMIC_FETCH_AND_ADD, 1, WorkFlags.NONE, 0, 0, 8, 0, 0, 0));
    }

    @Test
    void shouldRefuseABuilderThatLacksAFunction() {
        try (Arena arena = Arena.ofConfined()) {
            final long empty = ibv_qp_ex.allocate(arena).address();

            final SendLedger ledger = new SendLedger(CAPACITY, true);
            assertThrows(
                IllegalStateException.class, () -> new BuilderPoster(empty, MAX_INLINE, false, ledger));
        }
    }

    private static SendRequest[] chain(final int count) {
        final SendRequest[] requests = new SendRequest[count];
        for (int i = 0; i < count; i++) {
            requests[i] = SendRequest.prepared();
            requests[i].fill(SendPoster.RDMA_WRITE_WITH_IMM, i, i == 0 ? WorkFlags.INLINE : WorkFlags.SIGNALED,
                100 + i, 1, 32);
            requests[i].remote(200 + i, 2);
            requests[i].immediate(i);
            requests[i].next(0);
            if (i > 0) {
                requests[i - 1].next(requests[i].address);
            }
        }
        return requests;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPostAChainByOneCall(final boolean isSystemCall) {
        final SendRequest[] chain = chain(3);

        assertEquals(Errno.OK, requests(isSystemCall).postChain(chain, 0, 3));
        assertEquals(Errno.OK, requests(isSystemCall).postChain(chain, 2, 1));

        assertEquals(List.of(
            "post id=0 opcode=1 flags=8 imm=0 to=200/2 from=100/1+32",
            "then id=1 opcode=1 flags=2 imm=1000000 to=201/2 from=101/1+32",
            "then id=2 opcode=1 flags=2 imm=2000000 to=202/2 from=102/1+32",
            "post id=2 opcode=1 flags=2 imm=2000000 to=202/2 from=102/1+32"), device.calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBuildAChainBetweenOneStartAndItsEnd(final boolean isSystemCall) {
        assertEquals(Errno.OK, builder(isSystemCall).postChain(chain(3), 0, 2));

        assertEquals(List.of(
            "start", "write to=200/2 imm=0", "inline=100+32", "write to=201/2 imm=1000000", "from=101/1+32",
            "complete id=1 flags=2"), device.calls);
    }

    @Test
    void shouldTellHowManyOfAChainWerePosted() {
        final SendWork work = requests(false);
        final SendRequest[] chain = chain(5);
        for (int room = 0; room < 4; room++) {
            device.sendRoom = room;
            assertEquals(Errno.ENOMEM, work.postChain(chain, 1, 4));
            assertEquals(room, work.posted(chain, 1, 4));
        }
        final BuilderPoster builder = builder(false);
        device.result = Errno.ENOMEM;
        assertEquals(Errno.ENOMEM, builder.postChain(chain, 1, 4));
        assertEquals(0, builder.posted(chain, 1, 4), "all or none");
    }

    /** A send posted again arrives twice, one left out never does: without a device's answer none counts as posted. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 1, Integer.MIN_VALUE, 1L << 40})
    void shouldNotBelieveARefusedSendThatIsNoneOfItsOwn(final long distance) {
        final SendWork work = requests(false);
        final SendRequest[] chain = chain(3);
        device.sendRoom = 2;
        assertEquals(Errno.ENOMEM, work.postChain(chain, 0, 3));
        device.refused = distance;
        device.sendRoom = 2;
        assertEquals(Errno.ENOMEM, work.postChain(chain, 0, 3));
        assertEquals(0, work.posted(chain, 0, 3));
        device.result = Errno.EINVAL;
        assertEquals(Errno.EINVAL, work.postChain(chain, 0, 3));
        assertEquals(0, work.posted(chain, 0, 3), "told nothing");
    }

    @Test
    void shouldPostReceivesInChains() {
        final ReceiveWork work = receives();

        assertEquals(Errno.OK, work.postMany(5, 1));
        assertEquals(Errno.OK, work.postMany(6, ReceiveWork.CHAIN));
        assertEquals(Errno.OK, work.postMany(7, ReceiveWork.CHAIN + 1));

        assertEquals(4, device.calls.size());
        assertEquals(2 * ReceiveWork.CHAIN + 2, device.receives.size());
        assertEquals(1, Collections.frequency(device.receives, 5L));
        assertEquals(ReceiveWork.CHAIN, Collections.frequency(device.receives, 6L));
        assertEquals(ReceiveWork.CHAIN + 1, Collections.frequency(device.receives, 7L));
    }

    @Test
    void shouldPostAReceiveWithABuffer() {
        assertEquals(Errno.OK, receives().post(3, 100, 1, 64));
        assertEquals(Errno.EINVAL, receives().post(3, 100, 1, -1));

        assertEquals(List.of(3L), device.receives);
    }

    @Test
    void shouldRefuseMoreReceivesThanTheQueueEverHolds() {
        final ReceiveWork work = receives();

        assertEquals(Errno.ENOMEM, work.postMany(1, MAX_RECEIVES + 1));
        assertEquals(Errno.EINVAL, work.postMany(1, 0));
        assertTrue(device.calls.isEmpty());
    }

    /** The device cannot take receives back: what it took of a post that failed counts for the next one. */
    @Test
    void shouldCountWhatTheDeviceTookOfAPostThatDidNotFit() {
        final ReceiveWork work = receives();
        device.room = ReceiveWork.CHAIN + 3;

        assertEquals(Errno.ENOMEM, work.postMany(1, ReceiveWork.CHAIN + 10));
        assertEquals(ReceiveWork.CHAIN + 3, device.receives.size());
        device.room = Integer.MAX_VALUE;
        assertEquals(Errno.OK, work.postMany(1, 2));
        assertEquals(ReceiveWork.CHAIN + 3, device.receives.size());
        assertEquals(Errno.OK, work.postMany(1, ReceiveWork.CHAIN + 8));

        assertEquals(ReceiveWork.CHAIN + 10, device.receives.size());
    }

    /** A device that tells nonsense is taken to have taken none: too many receives do no harm, too few do. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 1, Integer.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 32L * ReceiveWork.CHAIN, -32})
    void shouldNotBelieveARefusedReceiveThatIsNoneOfItsOwn(final long distance) {
        final ReceiveWork work = receives();
        device.refused = distance;
        device.room = 3;

        assertEquals(Errno.ENOMEM, work.postMany(1, 10));
        device.refused = null;
        device.room = Integer.MAX_VALUE;
        assertEquals(Errno.OK, work.postMany(1, 10));

        assertEquals(3 + 10, device.receives.size());
    }

    private static int read(final SendPoster poster) {
        return poster.post(SendPoster.RDMA_READ, 1, WorkFlags.SIGNALED, 100, 1, 32, 200, 2, 0);
    }

    /** A device may do as mana does, which calls a READ invalid for which it has no place. */
    @Test
    void shouldTellAReadWithoutAPlaceFromAnInvalidOne() {
        final SendLedger ledger = new SendLedger(2, CAPACITY, true);
        final SendPoster poster = new ReadRingPoster(requests(false), ledger);
        device.result = Errno.EINVAL;
        assertEquals(Errno.EINVAL, read(poster), "there is a place");
        device.result = Errno.OK;
        assertEquals(Errno.OK, read(poster));
        assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
        assertEquals(Errno.OK, read(poster));
        device.result = Errno.EINVAL;

        assertEquals(Errno.ENOMEM, read(poster));
        assertEquals(Errno.EINVAL, send(poster, WorkFlags.SIGNALED), "no READ");
        assertEquals(Errno.EINVAL,
            poster.post(SendPoster.RDMA_READ, 1, WorkFlags.NONE, 100, 1, -1, 200, 2, 0), "never posted");
        ledger.onCompleted();
        assertEquals(Errno.EINVAL, read(poster), "there is a place again");
        device.result = Errno.OK;
        assertEquals(Errno.OK, read(poster));
        assertEquals(Errno.OK, read(poster), "the device is asked: it may have freed places of others");
        assertEquals(Errno.EOPNOTSUPP, poster.postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, 1, 0, 100, 1, 200, 2, 1, 0));
    }

    /** A device calls all sends invalid then, and no completion makes a place that a caller could wait for. */
    @Test
    void shouldCallAReadInvalidWhenTheQueuePairHasFailedThoughThereIsNoPlace() {
        final SendPoster poster = new ReadRingPoster(requests(false), new SendLedger(1, CAPACITY, true));
        assertEquals(Errno.OK, read(poster));
        device.result = Errno.EINVAL;
        assertEquals(Errno.ENOMEM, read(poster));

        poster.onFailed();

        assertEquals(Errno.EINVAL, read(poster));
        final SendRequest[] chain = chain(1);
        chain[0].fill(SendPoster.RDMA_READ, 1, WorkFlags.SIGNALED, 100, 1, 32);
        device.sendRoom = 0;
        device.refusal = Errno.EINVAL;
        assertEquals(Errno.EINVAL, poster.postChain(chain, 0, 1));
    }

    @Test
    void shouldCountReadsOfAChainUpToTheOneThatIsRefused() {
        final SendLedger ledger = new SendLedger(2, CAPACITY, true);
        final SendPoster poster = new ReadRingPoster(requests(false), ledger);
        final SendRequest[] chain = chain(4);
        for (int i = 1; i < 4; i++) {
            chain[i].fill(SendPoster.RDMA_READ, i, WorkFlags.SIGNALED, 100 + i, 1, 32);
        }
        device.sendRoom = 3;
        device.refusal = Errno.EINVAL;

        assertEquals(Errno.ENOMEM, poster.postChain(chain, 0, 4));
        assertEquals(3, poster.posted(chain, 0, 4));

        ledger.onCompleted();
        device.sendRoom = 0;
        assertEquals(Errno.EINVAL, poster.postChain(chain, 3, 1), "there is a place");
        assertEquals(Errno.OK, poster.postChain(chain, 3, 1));
    }

    /** A place of the ring is the oldest one's still when the device is asked for one more. */
    @Test
    void shouldCompleteTheOldestSendAsItWasPostedAfterMoreWereRefused() {
        final SendLedger ledger = new SendLedger(2, PLACES, true);
        final SendPoster poster = new ReadRingPoster(requests(false), ledger);
        assertEquals(Errno.OK, read(poster));
        for (int i = 0; i < PLACES - 2; i++) {
            assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
        }
        assertEquals(Errno.OK, read(poster));
        device.result = Errno.ENOMEM;
        assertEquals(Errno.ENOMEM, read(poster));
        device.sendRoom = 0;
        assertEquals(Errno.ENOMEM, poster.postChain(reads(PLACES), 0, PLACES));

        for (int i = 0; i < PLACES - 1; i++) {
            ledger.onCompleted();
            assertTrue(ledger.hasRoom(1));
            assertFalse(ledger.hasRoom(2), "the last READ is under way");
        }
        ledger.onCompleted();
        assertTrue(ledger.hasRoom(2));
        assertFalse(ledger.hasRoom(3));
    }

    private static SendRequest[] reads(final int count) {
        final SendRequest[] requests = chain(count);
        for (final SendRequest request : requests) {
            request.fill(SendPoster.RDMA_READ, 1, WorkFlags.SIGNALED, 100, 1, 32);
        }
        return requests;
    }

    private static int send(final SendPoster poster, final int flags) {
        return poster.post(SendPoster.SEND, 1, flags, 100, 1, 32, 0, 0, 0);
    }

    /** A device may not refuse it before the request that was posted last is overwritten (mlx5). */
    @Test
    void shouldNotStartToBuildARequestForAFullQueue() {
        final SendLedger ledger = new SendLedger(3, true);
        final BuilderPoster poster = new BuilderPoster(device.address(), MAX_INLINE, false, ledger);
        assertEquals(Errno.OK, send(poster, 0));
        assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
        assertEquals(Errno.ENOMEM, poster.postChain(chain(2), 0, 2));
        assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
        device.calls.clear();

        assertEquals(Errno.ENOMEM, send(poster, 0));
        assertEquals(Errno.ENOMEM, poster.postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, 1, 0, 100, 1, 200, 2, 1, 0));
        assertEquals(Errno.ENOMEM, poster.postChain(chain(1), 0, 1));
        assertEquals(List.of(), device.calls);

        ledger.onCompleted();
        assertEquals(Errno.OK, poster.postChain(chain(2), 0, 2), "the one before it is done, too");
        assertEquals(Errno.ENOMEM, send(poster, 0));
        ledger.onCompleted();
        assertEquals(Errno.OK, send(poster, 0));
    }

    /** Flushed sends cannot be told from receives that complete in the same queue: no place comes any more. */
    @Test
    void shouldCallASendInvalidWhereAFailedQueuePairHasNoPlaceForGood() {
        final BuilderPoster lost = new BuilderPoster(device.address(), MAX_INLINE, false, new SendLedger(1, false));
        final BuilderPoster flushing = new BuilderPoster(device.address(), MAX_INLINE, false, new SendLedger(1, true));
        for (final SendPoster poster : List.of(lost, flushing)) {
            assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
            assertEquals(Errno.ENOMEM, send(poster, 0));
            poster.onFailed();
        }

        assertEquals(Errno.EINVAL, send(lost, 0));
        assertEquals(Errno.EINVAL, lost.postChain(chain(1), 0, 1));
        assertEquals(Errno.EINVAL, lost.postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, 1, 0, 100, 1, 200, 2, 1, 0));
        assertEquals(Errno.ENOMEM, send(flushing, 0), "it has one when the flush is polled");
    }

    @Test
    void shouldNotCountWhatTheDeviceHasRefused() {
        final SendLedger ledger = new SendLedger(2, true);
        final BuilderPoster poster = new BuilderPoster(device.address(), MAX_INLINE, false, ledger);
        device.result = Errno.EINVAL;
        for (int i = 0; i < 5; i++) {
            assertEquals(Errno.EINVAL, send(poster, WorkFlags.SIGNALED));
            assertEquals(Errno.EINVAL, poster.postChain(chain(2), 0, 2));
        }
        device.result = Errno.OK;
        assertEquals(Errno.OK, send(poster, 0));
        assertEquals(Errno.OK, send(poster, WorkFlags.SIGNALED));
        assertEquals(Errno.ENOMEM, send(poster, 0));
        ledger.onCompleted();
        assertEquals(Errno.OK, poster.postChain(chain(2), 0, 2));
    }
}
