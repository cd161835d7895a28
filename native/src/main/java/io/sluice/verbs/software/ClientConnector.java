package io.sluice.verbs.software;

import io.sluice.environment.FileErrors;
import io.sluice.environment.LocalSocket;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;

/** Finds the listener of an address and sends it a request; tries again while its backlog is full. */
final class ClientConnector {
    private static final String CALL = "rdma_connect";

    private final DeviceContext device;
    private final String address;
    private final byte[] ownAddress;
    private final byte[] privateData;
    private final ServiceDirectory.Location location;
    private boolean isRefused;
    private String problem = "";

    private ClientConnector(
        final DeviceContext device, final String address, final byte[] ownAddress, final byte[] privateData) {
        this.device = device;
        this.address = address;
        this.ownAddress = ownAddress;
        this.privateData = privateData.clone();
        location = device.services().find(CALL, address);
    }

    static Connection connect(
        final DeviceContext device,
        final DeviceObjects objects,
        final String address,
        final QueuePair queuePair,
        final byte[] privateData,
        final long timeoutNs) {
        checkPrivateData(CALL, privateData, Connection.MAX_CONNECT_PRIVATE_DATA);
        final SoftwareQueuePair own = checkQueuePair(CALL, device, queuePair);
        final SoftwareConnection connection = new SoftwareConnection(
            device, objects, own, new ClientConnector(device, address, own.localAddress(), privateData), timeoutNs);
        objects.add(connection);
        connection.poll();
        return connection;
    }

    static void checkPrivateData(final String call, final byte[] privateData, final int maxLength) {
        if (privateData.length > maxLength) {
            throw new VerbsException(call, Errno.EINVAL,
                "private data length=" + privateData.length + ", at most " + maxLength);
        }
    }

    static SoftwareQueuePair checkQueuePair(
        final String call, final DeviceContext device, final QueuePair queuePair) {
        if (!(queuePair instanceof final SoftwareQueuePair own) || own.device() != device) {
            throw new VerbsException(call, Errno.EINVAL, "the queue pair is not one of this device");
        }
        if (own.state() != QueuePairState.INIT) {
            throw new VerbsException(
                call, Errno.EINVAL, "queue pair " + own.number() + ": state=" + own.state() + ", must be INIT");
        }
        return own;
    }

    /** Connect and send the request; null when refused, or when it is to be tried again. */
    RendezvousFrames tryConnect() {
        if (location == null) {
            isRefused = true;
            return null;
        }
        try {
            final LocalSocket socket =
                device.environment().localSockets().connect(device.services().socket(location));
            final RendezvousFrames frames = new RendezvousFrames(socket);
            frames.send(
                RendezvousFrames.REQUEST, ownAddress, privateData, Connection.MAX_CONNECT_PRIVATE_DATA);
            return frames;
        } catch (final ConnectException | NoSuchFileException e) {
            // Nobody is behind the entry any more.
            isRefused = true;
            device.services().removeIfDead(CALL, address);
        } catch (final IOException e) {
            // The backlog is full, or something is used up: poll tries again until the timeout.
            if (FileErrors.isWant(e)) {
                problem = SystemRefusal.of(CALL, 0, "cannot connect to address=" + address, e).getMessage();
            }
            return null;
        }
        return null;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** The resource that this side has lacked, or an empty text. */
    String problem() {
        return problem;
    }

    /** Name of the listener's process folder, or null when nobody listens. */
    String peerFolder() {
        return location == null ? null : location.folder();
    }
}
