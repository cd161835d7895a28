package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SendChain;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lists of work requests that a chain hands to the device, and what becomes of those that it refuses. */
class ScriptedSendChainTest extends ScriptedManagerTests {
    private static final int CAPACITY = 4;

    /** The ids of each call. */
    private final List<List<Long>> posts = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private ReliableQueuePair queuePair;
    private SendChain chain;

    @BeforeEach
    void connect() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        manager.libraries.answer("ibv_post_send", this::post);
        queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, CAPACITY, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
        queuePair.initialise(0);
        chain = queuePair.newSendChain(CAPACITY);
    }

    private void becomeReady() {
        queuePair.readyToReceive(manager.newQueuePair().localAddress());
        queuePair.readyToSend();
    }

    private long post(final Object[] arguments) {
        final List<Long> ids = new ArrayList<>();
        posts.add(ids);
        MemorySegment request = (MemorySegment) arguments[1];
        while (request.address() != 0) {
            if (ids.size() == room) {
                ((MemorySegment) arguments[2]).reinterpret(Long.BYTES).set(ValueLayout.ADDRESS, 0, request);
                return Errno.ENOMEM;
            }
            final MemorySegment whole = request.reinterpret(ibv_send_wr.sizeof());
            ids.add(ibv_send_wr.wr_id(whole));
            request = ibv_send_wr.next(whole);
        }
        return Errno.OK;
    }

    private void add(final long from, final long to) {
        for (long id = from; id <= to; id++) {
            assertEquals(Errno.OK, chain.addWrite(id, WorkFlags.NONE, 0, 0, 8, 0, 0));
        }
    }

    @Test
    void shouldHandTheDeviceOneListOfWhatIsPrepared() {
        becomeReady();
        add(1, 4);
        assertEquals(Errno.OK, chain.post());
        add(5, 6);
        assertEquals(Errno.OK, chain.post());
        assertEquals(Errno.OK, chain.post());
        add(7, 9);
        chain.clear();
        add(10, 10);
        assertEquals(Errno.OK, chain.post());

        assertEquals(List.of(List.of(1L, 2L, 3L, 4L), List.of(5L, 6L), List.of(10L)), posts);
    }

    @Test
    void shouldGoOnWithWhatTheDeviceRefused() {
        becomeReady();
        add(1, 3);
        room = 1;
        assertEquals(Errno.ENOMEM, chain.post());
        assertEquals(2, chain.length());
        room = 0;
        assertEquals(Errno.ENOMEM, chain.post());
        assertEquals(2, chain.length());
        add(4, 4);
        room = Integer.MAX_VALUE;
        assertEquals(Errno.OK, chain.post());

        assertEquals(0, chain.length());
        assertEquals(List.of(List.of(1L), List.of(), List.of(2L, 3L, 4L)), posts);
    }

    @Test
    void shouldPostNothingBeforeItIsReadyAndAfterItIsClosed() {
        add(1, 1);
        assertEquals(Errno.EINVAL, chain.post());
        assertEquals(1, chain.length());
        queuePair.close();
        assertEquals(Errno.EINVAL, chain.post());

        assertEquals(List.of(), posts);
    }
}
