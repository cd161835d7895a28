package io.sluice.rpma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.SetupCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to another peer, rpma_conn_req_connect(3). One thread at a time sends (and reads, writes and flushes),
 * one receives, one waits for events of the connection and one for completions; these may be different ones. Whoever
 * made it closes it. Posting allocates nothing and never waits.
 */
public final class RpmaConnection extends ConnectionOperations implements AutoCloseable {
    private final ConnectionResources resources;
    private final RpmaLibrary library;
    private final EventWait events;
    private final Object privateDataLock = new Object();
    /**
     * The resources that the waits of this side have taken: given back when the connection is gone, and when it cannot
     * be used.
     */
    private final List<Runnable> releases = new ArrayList<>();
    /** The channel that both queues announce on; null when each is waited on by itself. */
    private final SharedChannel channel;
    private final RpmaCompletionQueue completionQueue;
    /** The completion queue of receives; null when the connection has none of its own. */
    private final RpmaCompletionQueue receiveCompletionQueue;
    private boolean isDeleted;

    private RpmaConnection(final ConnectionResources resources, final long handle) {
        super(resources.peer(), handle);
        library = peer.library();
        final RpmaConnectionConfiguration configuration = resources.configuration();
        final boolean isShared = configuration.sharesCompletionChannel();
        try {
            events = new EventWait(peer.objects().environment(), library.number(library.connGetEventFd, handle));
            releases.add(events::close);
            completionQueue = newQueue(
                library.word(library.connGetCq, handle), configuration.completionQueueSize(), isShared);
            final long receives = library.word(library.connGetRcq, handle);
            receiveCompletionQueue = receives == 0 ? null
                : newQueue(receives, configuration.receiveCompletionQueueSize(), isShared);
            channel = isShared ? newChannel(completionQueue, receiveCompletionQueue) : null;
        } catch (final RuntimeException e) {
            release();
            throw e;
        }
        peer.objects().add(sendGuard, receiveGuard);
        this.resources = resources.keep();
    }

    private RpmaCompletionQueue newQueue(final long queue, final int capacity, final boolean isShared) {
        final RpmaCompletionQueue result = new RpmaCompletionQueue(peer, queue, capacity, isShared);
        releases.add(result::release);
        return result;
    }

    private SharedChannel newChannel(final RpmaCompletionQueue main, final RpmaCompletionQueue receive) {
        final SharedChannel result = new SharedChannel(peer, handle, main, receive);
        releases.add(result::close);
        return result;
    }

    /** Wrap a connection that the library has made; when this fails it is deleted, and the resources are not kept. */
    static RpmaConnection of(final ConnectionResources resources, final long handle) {
        try {
            return new RpmaConnection(resources, handle);
        } catch (final RuntimeException e) {
            final RpmaLibrary library = resources.peer().library();
            library.discard(library.connDelete, handle, e);
            throw e;
        }
    }

