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
import java.util.function.Consumer;

/** A listener: a socket in the process folder and an entry among the services. */
final class SoftwareListener implements Listener, NamedFiles {
    private static final String CALL = "rdma_listen";

    private final DeviceContext device;
    private final DeviceObjects objects;
    private final Consumer<SoftwareListener> closing;
    private final int number;
    private final String address;
    private final int backlog;
    /** The listener for clients; null while the device is released. */
    private volatile LocalListener listener;
    private final List<HalfOpen> halfOpen = new ArrayList<>();
    private volatile boolean isClosed;

    private SoftwareListener(
        final DeviceContext device,
        final DeviceObjects objects,
        final String address,
        final int backlog,
        final Consumer<SoftwareListener> closing) {
        this.device = device;
        this.objects = objects;
        this.address = address;
        this.backlog = backlog;
        this.closing = closing;
        number = device.newNumber();
    }

    /**
     * Listen.
     *
     * @param objects that know the connections which come of it.
     * @param closing told when it closes.
     */
    static SoftwareListener open(
        final DeviceContext device,
        final DeviceObjects objects,
        final String address,
        final int backlog,
        final Consumer<SoftwareListener> closing) {
        if (backlog < 1) {
            throw new VerbsException(CALL, Errno.EINVAL, "backlog=" + backlog + " must be at least 1");
        }
        device.removedFiles().ensureFolder();
        final SoftwareListener opened = new SoftwareListener(device, objects, address, backlog, closing);
        opened.listen();
        return opened;
    }

    private void listen() {
        LocalListener opened = null;
        try {
            opened = device.environment().localSockets().listen(
                device.folder().resolve(FabricNames.listenerSocket(number)), backlog);
            device.services().add(CALL, address, device.folder().name(), number);
            listener = opened;
            device.removedFiles().add(Kind.LISTENER, this);
        } catch (final IOException e) {
            throw SystemRefusal.of(CALL, Errno.EACCES, "cannot listen at address=" + address, e);
        } finally {
            if (listener == null && opened != null) {
                opened.close();
            }
        }
    }

    /** Stops listening, as the device goes, and with it those who have not been heard out. */
    synchronized void release() {
        if (listener != null) {
            halfOpen.forEach(client -> client.frames.close());
            halfOpen.clear();
            leave();
        }
    }

    /** Listens again, as the device is back. */
    synchronized void restore() {
        if (!isClosed && listener == null) {
            listen();
        }
    }

    private void leave() {
        device.removedFiles().remove(Kind.LISTENER, this);
        try {
            removeEntry();
        } finally {
            listener.close();
            listener = null;
        }
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public synchronized ConnectionRequest poll() {
        if (isClosed || listener == null) {
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
                type == RendezvousFrames.REQUEST ? SoftwareConnectionRequest.of(device, objects, client.frames) : null;
            if (request != null && client.frames.receive() == RendezvousFrames.NONE) {
                return request;
            }
            // it was none, or whoever sent it has given up
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
            throw SystemRefusal.of("rdma_get_request", 0, "cannot accept at address=" + address, e);
        }
    }

    /**
     * Find its part that is gone, and what that means; null when all is there. Not under its monitor, see {@link
     * #restoreFiles}.
     */
    @Override
    public String missing() {
        final LocalListener own = listener;
        if (own == null) {
            return null;
        }
        if (!own.isThere()) {
            return device.folder().resolve(FabricNames.listenerSocket(number)) + ", the socket of address=" + address
                + ": no new peer connects there";
        }
        return hasEntry() ? null : device.services().entry(CALL, address) + ": no new peer finds this process there";
    }

    private void removeEntry() {
        device.services().remove(CALL, address, device.folder().name(), number);
    }

    private boolean hasEntry() {
        return device.services().isThere(CALL, address, device.folder().name(), number);
    }

    /** Make socket and entry anew when they are gone; the fabric's lock is held, and so not its monitor. */
    @Override
    public void restoreFiles() throws IOException {
        final LocalListener own = listener;
        if (own == null || missing() == null) {
            return;
        }
        own.restore();
        if (!hasEntry()) {
            device.services().restore(CALL, address, device.folder().name(), number);
            if (listener != own) {
                // it has left meanwhile
                removeEntry();
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            closing.accept(this);
            release();
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
