package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * 32 bits that come with a message or a write; librpma's examples 10-send-with-imm and 11-write-with-imm. Their bytes'
 * order is proven against a program in C, see {@link PeerInCTest}.
 */
class ImmediateFlowTest extends RpmaDeviceTests {
    private static final int IMMEDIATE = 0x8090_a0b0;
    private static final int SEED = 5;

    private static void assertImmediate(final TakenCompletion completion, final int opcode, final int length) {
        assertEquals(opcode, completion.opcode(), completion::toString);
        assertEquals(length, completion.byteLength(), completion::toString);
        assertTrue(completion.hasImmediate(), completion::toString);
        assertEquals(IMMEDIATE, completion.immediate(), completion::toString);
    }

    @ParameterizedTest
    @EnumSource(PollingWay.class)
    void shouldBringImmediateDataWithAMessage(final PollingWay way) {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(2).way(way), new SideOptions().way(way));
        link.client().fill(RpmaSide.LOCAL, 40, SEED);

        assertEquals(RpmaError.OK, link.client().connection.sendWithImmediate(
            link.client().region, RpmaSide.LOCAL, 40, RpmaCompletionFlags.ALWAYS, IMMEDIATE, 9));

        final TakenCompletion sent = link.client().awaitSent();
        assertEquals(9, sent.workRequestId());
        assertEquals(WorkOpcode.SEND, sent.opcode());
        final TakenCompletion received = link.server().awaitReceived();
        assertEquals(0, received.workRequestId());
        assertImmediate(received, WorkOpcode.RECV, 40);
        link.server().assertHolds(RpmaSide.slotOf(received), 40, SEED);
    }

    @ParameterizedTest
    @EnumSource(PollingWay.class)
    void shouldBringImmediateDataWithAWrite(final PollingWay way) {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(2).way(way), new SideOptions().way(way));
        link.client().fill(RpmaSide.LOCAL, 500, SEED);

        assertEquals(RpmaError.OK, link.client().connection.writeWithImmediate(link.client().remote, 100,
            link.client().region, RpmaSide.LOCAL, 500, RpmaCompletionFlags.ALWAYS, IMMEDIATE, 9));

        final TakenCompletion sent = link.client().awaitSent();
        assertEquals(9, sent.workRequestId());
        assertEquals(WorkOpcode.RDMA_WRITE, sent.opcode());
        final TakenCompletion received = link.server().awaitReceived();
        assertEquals(0, received.workRequestId());
        assertImmediate(received, WorkOpcode.RECV_RDMA_WITH_IMM, 500);
        link.server().assertHolds(100, 500, SEED);
        assertEquals(0, link.server().buffer.getLong(RpmaSide.slotOf(received)), "a write does not fill the receive");
    }

    @Test
    void shouldBringImmediateDataAlone() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(2), new SideOptions());

        assertEquals(RpmaError.OK, link.client().connection.sendWithImmediate(
            null, 0, 0, RpmaCompletionFlags.ON_ERROR, IMMEDIATE, 1));
        assertEquals(RpmaError.OK, link.client().connection.writeWithImmediate(
            null, 0, null, 0, 0, RpmaCompletionFlags.ALWAYS, IMMEDIATE, 2));

        assertEquals(2, link.client().awaitSent().workRequestId());
        assertImmediate(link.server().awaitReceived(), WorkOpcode.RECV, 0);
        assertImmediate(link.server().awaitReceived(), WorkOpcode.RECV_RDMA_WITH_IMM, 0);
    }

    @Test
    void shouldReceiveMessagesWithoutBytesToNowhere() {
        final RpmaRig.Link link = rig.link();
        assertEquals(RpmaError.OK, link.server().connection.receive(null, 0, 0, 77));

        assertEquals(RpmaError.OK,
            link.client().connection.send(null, 0, 0, RpmaCompletionFlags.ALWAYS, 1));

        assertEquals(WorkOpcode.SEND, link.client().awaitSent().opcode());
        final TakenCompletion received = link.server().awaitReceived();
        assertEquals(77, received.workRequestId());
        assertEquals(0, received.byteLength());
    }
}