    /**
     * Wait for what happens to the connection, rpma_conn_next_event(3). It is this that takes the connecting side's
     * steps: the accepting side is told {@link RpmaConnectionEvent#ESTABLISHED} when the connecting side has been.
     *
     * @param timeoutNs longest wait; 0 or less does not wait.
     * @return the event; null after the timeout, when the thread is interrupted, and when somebody woke it.
     * @throws RpmaException when the library fails, or E_INVAL when this is closed.
     */
    public RpmaConnectionEvent nextEvent(final long timeoutNs) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment event = arena.allocate(ValueLayout.JAVA_INT);
            final int code = events.await(timeoutNs, RpmaError.E_NO_EVENT,
                () -> takeEvent(event));
            if (code == RpmaError.OK) {
                return RpmaConnectionEvent.of(event.get(ValueLayout.JAVA_INT, 0));
            }
            if (code == RpmaError.E_NO_EVENT) {
                return null;
            }
            throw events.isShut() ? closed(library.connNextEvent)
                : library.failure(library.connNextEvent, code, "no event can be had");
        }
    }

    private int takeEvent(final MemorySegment event) {
        // the library stores private data meanwhile
        synchronized (privateDataLock) {
            return library.eventCode(library.invoke(library.connNextEvent, handle, event));
        }
    }

    private static RpmaException closed(final SetupCall call) {
        return new RpmaException(call.name(), RpmaError.E_INVAL, Errno.OK, "the connection is closed");
    }

    private void checkOpen(final SetupCall call) {
        if (isShut) {
            throw closed(call);
        }
    }

    /** End the wait of {@link #nextEvent}, or the next one. Any thread. */
    public void wake() {
        events.wake();
    }

    /**
     * The descriptor that is readable when there is an event, rpma_conn_get_event_fd(3), for epoll(7) and the like;
     * non-blocking, and not to be read or closed.
     *
     * @return a file descriptor of the connection.
     * @throws RpmaException E_INVAL when this is closed: its number may be another file's by then.
     */
    public int eventDescriptor() {
        checkOpen(library.connGetEventFd);
        return events.descriptor();
    }

    /**
     * The private data that the other peer has sent along, rpma_conn_get_private_data(3). The network may have added
     * zeros.
     *
     * @return a copy; empty when there is nothing, or before the connection is established.
     * @throws RpmaException E_INVAL when this is closed.
     */
    public synchronized byte[] privateData() {
        checkOpen(library.connGetPrivateData);
        synchronized (privateDataLock) {
            return library.privateData(library.connGetPrivateData, handle);
        }
    }

    /**
     * Take over what the other peer has told about itself, rpma_conn_apply_remote_peer_cfg(3), before flushing for
     * persistency.
     *
     * @param configuration of the other peer.
     * @throws RpmaException E_INVAL when this is closed.
     */
    public synchronized void applyRemotePeerConfiguration(final RpmaPeerConfiguration configuration) {
        checkOpen(library.connApplyRemotePeerCfg);
        try (NativeConfiguration values = configuration.toNative(library)) {
            library.check(library.connApplyRemotePeerCfg, "what the other peer tells is not taken over",
                handle, values.handle());
        }
    }

    /**
     * The number of the connection's queue pair, rpma_conn_get_qp_num(3), as its completions have it.
     *
     * @return the number.
     * @throws RpmaException E_INVAL when this is closed.
     */
    public synchronized int queuePairNumber() {
        checkOpen(library.connGetQpNum);
        return library.number(library.connGetQpNum, handle);
    }

    /**
     * The main completion queue, rpma_conn_get_cq(3): of all that is sent, and of receives when they have none.
     *
     * @return the queue, which lives as long as this.
     */
    public RpmaCompletionQueue completionQueue() {
        return completionQueue;
    }

    /**
     * The completion queue of receives, rpma_conn_get_rcq(3).
     *
     * @return the queue, which lives as long as this; null when the configuration has none, or a shared
     * receive queue with one of its own.
     */
    public RpmaCompletionQueue receiveCompletionQueue() {
        return receiveCompletionQueue;
    }

    /**
     * Wait on the shared channel for a completion, rpma_conn_wait(3), which acknowledges the event and arms its queue
     * again: poll {@link #signalledQueue()} until it is empty before the next wait.
     *
     * @param timeoutNs longest wait; 0 or less does not wait.
     * @return 0 when there was an event; or one of {@link RpmaError}: E_NO_COMPLETION after the timeout, when the
     * thread is interrupted and when somebody woke it, E_NOT_SHARED_CHANNEL when each queue is waited on by itself,
     * E_UNKNOWN for an event of an unknown queue, E_PROVIDER when the queue cannot be armed, E_INVAL when this is
     * closed.
     */
    public int awaitCompletion(final long timeoutNs) {
        return channel != null ? channel.await(timeoutNs)
            : isShut ? RpmaError.E_INVAL : RpmaError.E_NOT_SHARED_CHANNEL;
    }

    /** End the wait of {@link #awaitCompletion}, or the next one; nothing without a shared channel. Any thread. */
    public void wakeCompletion() {
        if (channel != null) {
            channel.wake();
        }
    }

    /**
     * The queue of the last event that {@link #awaitCompletion} returned 0 for. The thread that waits.
     *
     * @return one of the two queues; null before.
     */
    public RpmaCompletionQueue signalledQueue() {
        return channel == null ? null : channel.signalled();
    }

    /**
     * The descriptor that is readable when there is an event on the shared channel, rpma_conn_get_compl_fd(3), for
     * epoll(7) and the like; non-blocking, and not to be read or closed.
     *
     * @return a file descriptor of the channel.
     * @throws RpmaException E_NOT_SHARED_CHANNEL when each queue has its own, E_INVAL when this is closed.
     */
    public int completionDescriptor() {
        if (channel == null) {
            throw new RpmaException(library.connGetComplFd.name(), RpmaError.E_NOT_SHARED_CHANNEL, Errno.OK,
                "each completion queue has a channel of its own");
        }
        checkOpen(library.connGetComplFd);
        return channel.descriptor();
    }

    /**
     * End the connection, rpma_conn_disconnect(3): what is under way on this side is flushed. The other side gets
     * {@link RpmaConnectionEvent#CLOSED}, and this one when the other one has disconnected, too, or been deleted; when
     * it never does, a minute or more later.
     *
     * @throws RpmaException when the library refuses, E_INVAL when this is closed.
     */
    public synchronized void disconnect() {
        checkOpen(library.connDisconnect);
        library.check(library.connDisconnect, "the connection stays", handle);
    }

    /**
     * Delete the connection, rpma_conn_delete(3); idempotent. Its completion queues go with it, and threads that wait
     * are woken.
     *
     * @throws RpmaException                  when the library refuses; the connection is gone all the same.
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside: to be closed again when it has left.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        isShut = true;
        final String call = library.connDelete.name();
        events.shut();
        if (channel != null) {
            channel.shut(call);
        }
        completionQueue.shut(call);
        if (receiveCompletionQueue != null) {
            receiveCompletionQueue.shut(call);
        }
        Guard.awaitClear(
            peer.objects().environment(), call, "a connection", sendGuard, receiveGuard, events.guard());
        peer.objects().remove(sendGuard, receiveGuard);
        isDeleted = true;
        try {
            library.delete(library.connDelete, "a connection stays", handle);
        } finally {
            resources.close();
            release();
        }
    }

    private void release() {
        releases.forEach(Runnable::run);
    }
}
