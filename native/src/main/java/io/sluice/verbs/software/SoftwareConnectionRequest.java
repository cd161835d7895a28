package io.sluice.verbs.software;

import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.VerbsException;
import java.nio.file.NoSuchFileException;

/** A client's request at a listener. */
final class SoftwareConnectionRequest implements ConnectionRequest {
    private static final byte[] NOTHING = {};

    private final DeviceContext device;
    private final DeviceObjects objects;
    private final RendezvousFrames frames;
    private final byte[] clientAddress;
    private final String clientFolder;
    private final byte[] privateData;
    private boolean isAnswered;

    private SoftwareConnectionRequest(
        final DeviceContext device,
        final DeviceObjects objects,
        final RendezvousFrames frames,
        final String clientFolder) {
        this.device = device;
        this.objects = objects;
        this.frames = frames;
        this.clientFolder = clientFolder;
        clientAddress = frames.address();
        privateData = frames.privateData();
    }

    /** The request in the frame just received, or null when it is malformed. */
    static SoftwareConnectionRequest of(
        final DeviceContext device, final DeviceObjects objects, final RendezvousFrames frames) {
        try {
            final QueuePairAddress address = QueuePairAddress.decode("rdma_get_request", frames.address());
            return new SoftwareConnectionRequest(device, objects, frames, address.folder());
        } catch (final VerbsException e) {
            // Whoever wrote that is no software device: the caller closes the socket.
            return null;
        }
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String peer() {
        return "pid " + FabricNames.processIdOf(clientFolder);
    }

    /** Returns no bytes: processes of one host have no address. */
    @Override
    public byte[] peerAddress() {
        return new byte[0];
    }

    @Override
    public Connection accept(final QueuePair queuePair, final byte[] acceptData) {
        final String call = "rdma_accept";
        ClientConnector.checkPrivateData(call, acceptData, Connection.MAX_ACCEPT_PRIVATE_DATA);
        final SoftwareQueuePair own = ClientConnector.checkQueuePair(call, device, queuePair);
        answer();
        boolean isAccepted = false;
        try {
            own.readyToReceive(clientAddress);
            own.readyToSend();
            frames.send(RendezvousFrames.ACCEPT, own.localAddress(), acceptData, Connection.MAX_ACCEPT_PRIVATE_DATA);
            isAccepted = true;
        } catch (final VerbsException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                throw new VerbsException(call, Errno.ETIMEDOUT, peer() + " has given up waiting, or has ended", e);
            }
            throw e;
        } finally {
            if (!isAccepted) {
                frames.close();
            }
        }
        final SoftwareConnection connection = new SoftwareConnection(device, objects, own, frames, clientFolder);
        objects.add(connection);
        return connection;
    }

    @Override
    public void reject(final byte[] rejectData) {
        ClientConnector.checkPrivateData("rdma_reject", rejectData, Connection.MAX_REJECT_PRIVATE_DATA);
        answer();
        frames.send(RendezvousFrames.REJECT, NOTHING, rejectData, Connection.MAX_REJECT_PRIVATE_DATA);
        frames.close();
    }

    private void answer() {
        if (isAnswered) {
            throw new IllegalStateException("the request of " + peer() + " was answered before");
        }
        isAnswered = true;
    }
}
