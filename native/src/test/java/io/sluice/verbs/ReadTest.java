package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadTest extends VerbsSuite {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;

    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        link(new EndpointOptions(), new EndpointOptions().grants(ACCESS));
    }

    private void link(final EndpointOptions reader, final EndpointOptions owner) {
        final Rig.Link link = rig.link(reader, owner);
        left = link.left();
        right = link.right();
    }

    private int read(final long id, final int flags, final int offset, final int length) {
        return left.queuePair.postRead(id, flags, left.address(offset), left.region.localKey(), length,
            right.address(offset), right.region.remoteKey());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 33, 256, 4095, 4096, 60_000})
    void shouldFetchThePeersBytesAndNothingBeside(final int length) {
        right.fill(0, (int) right.region.length(), 9);
        right.fill(64, length, length);

        assertEquals(Errno.OK, read(5, WorkFlags.SIGNALED, 64, length));

        final Completion completion = rig.awaitSuccess(left.sendQueue);
        assertEquals(5, completion.workRequestId());
        assertEquals(WorkOpcode.RDMA_READ, completion.opcode());
        assertEquals(left.queuePair.number(), completion.queuePair());
        assertEquals(length, completion.byteLength());
        assertTrue(left.holds(64, length, length));
        assertTrue(left.isZero(0, 64));
        assertTrue(left.isZero(64 + length, 64));
        assertEquals(Errno.ENOENT, right.receiveQueue.startPoll(), "the peer takes no part");
    }

    /** Some devices have fewer places for READs than for sends. */
    @Test
    void shouldTellThatThereIsNoPlaceForAReadAndHaveOneAgain() {
        final int places = 256;
        link(new EndpointOptions().sendWork(places), new EndpointOptions().grants(ACCESS));
        int posted = 0;
        int result = Errno.OK;
        while (result == Errno.OK && posted < 4 * places) {
            result = read(posted, posted % 16 == 15 ? WorkFlags.SIGNALED : WorkFlags.NONE, 64, 8);
            posted += result == Errno.OK ? 1 : 0;
        }
        assertTrue(result == Errno.OK || result == Errno.ENOMEM, "result=" + result);
        assertTrue(posted >= 128, "posted=" + posted);

        for (int i = 0; i < posted / 16; i++) {
            assertEquals(16 * i + 15, rig.awaitSuccess(left.sendQueue).workRequestId());
        }
        assertEquals(Errno.OK, read(7, WorkFlags.SIGNALED, 64, 8));
        assertEquals(7, rig.awaitSuccess(left.sendQueue).workRequestId());
    }

    @Test
    void shouldFetchBetweenUnalignedAddresses() {
        right.fill(1001, 100, 4);

        left.queuePair.postRead(1, WorkFlags.SIGNALED, left.address(13), left.region.localKey(), 100,
            right.address(1001), right.region.remoteKey());

        rig.awaitSuccess(left.sendQueue);
        assertTrue(left.holds(13, 100, 4));
    }

    @Test
    void shouldFetchWhatWasWrittenJustBefore() {
        link(new EndpointOptions(), new EndpointOptions().grants(ACCESS | AccessFlags.REMOTE_WRITE));
        left.fill(0, 512, 3);

        assertEquals(Errno.OK, left.write(1, WorkFlags.NONE, 0, 512, right));
        assertEquals(Errno.OK, left.queuePair.postRead(2, WorkFlags.SIGNALED, left.address(1024),
            left.region.localKey(), 512, right.address(0), right.region.remoteKey()));

        assertEquals(2, rig.awaitSuccess(left.sendQueue).workRequestId());
        assertTrue(left.holds(1024, 512, 3));
    }

    @Test
    void shouldSendOnWhatWasFetchedBehindAFence() {
        right.fill(0, 256, 8);
        right.receive(7, 4096, 256);

        read(1, WorkFlags.NONE, 0, 256);
        left.send(2, WorkFlags.SIGNALED | WorkFlags.FENCED, 0, 256);

        assertEquals(256, rig.awaitSuccess(right.receiveQueue).byteLength());
        assertTrue(right.holds(4096, 256, 8));
    }

    @Test
    void shouldCarryOutMoreReadsThanMayBeUnderWay() {
        for (int i = 0; i < 16; i++) {
            right.buffer.putInt(4 * i, i + 1);
        }
        for (int i = 0; i < 16; i++) {
            assertEquals(Errno.OK, read(i, WorkFlags.SIGNALED, 4 * i, 4));
        }
        for (int i = 0; i < 16; i++) {
            assertEquals(i, rig.awaitSuccess(left.sendQueue).workRequestId());
            assertEquals(i + 1, left.buffer.getInt(4 * i));
        }
    }

    @Test
    void shouldHaveSeveralReadsUnderWay() {
        final int outgoing = Math.min(4, rig.first.attributes().maxReadAtomic());
        final int incoming = Math.min(4, rig.second.attributes().maxDestinationReadAtomic());
        link(new EndpointOptions().reads(outgoing, 0), new EndpointOptions().grants(ACCESS).reads(0, incoming));
        right.fill(0, 60_000, 2);

        for (int i = 0; i < 8; i++) {
            read(i, WorkFlags.SIGNALED, 7500 * i, 7500);
        }

        rig.await(left.sendQueue, 8).forEach(c -> assertTrue(c.isSuccess(), c.toString()));
        assertTrue(left.holds(0, 60_000, 2));
        assertEquals(outgoing, left.queuePair.attributes().maxReadAtomic());
    }

    @Test
    void shouldRefuseWhatCannotBeRead() {
        assertEquals(Errno.EINVAL, read(1, WorkFlags.SIGNALED, 0, -1));
        assertEquals(Errno.EINVAL, read(1, WorkFlags.SIGNALED | WorkFlags.INLINE, 0, 8));
        link(new EndpointOptions().reads(0, 0), new EndpointOptions().grants(ACCESS));
        assertEquals(Errno.EINVAL, read(1, WorkFlags.SIGNALED, 0, 8), "none was asked for");
        left.queuePair.close();
        assertEquals(Errno.EINVAL, read(1, WorkFlags.SIGNALED, 0, 8));
    }

    @Test
    void shouldRefuseMoreReadsThanTheDeviceHas() {
        final DeviceAttributes limits = rig.first.attributes();
        refuses(limits.maxReadAtomic() + 1, 0, "maxReadAtomic=" + (limits.maxReadAtomic() + 1));
        refuses(0, limits.maxDestinationReadAtomic() + 1,
            "maxDestinationReadAtomic=" + (limits.maxDestinationReadAtomic() + 1));
        refuses(-1, 0, "maxReadAtomic=-1");
    }

    private void refuses(final int outgoing, final int incoming, final String what) {
        final VerbsException refused = assertThrows(
            VerbsException.class, () -> rig.onFirst(new EndpointOptions().reads(outgoing, incoming)));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains(what), refused.getMessage());
    }

    private int fail(final long localAddress, final int localKey, final long remoteAddress, final int remoteKey) {
        right.fill(0, 4096, 1);
        assertEquals(Errno.OK, left.queuePair.postRead(
            3, WorkFlags.NONE, localAddress, localKey, 8, remoteAddress, remoteKey));
        final Completion failed = rig.await(left.sendQueue);
        assertEquals(3, failed.workRequestId());
        assertFalse(failed.isSuccess());
        rig.awaitState(left.queuePair, QueuePairState.ERROR);
        assertTrue(left.isZero(0, (int) left.region.length()), "nothing was fetched");
        return failed.status();
    }

    private void failsRemotely(final long remoteAddress, final int remoteKey) {
        assertEquals(WorkStatus.REM_ACCESS_ERR,
            fail(left.address(0), left.region.localKey(), remoteAddress, remoteKey));
        rig.awaitState(right.queuePair, QueuePairState.ERROR);
    }

    @Test
    void shouldRefuseAnUnknownRemoteKey() {
        failsRemotely(right.address(0), right.region.remoteKey() ^ 0x5a5a);
    }

    @Test
    void shouldRefuseToReadBeyondTheEnd() {
        failsRemotely(right.address((int) right.region.length() - 7), right.region.remoteKey());
    }

    @Test
    void shouldRefuseARegionWithoutRemoteRead() {
        final MemoryRegion region = rig.keep(
            rig.secondDomain.allocateRegion(4096, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE));

        failsRemotely(region.address(), region.remoteKey());
    }

    @Test
    void shouldRefuseReadsThroughAQueuePairThatGrantsNone() {
        link(new EndpointOptions(), new EndpointOptions().grants(ACCESS).access(AccessFlags.LOCAL_WRITE));

        final int status =
            fail(left.address(0), left.region.localKey(), right.address(0), right.region.remoteKey());

        // Devices differ in whether the request or the access is what is wrong.
        assertTrue(status == WorkStatus.REM_ACCESS_ERR || status == WorkStatus.REM_INV_REQ_ERR,
            WorkStatus.name(status));
    }

    @Test
    void shouldRefuseReadsOfAPeerThatAnswersNone() {
        link(new EndpointOptions(), new EndpointOptions().grants(ACCESS).reads(1, 0));

        assertEquals(WorkStatus.REM_INV_REQ_ERR,
            fail(left.address(0), left.region.localKey(), right.address(0), right.region.remoteKey()));
    }

    @Test
    void shouldRefuseALocalRegionThatMustNotBeWritten() {
        final MemoryRegion region = rig.keep(rig.firstDomain.allocateRegion(4096, AccessFlags.REMOTE_READ));

        final int status = fail(region.address(), region.localKey(), right.address(0), right.region.remoteKey());

        assertTrue(status == WorkStatus.LOC_PROT_ERR || !rig.has(DeviceFixture.Ability.NAMES_LOCAL_FAULTS),
            WorkStatus.name(status));
        assertEquals(0, region.buffer().getLong(0));
    }

    @Test
    void shouldFlushReadsPostedInError() {
        left.queuePair.fail();

        assertEquals(Errno.OK, read(1, WorkFlags.NONE, 0, 8));

        final Completion flushed = rig.await(left.sendQueue);
        assertEquals(WorkStatus.WR_FLUSH_ERR, flushed.status());
        assertEquals(1, flushed.workRequestId());
    }

    @Test
    void shouldReadAfterWhatHadToWait() {
        link(new EndpointOptions().rnrRetryCount(7), new EndpointOptions().grants(ACCESS));
        right.fill(0, 64, 6);
        left.send(1, WorkFlags.SIGNALED, 1024, 8);
        assertEquals(Errno.OK, read(2, WorkFlags.SIGNALED, 0, 64));

        right.receive(9, 2048, 8);

        assertEquals(1, rig.awaitSuccess(left.sendQueue).workRequestId());
        final Completion fetched = rig.awaitSuccess(left.sendQueue);
        assertEquals(2, fetched.workRequestId());
        assertEquals(WorkOpcode.RDMA_READ, fetched.opcode());
        assertEquals(64, fetched.byteLength());
        assertTrue(left.holds(0, 64, 6));
    }
}
