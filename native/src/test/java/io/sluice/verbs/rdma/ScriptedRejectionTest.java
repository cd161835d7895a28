package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.Connection;
import io.sluice.verbs.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each sort of rejection, as a client is told of it: who says no, why, and from where it was asked. */
class ScriptedRejectionTest extends ScriptedManagerTests {
    private static final byte[] NOTHING = {};
    private static final String PEER = "127.0.0.1:40123";
    private static final String FROM = "from device " + ScriptedManager.DEVICE + " at 127.0.0.1: ";

    private final byte[] said = {1, 2, 3};
    private ReliableQueuePair queuePair;

    private Connection rejected(final int reason, final byte[] privateData) {
        queuePair = manager.newQueuePair();
        final Connection connection = manager.device.connect(PEER, queuePair, NOTHING, Long.MAX_VALUE);
        manager.reject(reason, privateData, manager.ids.getLast());
        return connection;
    }

    @Test
    void shouldHandOverWhatAProgramSaysThatRejects() {
        final Connection connection = rejected(RejectReason.CONSUMER_DEFINED, said);

        assertEquals(Connection.State.REJECTED, connection.poll());
        assertArrayEquals(said, connection.privateData());
        assertEquals(FROM + "reason 28 CONSUMER_DEFINED", connection.problem());
    }

    /** The kernel answers so for a program that has closed its listener or died before it has answered. */
    @Test
    void shouldTellTheReasonOfARejectionThatSaysNothing() {
        final Connection connection = rejected(RejectReason.CONSUMER_DEFINED, NOTHING);

        assertEquals(Connection.State.REJECTED, connection.poll());
        assertEquals(0, connection.privateData().length);
        assertEquals(FROM + "reason 28 CONSUMER_DEFINED", connection.problem());
    }

    @Test
    void shouldTellNoProblemWhereNobodyListensYet() {
        final Connection connection = rejected(RejectReason.INVALID_SERVICE_ID, NOTHING);

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertEquals("", connection.problem());
    }

    /** Other than those: no program has said it, whatever comes with it. */
    @ParameterizedTest
    @CsvSource({
        "1, reason 1 NO_QP", "3, reason 3 NO_RESOURCES", "4, reason 4 TIMEOUT", "5, reason 5 UNSUPPORTED",
        "9, reason 9 INVALID_TRANSPORT_TYPE", "10, reason 10 STALE_CONN", "12, reason 12 INVALID_GID",
        "13, reason 13 INVALID_LID", "17, reason 17 INVALID_PACKET_RATE", "24, reason 24 PORT_CM_REDIRECT",
        "26, reason 26 INVALID_MTU", "29, reason 29 INVALID_RNR_RETRY", "34, reason 34 unnamed",
        "99, reason 99 unnamed", "-111, error 111 ECONNREFUSED", "-104, error 104 ECONNRESET"
    })
    void shouldTellWhyTheConnectionManagerRejects(final int reason, final String text) {
        final Connection connection = rejected(reason, said);

        assertEquals(Connection.State.REJECTED, connection.poll());
        assertEquals(FROM + "rejected by the connection manager, " + text, connection.problem());
        assertEquals(0, connection.privateData().length);
    }

    @ParameterizedTest
    @ValueSource(ints = {RejectReason.CONSUMER_DEFINED, RejectReason.INVALID_SERVICE_ID, 12})
    void shouldKeepTheQueuePairOfAConnectionThatIsRejected(final int reason) {
        rejected(reason, said).poll();

        assertEquals(QueuePairState.INIT, queuePair.state());
    }
}
