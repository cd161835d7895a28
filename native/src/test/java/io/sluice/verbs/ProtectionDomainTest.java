package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Protection domains that are closed, above all closed ones that are used. */
class ProtectionDomainTest extends VerbsSuite {
    private static final int ROUNDS = Integer.parseInt(System.getProperty("sluice.verbs.rounds", "40"));
    private static final int LENGTH = 4096;

    private CompletionQueue queue() {
        return rig.queueOnFirst(32, null);
    }

    private static QueuePairAttributes attributes(final CompletionQueue queue) {
        return new QueuePairAttributes(queue, queue, 4, 4, 0, 7, 12, 6, 14);
    }

    private static void refused(final Executable creation, final boolean isThere) {
        final VerbsException refusal = assertThrows(VerbsException.class, creation);
        assertTrue(refusal.errno() == Errno.EINVAL || refusal.errno() == Errno.EOPNOTSUPP && !isThere,
            refusal.getMessage());
    }

    private void refusesEverything(final ProtectionDomain domain) {
        final DeviceAttributes limits = rig.first.attributes();
        final CompletionQueue queue = queue();
        refused(() -> domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS), true);
        refused(() -> domain.createQueuePair(attributes(queue)), true);
        refused(() -> domain.createSharedReceiveQueue(4), limits.maxSharedReceiveWorkRequests() > 0);
        refused(domain::allocateParentDomain, limits.parentDomains());
        refused(() -> rig.first.createCompletionQueue(
            new CompletionQueueAttributes(32, Endpoint.FIELDS, null).withParentDomain(domain)), limits.parentDomains());
        final boolean hasDatagrams = limits.maxDatagramLength() > 0;
        refused(() -> domain.createAddressHandle(
            hasDatagrams ? rig.first.portAddress() : AddressHandleAttributes.toLid(1)), hasDatagrams);
        final byte[] token;
        try (MemoryRegion region = rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS)) {
            token = region.shareToken();
            refused(() -> domain.openShared(token, LENGTH, Endpoint.REGION_ACCESS), limits.sharesMemory());
        }
        // The queue is not held by the queue pair that was refused.
        queue.close();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        final ProtectionDomain domain = rig.first.allocateProtectionDomain();
        domain.close();

        refusesEverything(domain);
        domain.close();
    }

    @Test
    void shouldRefuseEverythingOnceClosedAfterItWasUsed() {
        final ProtectionDomain domain = rig.first.allocateProtectionDomain();
        try (MemoryRegion region = domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS);
            QueuePair queuePair = domain.createQueuePair(attributes(queue()))) {
            assertEquals(LENGTH, region.length());
            assertEquals(QueuePairState.RESET, queuePair.state());
        }
        domain.close();

        refusesEverything(domain);
    }

    @Test
    void shouldStayOpenAsLongAsSomethingOfItIs() {
        final ProtectionDomain domain = rig.first.allocateProtectionDomain();
        staysOpenBelow(domain, domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));
        final MemoryRegion log = rig.keep(rig.firstDomain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE));
        staysOpenBelow(domain, domain.registerForSends(log));
        staysOpenBelow(domain, domain.createQueuePair(attributes(queue())));
        if (rig.first.attributes().maxSharedReceiveWorkRequests() > 0) {
            staysOpenBelow(domain, domain.createSharedReceiveQueue(4));
        }
        if (rig.first.attributes().sharesMemory()) {
            staysOpenBelow(domain, domain.openShared(log.shareToken(), LENGTH, Endpoint.REGION_ACCESS));
        }

        domain.close();
        refusesEverything(domain);
    }

    private static void staysOpenBelow(final ProtectionDomain domain, final AutoCloseable living) {
        assertFalse(closes(domain));
        assertFalse(closes(domain));
        domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS).close();
        close(living);
        close(living);
    }

    @Test
    void shouldRefuseEverythingOfAClosedParentDomain() {
        if (rig.first.attributes().parentDomains()) {
            final ProtectionDomain parent = rig.firstDomain.allocateParentDomain();
            parent.close();
            refusesEverything(parent);
        } else {
            refused(rig.firstDomain::allocateParentDomain, false);
        }
    }

    /** The one who owns it first may let go of it first: its bytes are sent still. */
    @Test
    void shouldSendFromMemoryOfAnotherDomainForAsLongAsItIsRegistered() {
        final ProtectionDomain other = rig.keep(rig.first.allocateProtectionDomain());
        final MemoryRegion region = other.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE);
        final MemoryRegion sent = rig.keep(rig.firstDomain.registerForSends(region));
        assertEquals(region.address(), sent.address());
        assertEquals(LENGTH, sent.length());
        assertEquals(0, sent.shareToken().length);
        region.buffer().setMemory(0, LENGTH, (byte) 7);
        final Rig.Link link = rig.link();
        final Endpoint left = link.left();
        final Endpoint right = link.right();

        left.queuePair.postWrite(1, WorkFlags.SIGNALED, sent.address(), sent.localKey(), 8, right.address(0),
            right.region.remoteKey());
        rig.awaitSuccess(left.sendQueue);
        region.close();
        left.queuePair.postWrite(2, WorkFlags.SIGNALED, sent.address() + LENGTH - 8, sent.localKey(), 8,
            right.address(8), right.region.remoteKey());
        rig.awaitSuccess(left.sendQueue);

        assertEquals(0x0707_0707_0707_0707L, right.buffer.getLong(0));
        assertEquals(0x0707_0707_0707_0707L, right.buffer.getLong(8));
        refused(() -> rig.firstDomain.registerForSends(region), true);
        refused(() -> rig.secondDomain.registerForSends(new OtherRegion()), true);
    }

    /** None of a device. */
    private static final class OtherRegion implements MemoryRegion {
        @Override
        public long address() {
            return 0;
        }

        @Override
        public long length() {
            return LENGTH;
        }

        @Override
        public int localKey() {
            return 0;
        }

        @Override
        public int remoteKey() {
            return 0;
        }

        @Override
        public UnsafeBuffer buffer() {
            return new UnsafeBuffer();
        }

        @Override
        public byte[] shareToken() {
            return new byte[0];
        }

        @Override
        public void close() {
            // nothing was opened
        }
    }

    @Test
    void shouldRefuseOrFinishRegionsWhileItIsClosed() throws InterruptedException {
        closesWhile(domain -> domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));
    }

    @Test
    void shouldRefuseOrFinishQueuePairsWhileItIsClosed() throws InterruptedException {
        final CompletionQueue queue = queue();
        closesWhile(domain -> domain.createQueuePair(attributes(queue)));
    }

    @Test
    void shouldRefuseOrFinishSharedReceiveQueuesWhileItIsClosed() throws InterruptedException {
        assumeTrue(rig.first.attributes().maxSharedReceiveWorkRequests() > 0,
            "the device has no shared receive queues");
        closesWhile(domain -> domain.createSharedReceiveQueue(4));
    }

    /** A thread creates and closes until it is refused; another one closes the domain until that is not refused. */
    private void closesWhile(final Function<ProtectionDomain, AutoCloseable> creation) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final ProtectionDomain domain = rig.first.allocateProtectionDomain();
            final CountDownLatch creating = new CountDownLatch(1);
            final Thread creator = rig.workers.start(() -> createUntilClosed(domain, creation, creating));
            rig.workers.await(creating);
            boolean isClosed = closes(domain);
            while (!isClosed && creator.isAlive()) {
                Thread.onSpinWait();
                isClosed = closes(domain);
            }
            rig.workers.join(creator);
            domain.close();
            refused(() -> domain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS), true);
        }
    }

    private void createUntilClosed(
        final ProtectionDomain domain,
        final Function<ProtectionDomain, AutoCloseable> creation,
        final CountDownLatch creating) {
        try {
            while (rig.workers.mayGoOn()) {
                final AutoCloseable created = creation.apply(domain);
                creating.countDown();
                close(created);
            }
        } catch (final VerbsException e) {
            assertEquals(Errno.EINVAL, e.errno(), e.getMessage());
        } finally {
            creating.countDown();
        }
    }

    private static boolean closes(final ProtectionDomain domain) {
        try {
            domain.close();
            return true;
        } catch (final VerbsException e) {
            assertEquals(Errno.EBUSY, e.errno(), e.getMessage());
            return false;
        }
    }

    private static void close(final AutoCloseable object) {
        try {
            object.close();
        } catch (final VerbsException e) {
            throw e;
        } catch (final Exception e) {
            throw new AssertionError(e);
        }
    }
}
