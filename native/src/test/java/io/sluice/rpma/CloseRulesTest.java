package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The order in which objects of a device may be closed, and what is left of them. */
class CloseRulesTest extends RpmaDeviceTests {
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PINNED = "VmPin:";
    /** More than anything else in this process would map just then. */
    private static final int REGION_LENGTH = 24 << 20;
    private static final int HEXADECIMAL = 16;

    private RpmaPeer newPeer() {
        return rig.keep(RpmaPeer.ofLocalAddress(rig.environment, rig.address));
    }

    private static void assertBusy(final AutoCloseable object) {
        final RpmaException refusal = assertThrows(RpmaException.class, object::close);
        assertEquals(RpmaError.E_PROVIDER, refusal.code(), refusal.getMessage());
        assertEquals(Errno.EBUSY, refusal.errno(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("close them first"), refusal.getMessage());
    }

    private static void assertClosed(final Executable use) {
        final RpmaException refusal = assertThrows(RpmaException.class, use);
        assertEquals(RpmaError.E_INVAL, refusal.code(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("closed"), refusal.getMessage());
    }

    /** Whether all of it is memory of this process. */
    private static boolean isMapped(final long address, final long length) throws IOException {
        for (final String line : Files.readAllLines(MAPPINGS)) {
            final String[] range = line.substring(0, line.indexOf(' ')).split("-");
            final long begin = Long.parseUnsignedLong(range[0], HEXADECIMAL);
            final long end = Long.parseUnsignedLong(range[1], HEXADECIMAL);
            if (begin <= address && address + length <= end) {
                return true;
            }
        }
        return false;
    }

    /** Memory that a device may write to, in KiB. */
    private static long pinned() throws IOException {
        return Files.readAllLines(STATUS).stream().filter(line -> line.startsWith(PINNED))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
    }

    @Test
    void shouldKeepAPeerWhileSomethingOfItLives() {
        final RpmaPeer peer = newPeer();
        for (final AutoCloseable object : List.of(
            peer.register(4096, RpmaUsage.RECEIVE),
            peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT),
            peer.listen(rig.address, RpmaRig.newPort()),
            peer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION),
            peer.remoteRegion(rig.keep(rig.serverPeer.register(64, RpmaUsage.READ_SOURCE)).descriptor()))) {
            rig.keep(object);
            assertBusy(peer);
            assertDoesClose(object);
        }

        peer.close();
        peer.close();
        assertClosed(() -> peer.register(64, RpmaUsage.SEND));
        assertClosed(() -> peer.listen(rig.address, RpmaRig.newPort()));
        assertClosed(() -> peer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        assertClosed(() -> peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        assertClosed(peer::isOnDemandPagingCapable);
    }

    private static void assertDoesClose(final AutoCloseable object) {
        try {
            object.close();
            object.close();
        } catch (final Exception e) {
            throw new AssertionError(object + " cannot be closed", e);
        }
    }

    @Test
    void shouldKeepAPeerWhileAConnectionLives() {
        final RpmaPeer peer = newPeer();
        final RpmaConnectionRequest request =
            rig.keep(peer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        final RpmaConnection connection = rig.keep(request.connect());
        request.close();
        assertBusy(peer);

        connection.close();

        peer.close();
    }

    @Test
    void shouldKeepASharedReceiveQueueWhileAConnectionDrawsOnIt() {
        final RpmaSharedReceiveQueue shared = rig.keep(
            rig.serverPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        final RpmaSide server = rig.link(new SideOptions().receives(1).configuration(
            RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared)), new SideOptions()).server();
        assertBusy(shared);
        assertEquals(RpmaError.OK, server.postReceive(1));

        server.connection.close();
        shared.close();
        shared.close();

        assertEquals(RpmaError.E_INVAL, server.postReceive(2));
        assertEquals(RpmaError.E_INVAL, shared.receiveCompletionQueue().getCompletion(new WorkCompletions(1)));
        assertClosed(() -> rig.serverPeer.requestConnection(
            rig.address, rig.port(), RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared)));
    }

    @Test
    void shouldKeepASharedReceiveQueueWhileARequestIsMadeForIt() {
        final RpmaSharedReceiveQueue shared = rig.keep(
            rig.clientPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        final RpmaConnectionRequest request = rig.keep(rig.clientPeer.requestConnection(
            rig.address, rig.port(), RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared)));
        assertBusy(shared);

        request.close();

        shared.close();
    }

    @Test
    void shouldLetConnectionsLiveOnWhenTheirEndpointIsClosed() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());

        rig.endpoint().close();
        rig.endpoint().close();

        RpmaRig.Link.move(link.client(), link.server(), 1);
        link.disconnect();
    }

