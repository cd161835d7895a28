package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to connect that come faster than anybody takes them, by a script: each holds memory of the kernel. */
class ScriptedFloodTest {
    private static final int BACKLOG = 8;
    private static final int FLOOD = 10_000;
    private static final int PORT = 40123;
    private static final long PEER = rdma_cm_id.route$offset() + rdma_route.addr$offset()
        + rdma_addr.dst_storage$offset();
    private static final String STRANGER = "10.0.0.66";
    private static final String HONEST = "10.0.0.2";

    private final StoppedClock clock = new StoppedClock();
    private ScriptedManager manager;
    private Listener listener;
    private MemorySegment listening;

    @BeforeEach
    void listen() {
        manager = new ScriptedManager(clock, RdmaDeviceOptions.DEFAULT, script -> { });
        listener = manager.device.listen("127.0.0.1:" + PORT, BACKLOG);
        listening = manager.ids.getLast();
    }

    @AfterEach
    void close() {
        if (manager != null) {
            listener.close();
            manager.closeObjects();
            manager.device.close();
            manager.close();
        }
    }

    private MemorySegment request(final String host) {
        final MemorySegment id = manager.request(listening);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment address =
                SocketAddresses.encode(new InetSocketAddress(InetAddress.ofLiteral(host), PORT), arena);
            id.asSlice(PEER, address.byteSize()).copyFrom(address);
        }
        return id;
    }

    /** The device's duties read events, for other connections too. */
    private void readEvents() {
        while (manager.device.poll((type, queue, queuePair) -> { }) > 0) {
            continue;
        }
    }

    private int destroyed() {
        return Collections.frequency(manager.libraries.calls, "rdma_destroy_id");
    }

    private int waiting() {
        int count = 0;
        for (ConnectionRequest request = listener.poll(); request != null; request = listener.poll()) {
            request.reject(new byte[0]);
            count++;
        }
        return count;
    }

    @Test
    void shouldKeepNoMoreRequestsThanTheBacklog() {
        for (int i = 0; i < FLOOD; i++) {
            request("10.0." + i / 250 + "." + (1 + i % 250));
            readEvents();
        }
        assertEquals(FLOOD - BACKLOG, destroyed());
        assertEquals(FLOOD - BACKLOG, listener.takeRefused());
        assertEquals(0, listener.takeRefused());
        assertEquals(BACKLOG, waiting());
        assertEquals(FLOOD, destroyed());
        request(HONEST);
        assertEquals(1, waiting());
    }

    @Test
    void shouldLeavePlacesToOthersWhileOneHostFloods() {
        for (int i = 0; i < FLOOD; i++) {
            request(STRANGER);
            readEvents();
        }
        request(HONEST);
        readEvents();
        assertEquals(FLOOD - BACKLOG / 2, listener.takeRefused());
        ConnectionRequest last = null;
        for (int i = 0; i <= BACKLOG / 2; i++) {
            last = listener.poll();
            assertNotNull(last);
            if (i < BACKLOG / 2) {
                last.reject(new byte[0]);
            }
        }
        assertEquals(HONEST + ":" + PORT, last.peer());
        last.reject(new byte[0]);
    }

    @Test
    void shouldForgetRequestsWhosePeersSayThatTheyHaveGivenUp() {
        for (int i = 0; i < BACKLOG / 2; i++) {
            final MemorySegment id = request(STRANGER);
            manager.deliver(rdma_constants.RDMA_CM_EVENT_REJECTED(), id);
        }
        readEvents();
        assertEquals(BACKLOG / 2, destroyed());
        request(STRANGER);
        assertEquals(1, waiting());
        assertEquals(0, listener.takeRefused());
    }

    /** The kernel tells nobody that a peer has given up before its request was answered. */
    @Test
    void shouldForgetRequestsThatHaveWaitedForTooLong() {
        for (int i = 0; i < BACKLOG / 2; i++) {
            request(STRANGER);
        }
        readEvents();
        clock.nowNs = ManagedListener.MAX_WAIT_NS - 1;
        request(HONEST);
        readEvents();
        assertEquals(0, destroyed());
        clock.nowNs = ManagedListener.MAX_WAIT_NS;
        request(STRANGER);
        readEvents();
        assertEquals(BACKLOG / 2, destroyed());
        clock.nowNs = 2 * ManagedListener.MAX_WAIT_NS;
        assertNull(listener.poll());
        assertEquals(BACKLOG / 2 + 2, destroyed());
        assertEquals(0, listener.takeRefused());
    }
}
