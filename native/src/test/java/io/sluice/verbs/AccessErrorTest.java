package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccessErrorTest extends VerbsSuite {
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        final Rig.Link link = rig.link();
        left = link.left();
        right = link.right();
        left.fill(0, 1024, 1);
    }

    private void failsRemotely(final long remoteAddress, final int length, final int remoteKey) {
        assertEquals(WorkStatus.REM_ACCESS_ERR, failRemotely(remoteAddress, length, remoteKey));
    }

    /** Status of the write that fails. */
    private int failRemotely(final long remoteAddress, final int length, final int remoteKey) {
        right.queuePair.postReceives(9, 2);
        final int result = left.queuePair.postWrite(
            1, WorkFlags.NONE, left.address(0), left.region.localKey(), length, remoteAddress, remoteKey);

        assertEquals(Errno.OK, result);
        final Completion failed = rig.await(left.sendQueue);
        assertEquals(1, failed.workRequestId());
        assertEquals(left.queuePair.number(), failed.queuePair());
        rig.awaitState(left.queuePair, QueuePairState.ERROR);
        rig.awaitState(right.queuePair, QueuePairState.ERROR);
        for (final Completion flushed : rig.await(right.receiveQueue, 2)) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, flushed.status());
            assertEquals(9, flushed.workRequestId());
        }
        assertTrue(right.isZero(0, (int) right.region.length()), "nothing was written");
        return failed.status();
    }

    @Test
    void shouldRefuseAnUnknownRemoteKey() {
        failsRemotely(right.address(0), 8, right.region.remoteKey() ^ 0x5a5a);
    }

    @Test
    void shouldRefuseAWriteBeyondTheEnd() {
        failsRemotely(right.address((int) right.region.length() - 7), 8, right.region.remoteKey());
    }

    @Test
    void shouldRefuseAWriteBeforeTheBeginning() {
        failsRemotely(right.address(-1), 8, right.region.remoteKey());
    }

    @Test
    void shouldRefuseAnAddressThatOverflows() {
        failsRemotely(Long.MAX_VALUE - 3, 8, right.region.remoteKey());
    }

    @Test
    void shouldRefuseANegativeAddress() {
        failsRemotely(-4, 8, right.region.remoteKey());
    }

    @Test
    void shouldRefuseAClosedRegion() {
        final MemoryRegion closed = rig.secondDomain.allocateRegion(4096, Endpoint.REGION_ACCESS);
        left.queuePair.postWrite(1, WorkFlags.SIGNALED, left.address(0), left.region.localKey(), 8,
            closed.address(), closed.remoteKey());
        rig.awaitSuccess(left.sendQueue);
        closed.close();

        failsRemotely(closed.address(), 8, closed.remoteKey());
    }

    @Test
    void shouldRefuseARegionWithoutRemoteWrite() {
        final MemoryRegion region = rig.keep(rig.secondDomain.allocateRegion(4096, AccessFlags.LOCAL_WRITE));

        failsRemotely(region.address(), 8, region.remoteKey());
    }

    @Test
    void shouldRefuseARegionOfAnotherDomain() {
        final ProtectionDomain other = rig.keep(rig.second.allocateProtectionDomain());
        final MemoryRegion region = rig.keep(other.allocateRegion(4096, Endpoint.REGION_ACCESS));

        failsRemotely(region.address(), 8, region.remoteKey());
    }

    /** A key alone decides, not where the memory is, nor what another key allows. */
    @Test
    void shouldRefuseTheKeyOfARegionThatIsRegisteredForSends() {
        final ProtectionDomain other = rig.keep(rig.second.allocateProtectionDomain());
        final MemoryRegion region = rig.keep(other.allocateRegion(4096, Endpoint.REGION_ACCESS));
        final MemoryRegion sent = rig.keep(rig.secondDomain.registerForSends(region));

        failsRemotely(sent.address(), 8, sent.remoteKey());
    }

    @Test
    void shouldRefuseWritesThroughAQueuePairThatGrantsNone() {
        final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().access(AccessFlags.LOCAL_WRITE));
        left = link.left();
        right = link.right();

        final int status = failRemotely(right.address(0), 8, right.region.remoteKey());

        // Devices differ in whether the request or the access is what is wrong.
        assertTrue(status == WorkStatus.REM_ACCESS_ERR || status == WorkStatus.REM_INV_REQ_ERR,
            WorkStatus.name(status));
    }

    @Test
    void shouldTellTheOwnerOfTheRegion() {
        rig.assumeHas(DeviceFixture.Ability.RAISES_ACCESS_EVENTS);
        left.queuePair.postWrite(1, WorkFlags.NONE, left.address(0), left.region.localKey(), 8, right.address(-1),
            right.region.remoteKey());

        assertEquals(right.queuePair, rig.awaitEvent(AsyncEventType.QP_ACCESS_ERR).queuePair());
    }

    @Test
    void shouldDeliverWhatCameBeforeTheFault() {
        right.queuePair.postReceives(9, 3);
        left.writeImmediate(1, WorkFlags.NONE, 0, 16, right, 11);
        left.writeImmediate(2, WorkFlags.NONE, 16, 16, right, 12);
        left.queuePair.postWriteWithImmediate(3, WorkFlags.NONE, left.address(0), left.region.localKey(), 8,
            right.address(-1), right.region.remoteKey(), 13);

        assertEquals(11, rig.awaitSuccess(right.receiveQueue).immediate());
        assertEquals(12, rig.awaitSuccess(right.receiveQueue).immediate());
        assertFalse(rig.await(right.receiveQueue).isSuccess());
        assertEquals(WorkStatus.REM_ACCESS_ERR, rig.await(left.sendQueue).status());
    }

    private void failsLocally(final long localAddress, final int localKey, final int length) {
        final int result = left.queuePair.postWrite(
            1, WorkFlags.NONE, localAddress, localKey, length, right.address(0), right.region.remoteKey());

        assertEquals(Errno.OK, result);
        final Completion failed = rig.await(left.sendQueue);
        if (rig.has(DeviceFixture.Ability.NAMES_LOCAL_FAULTS)) {
            assertEquals(WorkStatus.LOC_PROT_ERR, failed.status(), failed.toString());
        }
        assertFalse(failed.isSuccess(), failed.toString());
        rig.awaitState(left.queuePair, QueuePairState.ERROR);
        assertTrue(right.isZero(0, 1024), "nothing was written");
    }

    @Test
    void shouldRefuseAnUnknownLocalKey() {
        failsLocally(left.address(0), left.region.localKey() ^ 0x5a5a, 8);
    }

    @Test
    void shouldRefuseLocalBytesBeyondTheEnd() {
        failsLocally(left.address((int) left.region.length() - 7), left.region.localKey(), 8);
    }

    @Test
    void shouldRefuseLocalBytesBeforeTheBeginning() {
        failsLocally(left.address(-8), left.region.localKey(), 16);
    }

    @Test
    void shouldRefuseALocalRegionOfAnotherDomain() {
        final ProtectionDomain other = rig.keep(rig.first.allocateProtectionDomain());
        final MemoryRegion region = rig.keep(other.allocateRegion(4096, Endpoint.REGION_ACCESS));

        failsLocally(region.address(), region.localKey(), 8);
    }

    @Test
    void shouldRefuseAClosedLocalRegion() {
        final MemoryRegion closed = rig.firstDomain.allocateRegion(4096, Endpoint.REGION_ACCESS);
        left.queuePair.postWrite(1, WorkFlags.SIGNALED, closed.address(), closed.localKey(), 8,
            right.address(2048), right.region.remoteKey());
        rig.awaitSuccess(left.sendQueue);
        closed.close();

        failsLocally(closed.address(), closed.localKey(), 8);
    }
}
