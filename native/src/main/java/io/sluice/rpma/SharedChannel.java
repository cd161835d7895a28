package io.sluice.rpma;

import io.sluice.verbs.foreign.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntSupplier;
import org.agrona.UnsafeApi;

/** The completion channel that both queues of a connection announce on, rpma_conn_wait(3). One thread waits. */
final class SharedChannel {
    private final NativePeer peer;
    private final long connection;
    private final RpmaCompletionQueue main;
    private final RpmaCompletionQueue receive;
    private final EventWait events;
    private final MemorySegment result = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    /** The method {@link #take()}, kept so that a wait allocates nothing. */
    private final IntSupplier take = this::take;
    private RpmaCompletionQueue signalled;

    SharedChannel(
        final NativePeer peer,
        final long connection,
        final RpmaCompletionQueue main,
        final RpmaCompletionQueue receive) {
        this.peer = peer;
        this.connection = connection;
        this.main = main;
        this.receive = receive;
        final RpmaLibrary library = peer.library();
        events = new EventWait(peer.objects().environment(), library.number(library.connGetComplFd, connection));
    }

    int await(final long timeoutNs) {
        return events.await(timeoutNs, RpmaError.E_NO_COMPLETION, take);
    }

    private int take() {
        final int code = peer.library().calls().connWait(connection, result.address(), 0);
        if (code == RpmaError.OK) {
            signalled = UnsafeApi.getLong(result.address()) == main.handle() ? main : receive;
        }
        return code;
    }

    RpmaCompletionQueue signalled() {
        return signalled;
    }

    void wake() {
        events.wake();
    }

    int descriptor() {
        return events.descriptor();
    }

    /** Let no thread wait any more, and wait until none does. */
    void shut(final String call) {
        events.shut();
        Guard.awaitClear(peer.objects().environment(), call, "a completion channel", events.guard());
    }

    /** Close the wait on the channel, which is gone. */
    void close() {
        events.close();
    }
}
