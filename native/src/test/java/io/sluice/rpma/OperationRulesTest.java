package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/**
 * Operations that, by the manual pages of rpma_flush(3), rpma_atomic_write(3), rpma_send(3), rpma_recv(3) and their
 * like, are refused when they are posted.
 */
class OperationRulesTest extends RpmaDeviceTests {
    /** Beyond what any queue of the tests is rounded up to. */
    private static final int MORE_THAN_FITS = 5000;

    private static int flush(final RpmaSide side, final int type) {
        return side.connection.flush(side.remote, 0, 64, type, RpmaCompletionFlags.ALWAYS, 1);
    }

    /** Post until it is refused; how many were not. */
    private static int fill(final IntSupplier post) {
        int count = 0;
        int result = post.getAsInt();
        while (result == RpmaError.OK) {
            count++;
            assertTrue(count < MORE_THAN_FITS, "it is never full");
            result = post.getAsInt();
        }
        assertEquals(RpmaError.E_PROVIDER, result);
        return count;
    }

    @Test
    void shouldNotFlushForPersistencyWhatDoesNotGetToPersistentMemory() {
        final RpmaSide client = rig.link().client();
        assertEquals(RpmaError.E_NOSUPP, flush(client, RpmaFlushType.PERSISTENT), "nobody has told that it does");

        client.connection.applyRemotePeerConfiguration(new RpmaPeerConfiguration(false));
        assertEquals(RpmaError.E_NOSUPP, flush(client, RpmaFlushType.PERSISTENT), "it has told that it does not");

        client.connection.applyRemotePeerConfiguration(RpmaPeerConfiguration.ofDescriptor(
            new RpmaPeerConfiguration(true).descriptor()));
        assertEquals(RpmaError.E_NOSUPP, flush(client, RpmaFlushType.PERSISTENT), "the region is not for that");
        assertEquals(RpmaError.E_NO_COMPLETION, client.connection.completionQueue().await(0));
    }

    @Test
    void shouldNotFlushWhatIsNotRegisteredForIt() {
        final RpmaSide client =
            rig.link(new SideOptions().usages(RpmaUsage.WRITE_DESTINATION), new SideOptions()).client();

        assertEquals(0, client.remote.flushUsages());
        assertEquals(RpmaError.E_NOSUPP, flush(client, RpmaFlushType.VISIBILITY));
    }

    @Test
    void shouldWriteAtomicallyToMultiplesOfEightOnly() {
        final RpmaSide client = rig.link().client();

        for (int offset = 1; offset < 8; offset++) {
            assertEquals(RpmaError.E_INVAL,
                client.connection.atomicWrite(client.remote, offset, -1, RpmaCompletionFlags.ALWAYS, 1));
        }
        assertEquals(RpmaError.OK,
            client.connection.atomicWrite(client.remote, 8, -1, RpmaCompletionFlags.ALWAYS, 2));
        assertEquals(2, client.awaitSent().workRequestId());
    }

    @Test
    void shouldRefuseToSendMoreThanTheSendQueueHasRoomFor() {
        final RpmaRig.Link link = rig.link();
        final RpmaSide client = link.client();

        // nobody receives them, so that they stay
        final int count = fill(() -> client.connection.send(
            client.region, RpmaSide.LOCAL, 8, RpmaCompletionFlags.ALWAYS, 1));

        assertTrue(count >= RpmaRig.SEND_QUEUE_SIZE, () -> "count=" + count);
        assertEquals(RpmaError.E_PROVIDER, client.connection.write(
            client.remote, 0, client.region, RpmaSide.LOCAL, 8, RpmaCompletionFlags.ALWAYS, 2));
    }

    @Test
    void shouldSendAgainWhenThereIsRoom() {
        final RpmaRig.Link link = rig.link();
        final RpmaSide client = link.client();
        final IntSupplier write = () -> client.connection.write(
            client.remote, 0, client.region, RpmaSide.LOCAL, 4096, RpmaCompletionFlags.ON_ERROR, 1);

        for (int i = 0; i < 10 * RpmaRig.SEND_QUEUE_SIZE; i++) {
            RpmaRig.until("room in the send queue", () -> {
                final int result = write.getAsInt();
                assertTrue(result == RpmaError.OK || result == RpmaError.E_PROVIDER, () -> "result=" + result);
                return result == RpmaError.OK;
            });
        }
        RpmaRig.until("room for the last one", () -> client.connection.send(
            null, 0, 0, RpmaCompletionFlags.ON_ERROR, 2) == RpmaError.OK);

        client.main.requireEmpty();
    }