    @Test
    void shouldRefuseToUseAClosedConnection() {
        final RpmaSide client = rig.link().client();
        final RpmaConnection connection = client.connection;
        connection.close();
        connection.close();

        final int flags = RpmaCompletionFlags.ALWAYS;
        assertEquals(RpmaError.E_INVAL, connection.send(client.region, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, connection.sendWithImmediate(client.region, 0, 8, flags, 1, 1));
        assertEquals(RpmaError.E_INVAL, connection.receive(client.region, 0, 8, 1));
        assertEquals(RpmaError.E_INVAL, connection.read(client.region, 0, client.remote, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, connection.write(client.remote, 0, client.region, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL,
            connection.writeWithImmediate(client.remote, 0, client.region, 0, 8, flags, 1, 1));
        assertEquals(RpmaError.E_INVAL, connection.atomicWrite(client.remote, 0, 1, flags, 1));
        assertEquals(RpmaError.E_INVAL,
            connection.flush(client.remote, 0, 8, RpmaFlushType.VISIBILITY, flags, 1));
        assertEquals(RpmaError.E_INVAL, connection.awaitCompletion(RpmaRig.TIMEOUT_NS));
        assertEquals(RpmaError.E_INVAL, connection.completionQueue().await(RpmaRig.TIMEOUT_NS));
        assertEquals(RpmaError.E_INVAL, connection.completionQueue().getCompletion(new WorkCompletions(1)));
        assertEquals(Errno.EINVAL, connection.completionQueue().startPoll());
        assertClosed(() -> connection.nextEvent(RpmaRig.TIMEOUT_NS));
        assertClosed(connection::privateData);
        assertClosed(connection::queuePairNumber);
        assertClosed(connection::disconnect);
        assertClosed(connection.completionQueue()::descriptor);
        assertClosed(() -> connection.applyRemotePeerConfiguration(new RpmaPeerConfiguration(true)));
    }

    @Test
    void shouldRefuseToUseAClosedRegion() {
        final RpmaSide client = rig.link().client();
        client.region.close();
        client.region.close();
        client.remote.close();
        client.remote.close();

        final RpmaMemoryRegion other = rig.keep(rig.clientPeer.register(64, RpmaSide.ALL_USAGES));
        assertEquals(RpmaError.E_INVAL, client.connection.send(client.region, 0, 8, RpmaCompletionFlags.ALWAYS, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.receive(client.region, 0, 8, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.read(
            other, 0, client.remote, 0, 8, RpmaCompletionFlags.ALWAYS, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.write(
            client.remote, 0, other, 0, 8, RpmaCompletionFlags.ALWAYS, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.atomicWrite(
            client.remote, 0, 1, RpmaCompletionFlags.ALWAYS, 1));
        assertClosed(client.region::descriptor);
        assertClosed(() -> client.region.advise(0, 8, 0, 0));
    }

    @Test
    void shouldGiveMemoryBackWhenItIsNotRegisteredAnyMore() throws IOException {
        final RpmaPeer peer = newPeer();
        final long pinnedBefore = pinned();
        final RpmaMemoryRegion region = rig.keep(peer.register(REGION_LENGTH, RpmaUsage.WRITE_DESTINATION));
        assertTrue(isMapped(region.address(), region.length()));
        assertEquals(pinnedBefore + REGION_LENGTH / 1024, pinned());
        assertBusy(peer);
        assertTrue(isMapped(region.address(), region.length()), "it is still registered");

        region.close();

        assertFalse(isMapped(region.address(), region.length()));
        assertEquals(pinnedBefore, pinned());
    }

    @Test
    void shouldLeaveMemoryOfTheCallersToHim() throws IOException {
        final long pinnedBefore = pinned();
        try (Arena arena = Arena.ofShared()) {
            final MemorySegment memory = arena.allocate(1 << 20, 4096);
            final RpmaMemoryRegion region = rig.keep(rig.clientPeer.register(memory, RpmaUsage.SEND));
            assertEquals(memory.address(), region.address());
            assertEquals(memory.byteSize(), region.length());
            assertEquals(pinnedBefore + 1024, pinned());
            region.buffer().putLong(8, 42);

            region.close();

            assertEquals(pinnedBefore, pinned());
            assertEquals(42, memory.get(ValueLayout.JAVA_LONG, 8));
        }
    }
}
