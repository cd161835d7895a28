package io.sluice.verbs.software;

import io.sluice.environment.FileErrors;
import io.sluice.verbs.Connection;
import io.sluice.verbs.VerbsException;
import java.util.Arrays;

/**
 * One end of a connection, over the socket by which it was made: the socket's end is the disconnect, whether asked for
 * or by death. The owner polls it; the device looks at established ones too, hence the lock.
 */
final class SoftwareConnection implements Connection {
    private static final byte[] NOTHING = {};

    private final DeviceContext device;
    private final DeviceObjects objects;
    private final SoftwareQueuePair queuePair;
    private final boolean isClient;
    private final String peerFolder;
    private final ClientConnector connector;
    private final long startNs;
    private final long timeoutNs;
    private RendezvousFrames frames;
    private State state = State.CONNECTING;
    private byte[] privateData = NOTHING;
    private byte[] binding = NOTHING;
    private boolean isPeerGone;
    private String problem = "";

    /** The client's end, which first needs a socket. */
    SoftwareConnection(
        final DeviceContext device,
        final DeviceObjects objects,
        final SoftwareQueuePair queuePair,
        final ClientConnector connector,
        final long timeoutNs) {
        this.device = device;
        this.objects = objects;
        this.queuePair = queuePair;
        this.connector = connector;
        this.timeoutNs = timeoutNs;
        isClient = true;
        peerFolder = connector.peerFolder();
        startNs = device.environment().nanoTime();
    }

    /** The server's end of an accepted request; established when the client says so. */
    SoftwareConnection(
        final DeviceContext device,
        final DeviceObjects objects,
        final SoftwareQueuePair queuePair,
        final RendezvousFrames frames,
        final String peerFolder) {
        this.device = device;
        this.objects = objects;
        this.queuePair = queuePair;
        this.frames = frames;
        this.peerFolder = peerFolder;
        isClient = false;
        binding = bindingOf(frames.address(), queuePair.localAddress());
        connector = null;
        startNs = device.environment().nanoTime();
        timeoutNs = Long.MAX_VALUE;
    }

    @Override
    public synchronized State poll() {
        if (state == State.CONNECTING) {
            pollConnecting();
        } else if (state == State.ESTABLISHED && frames.receive() != RendezvousFrames.NONE) {
            end(State.DISCONNECTED);
            queuePair.fail();
        }
        return state;
    }

    private void pollConnecting() {
        if (frames == null) {
            frames = connector.tryConnect();
        }
        final int type = frames == null ? RendezvousFrames.NONE : frames.receive();
        if (type == RendezvousFrames.ACCEPT && isClient) {
            onAccepted();
        } else if (type == RendezvousFrames.REJECT && isClient) {
            privateData = frames.privateData();
            end(State.REJECTED);
        } else if (type == RendezvousFrames.READY && !isClient) {
            state = State.ESTABLISHED;
        } else if (type != RendezvousFrames.NONE || frames == null && connector.isRefused()
            || device.environment().nanoTime() - startNs >= timeoutNs) {
            problem = isClient ? connector.problem() : "";
            end(isClient ? State.UNREACHABLE : State.DISCONNECTED);
            if (!isClient) {
                queuePair.fail();
            }
        }
    }

    private void onAccepted() {
        privateData = frames.privateData();
        try {
            queuePair.readyToReceive(frames.address());
            queuePair.readyToSend();
        } catch (final VerbsException e) {
            // The server is gone again, or what it sent is no address; or our own queue pair is closed.
            problem = FileErrors.isWant(e) ? e.getMessage() : "";
            end(State.UNREACHABLE);
            return;
        }
        binding = bindingOf(queuePair.localAddress(), frames.address());
        frames.send(RendezvousFrames.READY, NOTHING, NOTHING, 0);
        state = State.ESTABLISHED;
    }

    /**
     * Puts both ends' addresses together, each of which says its own length, process folder and queue pair, with a
     * random number of that.
     */
    private static byte[] bindingOf(final byte[] connecting, final byte[] listening) {
        final byte[] both = Arrays.copyOf(connecting, connecting.length + listening.length);
        System.arraycopy(listening, 0, both, connecting.length, listening.length);
        return both;
    }

    private void end(final State newState) {
        state = newState;
        if (frames != null) {
            frames.close();
        }
        objects.remove(this);
    }

    @Override
    public synchronized byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public synchronized byte[] binding() {
        return binding.clone();
    }

    /**
     * Tells what keeps the peer from being reached: processes of one host always reach each other, unless this one has
     * used something up.
     */
    @Override
    public synchronized String problem() {
        return problem;
    }

    @Override
    public String peer() {
        return peerFolder == null ? "nobody" : "pid " + FabricNames.processIdOf(peerFolder);
    }

    /** Returns no bytes: processes of one host have no address. */
    @Override
    public byte[] peerAddress() {
        return new byte[0];
    }

    @Override
    public synchronized boolean isPeerGone() {
        if (!isPeerGone && peerFolder != null) {
            isPeerGone = device.peers().isGone(peerFolder);
        }
        return isPeerGone;
    }

    @Override
    public synchronized void disconnect() {
        if (state == State.CONNECTING || state == State.ESTABLISHED) {
            end(State.DISCONNECTED);
            queuePair.fail();
        }
    }

    @Override
    public void close() {
        disconnect();
    }

    /** Device's duty: 1 when the peer was found to have disconnected. */
    synchronized int examine() {
        return state == State.ESTABLISHED && poll() != State.ESTABLISHED ? 1 : 0;
    }
}