    @Test
    void shouldRefuseMoreReceivesThanTheirQueueHasRoomFor() {
        final RpmaSide server = rig.link().server();
        final int count = fill(() -> server.postReceive(0));
        assertTrue(count >= RpmaRig.RECEIVE_QUEUE_SIZE, () -> "count=" + count);
        assertEquals(Errno.ENOMEM, RpmaLog.lastErrno());

        final RpmaSharedReceiveQueue shared = rig.keep(
            rig.serverPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        final int sharedCount = fill(() -> shared.receive(server.region, RpmaSide.RECEIVES, RpmaSide.SLOT_LENGTH, 0));
        assertTrue(sharedCount >= RpmaSharedReceiveQueueConfiguration.DEFAULT_QUEUE_SIZE, () -> "" + sharedCount);

        final RpmaConnectionRequest request = rig.keep(
            rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        final RpmaMemoryRegion region = rig.keep(rig.clientPeer.register(64, RpmaUsage.RECEIVE));
        final int requestCount = fill(() -> request.receive(region, 0, 64, 0));
        assertTrue(requestCount >= RpmaRig.RECEIVE_QUEUE_SIZE, () -> "count=" + requestCount);
    }

    @Test
    void shouldRefuseOperationsWithoutCompletionFlags() {
        final RpmaSide client = rig.link().client();

        assertEquals(RpmaError.E_INVAL, client.connection.send(client.region, 0, 8, 0, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.sendWithImmediate(client.region, 0, 8, 0, 1, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.read(client.region, 0, client.remote, 0, 8, 0, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.write(client.remote, 0, client.region, 0, 8, 0, 1));
        assertEquals(RpmaError.E_INVAL,
            client.connection.writeWithImmediate(client.remote, 0, client.region, 0, 8, 0, 1, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.atomicWrite(client.remote, 0, 1, 0, 1));
        assertEquals(RpmaError.E_INVAL,
            client.connection.flush(client.remote, 0, 8, RpmaFlushType.VISIBILITY, 0, 1));
    }

    @Test
    void shouldRefuseBytesWithoutARegion() {
        final RpmaSide client = rig.link().client();
        final int flags = RpmaCompletionFlags.ALWAYS;

        assertEquals(RpmaError.E_INVAL, client.connection.send(null, 0, 1, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.send(null, 1, 0, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.receive(null, 0, 1, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.read(client.region, 0, null, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.read(null, 0, client.remote, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.write(null, 0, client.region, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.write(client.remote, 0, null, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.atomicWrite(null, 0, 1, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.flush(null, 0, 8, RpmaFlushType.VISIBILITY, flags, 1));
        final RpmaConnectionRequest request = rig.keep(
            rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        assertEquals(RpmaError.E_INVAL, request.receive(null, 0, 0, 1), "before there is a connection not even none");
    }

    @Test
    void shouldRefuseMemoryOfAnotherPeer() {
        final RpmaRig.Link link = rig.link();
        final RpmaSide client = link.client();
        final RpmaSide server = link.server();
        final int flags = RpmaCompletionFlags.ALWAYS;

        assertEquals(RpmaError.E_INVAL, client.connection.send(server.region, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.receive(server.region, 0, 8, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.read(server.region, 0, client.remote, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.write(server.remote, 0, client.region, 0, 8, flags, 1));
        assertEquals(RpmaError.E_INVAL, client.connection.atomicWrite(server.remote, 0, 1, flags, 1));
        final RpmaConnectionConfiguration another = RpmaRig.CONFIGURATION.withSharedReceiveQueue(rig.keep(
            rig.serverPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT)));
        assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class,
            () -> rig.clientPeer.requestConnection(rig.address, rig.port(), another)).code());
    }

    @Test
    void shouldRefuseASharedChannelWhereReceivesHaveAQueueThatConnectionsShare() {
        final RpmaSharedReceiveQueue shared = rig.keep(
            rig.clientPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));

        final RpmaException failure = assertThrows(RpmaException.class, () -> rig.clientPeer.requestConnection(
            rig.address, rig.port(),
            RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared).withSharedCompletionChannel(true)));

        assertEquals(RpmaError.E_INVAL, failure.code(), failure.getMessage());
        assertTrue(failure.getMessage().contains("shared completion channel cannot be used when the shared RQ has"),
            failure.getMessage());
    }
}
