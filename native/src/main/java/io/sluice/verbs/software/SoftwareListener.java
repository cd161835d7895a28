package io.sluice.verbs.software;

import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A listener: a socket in the process folder and an entry among the services. */
final class SoftwareListener implements Listener {
    private static final String CALL = "rdma_listen";

    private final SoftwareDevice device;
    private final String address;
    private final LocalListener listener;
    private final List<HalfOpen> halfOpen = new ArrayList<>();
    private boolean isClosed;

    private SoftwareListener(final SoftwareDevice device, final String address, final LocalListener listener) {
        this.device = device;
        this.address = address;
        this.listener = listener;
    }

    static SoftwareListener open(
        final SoftwareDevice device, final int number, final String address, final int backlog) {
        if (backlog < 1) {
            throw new VerbsException(CALL, Errno.EINVAL, "backlog=" + backlog + " must be at least 1");
        }
        LocalListener listener = null;
        SoftwareListener opened = null;
        try {
            listener = device.environment().localSockets().listen(
                device.folder().resolve(FabricNames.listenerSocket(number)), backlog);
            device.services().add(CALL, address, device.folder().name(), number);
            opened = new SoftwareListener(device, address, listener);
            return opened;
        } catch (final IOException e) {
            throw new VerbsException(CALL, Errno.EACCES, "cannot listen at address=" + address, e);
        } finally {
            if (opened == null && listener != null) {
                listener.close();
            }
        }
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public ConnectionRequest poll() {
        if (isClosed) {
            return null;
        }
        acceptWaiting();
        final long nowNs = device.environment().nanoTime();
        final Iterator<HalfOpen> iterator = halfOpen.iterator();
        while (iterator.hasNext()) {
            final HalfOpen client = iterator.next();
            final int type = client.frames.receive();
            if (type == RendezvousFrames.NONE && nowNs - client.sinceNs < SoftwareLimits.HALF_OPEN_TIMEOUT_NS) {
                continue;
            }
            iterator.remove();
            final ConnectionRequest request =
                type == RendezvousFrames.REQUEST ? SoftwareConnectionRequest.of(device, client.frames) : null;
            if (request != null) {
                return request;
            }
            client.frames.close();
        }
        return null;
    }

    private void acceptWaiting() {
        try {
            while (halfOpen.size() < SoftwareLimits.MAX_HALF_OPEN_CONNECTIONS) {
                final LocalSocket socket = listener.accept();
                if (socket == null) {
                    return;
                }
                halfOpen.add(new HalfOpen(new RendezvousFrames(socket), device.environment().nanoTime()));
            }
        } catch (final IOException e) {
            throw new VerbsException("rdma_get_request", 0, "cannot accept at address=" + address, e);
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (final HalfOpen client : halfOpen) {
            client.frames.close();
        }
        try {
            device.services().remove(CALL, address);
        } finally {
            listener.close();
        }
    }

    /**
     * A connected client whose request is not complete.
     *
     * @param frames  its socket.
     * @param sinceNs when it was accepted.
     */
    private record HalfOpen(RendezvousFrames frames, long sinceNs) {
    }
}
