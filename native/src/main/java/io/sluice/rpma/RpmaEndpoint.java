package io.sluice.rpma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Listens for connections, rpma_ep_listen(3). One thread at a time takes requests; any thread may wake it or close
 * this. Whoever made it closes it; the connections that came of it live on.
 */
public final class RpmaEndpoint implements AutoCloseable {
    private final NativePeer peer;
    private final long handle;
    private final EventWait events;
    private boolean isDeleted;

    private RpmaEndpoint(final NativePeer peer, final long handle) {
        this.peer = peer;
        this.handle = handle;
        final RpmaLibrary library = peer.library();
        events = new EventWait(peer.objects().environment(), library.number(library.epGetFd, handle));
    }

    static RpmaEndpoint listen(final NativePeer peer, final String address, final String port) {
        final RpmaLibrary library = peer.library();
        peer.objects().attach(library.epListen.name());
        long handle = 0;
        try (Arena arena = Arena.ofConfined()) {
            synchronized (library.lock) {
                handle = library.create(library.epListen, "nobody listens on address=" + address + " port=" + port,
                    peer.handle(), arena.allocateFrom(address), arena.allocateFrom(port));
            }
            return new RpmaEndpoint(peer, handle);
        } catch (final RuntimeException e) {
            if (handle != 0) {
                library.discard(library.epShutdown, handle, e);
            }
            peer.objects().detach();
            throw e;
        }
    }

    /**
     * Wait for a request of another peer, rpma_ep_next_conn_req(3).
     *
     * @param configuration of the connection.
     * @param timeoutNs     longest wait; 0 or less does not wait.
     * @return the request, owned by the caller; null after the timeout, when the thread is interrupted, and when
     * somebody woke it.
     * @throws RpmaException when the connection cannot be prepared, for example E_INVAL for its configuration: librpma
     *                       forgets the request then, and the other peer learns of it when this is closed; also
     *                       E_INVAL when the device is gone and when this is closed.
     */
    public RpmaConnectionRequest nextConnectionRequest(
        final RpmaConnectionConfiguration configuration, final long timeoutNs) {
        final RpmaLibrary library = peer.library();
        try (Arena arena = Arena.ofConfined();
            ConnectionResources resources =
                ConnectionResources.attach(peer, configuration, library.epNextConnReq.name());
            NativeConfiguration values = configuration.toNative(library)) {
            final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            final int code = events.await(
                timeoutNs, RpmaError.E_NO_EVENT, () -> take(library, values.handle(), result));
            if (code == RpmaError.E_NO_EVENT) {
                return null;
            }
            if (code != RpmaError.OK) {
                throw events.isShut()
                    ? new RpmaException(library.epNextConnReq.name(), code, Errno.OK, "the endpoint is closed")
                    : library.failure(library.epNextConnReq, code, "no request of a connection can be had");
            }
            return RpmaConnectionRequest.incoming(resources, result.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private int take(final RpmaLibrary library, final long configuration, final MemorySegment result) {
        synchronized (library.lock) {
            return library.eventCode(library.invoke(library.epNextConnReq, handle, configuration, result));
        }
    }

    /**
     * The descriptor that is readable when there is a request, rpma_ep_get_fd(3), for epoll(7) and the like;
     * non-blocking, and not to be read or closed.
     *
     * @return a file descriptor of the endpoint.
     * @throws RpmaException E_INVAL when this is closed: its number may be another file's by then.
     */
    public int eventDescriptor() {
        if (events.isShut()) {
            throw new RpmaException(
                peer.library().epGetFd.name(), RpmaError.E_INVAL, Errno.OK, "the endpoint is closed");
        }
        return events.descriptor();
    }

    /** End the wait of {@link #nextConnectionRequest}, or the next one. Any thread. */
    public void wake() {
        events.wake();
    }

    /**
     * Listen no more, rpma_ep_shutdown(3); idempotent. A thread that waits is woken.
     *
     * @throws RpmaException                  when the library refuses; the endpoint is gone all the same.
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside: to be closed again when it has left.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        final RpmaLibrary library = peer.library();
        events.shut();
        Guard.awaitClear(
            peer.objects().environment(), library.epShutdown.name(), "an endpoint", events.guard());
        isDeleted = true;
        try {
            synchronized (library.lock) {
                library.delete(library.epShutdown, "an endpoint stays", handle);
            }
        } finally {
            events.close();
            peer.objects().detach();
        }
    }
}
