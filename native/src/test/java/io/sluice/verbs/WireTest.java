package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link whose packets are lost or late, or whose wire is pulled out. */
class WireTest extends VerbsSuite {
    /** Code of ibv_modify_qp(3) for 268 ms, of which seven are waited. */
    private static final int TWO_SECONDS = 16;
    private static final int TEN_MS = 20;
    private static final int SLOTS = 16;
    /** The routes are not there yet. */
    private static final int ENETUNREACH = 101;

    private Wire wire;

    @BeforeEach
    void assumeWire() throws IOException, InterruptedException {
        assumeTrue(Wire.isThere(), "there is no wire to worsen: it needs the lab with two devices");
        wire = new Wire();
    }

    @AfterEach
    void repairWire() throws IOException, InterruptedException {
        if (wire != null) {
            wire.restore();
        }
    }

    private static EndpointOptions options() {
        return new EndpointOptions().ackTimeoutCode(TWO_SECONDS);
    }

    /** The path is found anew when the wire was out, which may take more than the second that the kernel gives it. */
    private Rig.Link linkWhenReachable() {
        final Rig.Link[] found = new Rig.Link[1];
        rig.until("a path to the peer", () -> {
            try {
                found[0] = rig.link(Traffic.options(SLOTS).ackTimeoutCode(TWO_SECONDS),
                    Traffic.options(SLOTS).ackTimeoutCode(TWO_SECONDS));
            } catch (final VerbsException e) {
                assertTrue(e.errno() == Errno.ETIMEDOUT || e.errno() == ENETUNREACH, e.getMessage());
            }
            return found[0] != null;
        });
        return found[0];
    }

    /** Messages of checked content, the next when there is room for it, until all have arrived in order. */
    private void exchange(final int messages) {
        final Rig.Link link = linkWhenReachable();
        assertEquals(Errno.OK, link.right().queuePair.postReceives(1, SLOTS));
        final Traffic traffic = new Traffic(link.left(), link.right(), SLOTS, 1);
        while (traffic.received() < messages) {
            boolean isSignalled = false;
            while (!isSignalled && traffic.sent() < messages && traffic.canSend()) {
                isSignalled = traffic.send();
            }
            final long before = traffic.received();
            rig.until("message " + before, () -> receive(traffic, link.right().receiveQueue) > before);
            if (isSignalled) {
                rig.awaitSuccess(link.left().sendQueue);
            }
        }
    }

    private static long receive(final Traffic traffic, final CompletionQueue queue) {
        if (queue.startPoll() == Errno.OK) {
            do {
                traffic.onCompletion(queue);
            } while (queue.nextPoll() == Errno.OK);
            queue.endPoll();
        }
        return traffic.received();
    }

    @Test
    void shouldKeepAStreamIntactWhenPacketsAreLost() throws IOException, InterruptedException {
        wire.worsen("loss", "3%");

        exchange(2_000);

        assertTrue(wire.lost() > 0, "the wire has lost nothing");
    }

    @Test
    void shouldKeepAStreamIntactWhenPacketsAreLateAndOvertake() throws IOException, InterruptedException {
        wire.worsen("delay", "2ms", "1ms", "reorder", "20%");

        exchange(500);
    }

    @Test
    void shouldGiveUpWhenNothingArrivesAndConnectAgainWhenItDoes() throws IOException, InterruptedException {
        final Rig.Link link = rig.link(options(), options());
        link.right().queuePair.postReceives(1, 1);
        wire.worsen("loss", "100%");

        link.left().writeImmediate(1, WorkFlags.NONE, 0, 8, link.right(), 1);

        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(link.left().sendQueue).status());
        rig.awaitState(link.left().queuePair, QueuePairState.ERROR);
        assertEquals(QueuePairState.READY_TO_SEND, link.right().queuePair.state(), "the peer hears nothing of it");
        wire.repair();
        exchange(SLOTS);
    }

    @Test
    void shouldOutliveAnOutageThatIsShorterThanTheRetries() throws IOException, InterruptedException {
        final EndpointOptions patient = new EndpointOptions().ackTimeoutCode(18);
        final Rig.Link link = rig.link(patient, patient);
        link.right().queuePair.postReceives(1, 1);
        final long before = wire.lost();
        wire.worsen("loss", "100%");

        link.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 8, link.right(), 7);
        rig.until("a packet that is lost and one that is lost again", () -> wire.lost() >= before + 2);
        wire.repair();

        assertEquals(7, rig.awaitSuccess(link.right().receiveQueue).immediate());
        rig.awaitSuccess(link.left().sendQueue);
    }

    @Test
    void shouldGiveUpAReceiverThatIsNeverReadyFarAway() throws IOException, InterruptedException {
        wire.worsen("delay", "5ms");
        final Rig.Link link = rig.link(options().rnrRetryCount(3), options().minRnrTimerCode(TEN_MS));

        link.left().writeImmediate(1, WorkFlags.NONE, 0, 8, link.right(), 1);

        assertEquals(WorkStatus.RNR_RETRY_EXC_ERR, rig.await(link.left().sendQueue).status());
        assertEquals(QueuePairState.READY_TO_SEND, link.right().queuePair.state());
    }

    @Test
    void shouldTellThatTheWireIsPulledOutAndPutIn() throws IOException, InterruptedException {
        final Rig.Link link = rig.link(options(), options());
        link.right().queuePair.postReceives(1, 1);

        wire.pull();

        rig.awaitEvent(AsyncEventType.PORT_ERR);
        link.left().writeImmediate(1, WorkFlags.NONE, 0, 8, link.right(), 1);
        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(link.left().sendQueue).status());
        wire.plug();
        rig.awaitEvent(AsyncEventType.PORT_ACTIVE);
        exchange(SLOTS);
    }
}
