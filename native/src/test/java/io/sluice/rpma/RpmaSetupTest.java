package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Setting things up: what the library is told, and what stays when it fails. */
class RpmaSetupTest {
    private static final byte[] DESCRIPTOR = {1, 2, 3, 4, 5};

    private ScriptedRpma rpma;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private RpmaConnectionRequest newRequest(final RpmaConnectionConfiguration configuration) {
        return rpma.peer.requestConnection(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT, configuration);
    }

    private RpmaConnectionRequest newRequest() {
        return newRequest(RpmaConnectionConfiguration.DEFAULT);
    }

    private static String text(final Object pointer) {
        return ScriptedRpma.bytes(pointer, 64).getString(0);
    }

    private static byte[] bytes(final Object pointer, final int length) {
        return ScriptedRpma.bytes(pointer, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldConfigureAConnection() {
        final RpmaSharedReceiveQueue queue =
            rpma.peer.newSharedReceiveQueue(new RpmaSharedReceiveQueueConfiguration(71, 0));
        newRequest(RpmaConnectionConfiguration.DEFAULT.withTimeoutMs(11).withCompletionQueueSize(12)
            .withReceiveCompletionQueueSize(13).withSendQueueSize(14).withReceiveQueueSize(15)
            .withSharedCompletionChannel(true).withSharedReceiveQueue(queue)).close();

        assertEquals(Map.of("rpma_srq_cfg_set_rq_size", 71L, "rpma_srq_cfg_set_rcq_size", 0L,
            "rpma_conn_cfg_set_timeout", 11L, "rpma_conn_cfg_set_cq_size", 12L, "rpma_conn_cfg_set_rcq_size", 13L,
            "rpma_conn_cfg_set_sq_size", 14L, "rpma_conn_cfg_set_rq_size", 15L, "rpma_conn_cfg_set_compl_channel", 1L,
            "rpma_conn_cfg_set_srq", queue.handle()), rpma.settings);
        assertEquals(1, rpma.count("rpma_conn_cfg_delete"));
        assertEquals(1, rpma.count("rpma_srq_cfg_delete"));
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @Test
    void shouldHandTheConfigurationToWhatItIsFor() {
        final List<Long> made = new ArrayList<>();
        rpma.answer("rpma_conn_cfg_new", call -> {
            made.add(rpma.newHandle());
            ScriptedRpma.write(call[0], made.getLast());
            return 0;
        });
        newRequest().close();

        assertEquals(made.getLast(), rpma.argumentsOf("rpma_conn_req_new").get(3));
        assertFalse(rpma.calls.contains("rpma_conn_cfg_set_srq"), "there is none");
    }

    @Test
    void shouldRefuseConfigurationsThatCannotBe() {
        final RpmaConnectionConfiguration good = RpmaConnectionConfiguration.DEFAULT;
        assertEquals("completionQueueSize=0 is less than 1", assertThrows(IllegalArgumentException.class,
            () -> good.withCompletionQueueSize(0)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> good.withTimeoutMs(-1));
        assertThrows(IllegalArgumentException.class, () -> good.withReceiveCompletionQueueSize(-1));
        assertThrows(IllegalArgumentException.class, () -> good.withSendQueueSize(-1));
        assertThrows(IllegalArgumentException.class, () -> good.withReceiveQueueSize(-1));
        assertThrows(IllegalArgumentException.class, () -> new RpmaSharedReceiveQueueConfiguration(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new RpmaSharedReceiveQueueConfiguration(1, -1));
    }

    @Test
    void shouldNameTheSettingThatTheLibraryRefuses() {
        rpma.fail("rpma_conn_cfg_set_cq_size", RpmaError.E_INVAL, "no");

        final RpmaException e = assertThrows(RpmaException.class, this::newRequest);
        assertTrue(e.getMessage().startsWith("rpma_conn_cfg_set_cq_size: completionQueueSize=10: no"), e.getMessage());
        assertEquals(1, rpma.count("rpma_conn_cfg_delete"));
        assertFalse(rpma.calls.contains("rpma_conn_req_new"));
        rpma.peer.close();
    }

    @Test
    void shouldConfigureASharedReceiveQueue() {
        final RpmaSharedReceiveQueue withQueue =
            rpma.peer.newSharedReceiveQueue(new RpmaSharedReceiveQueueConfiguration(21, 22));
        assertEquals(22, withQueue.receiveCompletionQueue().capacity());
        assertEquals(21L, rpma.settings.get("rpma_srq_cfg_set_rq_size"));
        assertEquals(22L, rpma.settings.get("rpma_srq_cfg_set_rcq_size"));

        assertNull(rpma.peer.newSharedReceiveQueue(new RpmaSharedReceiveQueueConfiguration(21, 0))
            .receiveCompletionQueue());
    }

    @Test
    void shouldListenAndConnectWhereItIsTold() {
        final List<String> told = new ArrayList<>();
        for (final String function : List.of("rpma_ep_listen", "rpma_conn_req_new")) {
            final ScriptedRpma.Answer answer = rpma.answer(function);
            rpma.answer(function, call -> {
                told.add(text(call[1]) + " " + text(call[2]));
                return answer.call(call);
            });
        }
        rpma.peer.listen("::1", "7205").close();
        newRequest().close();

        assertEquals(List.of("::1 7205", ScriptedRpma.ADDRESS_TEXT + " " + ScriptedRpma.PORT), told);
        assertEquals(ScriptedRpma.PEER_HANDLE, rpma.argumentsOf("rpma_ep_listen").getFirst());
        assertEquals(ScriptedRpma.PEER_HANDLE, rpma.argumentsOf("rpma_conn_req_new").getFirst());
    }

    private RpmaConnectionRequest nextRequest() {
        rpma.deliverRequest(RpmaError.OK);
        return rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT)
            .nextConnectionRequest(RpmaConnectionConfiguration.DEFAULT, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 56", "true, 57", "true, 196"})
    void shouldSendPrivateDataAlong(final boolean isAnswer, final int length) {
        final byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i + 1);
        }
        final List<byte[]> sent = new ArrayList<>();
        final ScriptedRpma.Answer connect = rpma.answer("rpma_conn_req_connect");
        rpma.answer("rpma_conn_req_connect", call -> {
            sent.add(bytes(ScriptedRpma.privateData(call[1]), length));
            assertEquals(length, ScriptedRpma.privateDataLength(call[1]));
            return connect.call(call);
        });
        (isAnswer ? nextRequest() : newRequest()).connect(data).close();

        assertArrayEquals(data, sent.getFirst());
    }

    @Test
    void shouldSendNoPrivateDataAlongWhenThereIsNone() {
        newRequest().connect().close();

        assertEquals(0L, rpma.argumentsOf("rpma_conn_req_connect").get(1));
    }

    @ParameterizedTest
    @CsvSource({"false, 57, 56", "true, 197, 196", "true, 256, 196"})
    void shouldRefuseMorePrivateDataThanGoesAlong(final boolean isAnswer, final int length, final int limit) {
        final RpmaConnectionRequest request = isAnswer ? nextRequest() : newRequest();

        assertEquals("data.length=" + length + " is not in 0.." + limit,
            assertThrows(IllegalArgumentException.class, () -> request.connect(new byte[length])).getMessage());
        assertFalse(rpma.calls.contains("rpma_conn_req_connect"));
        request.connect().close();
    }

    @Test
    void shouldCopyThePrivateDataOfTheOtherPeer() {
        final RpmaConnection connection = rpma.connect();
        assertEquals(0, connection.privateData().length);
        final byte[] data = "x".repeat(200).getBytes(StandardCharsets.US_ASCII);
        rpma.answer("rpma_conn_get_private_data", call -> {
            ScriptedRpma.writePrivateData(call[1], rpma.arena.allocateFrom(ValueLayout.JAVA_BYTE, data), 200);
            return 0;
        });

        assertArrayEquals(data, connection.privateData());
    }

    @Test
    void shouldTellWhatTheConnectionIs() {
        final RpmaConnection connection = rpma.connect();
        rpma.answer("rpma_conn_apply_remote_peer_cfg", call -> {
            assertEquals(1L, rpma.settings.get("rpma_peer_cfg_set_direct_write_to_pmem"));
            return 0;
        });

        assertEquals(ScriptedQueue.NUMBER, connection.queuePairNumber());
        connection.applyRemotePeerConfiguration(new RpmaPeerConfiguration(true));
        connection.disconnect();
        assertEquals(List.of(connection.handle), rpma.argumentsOf("rpma_conn_disconnect"));
        assertEquals(1, rpma.count("rpma_conn_apply_remote_peer_cfg"));
        assertEquals(1, rpma.count("rpma_peer_cfg_delete"));
    }

    @Test
    void shouldTellWhatTheDeviceCan() {
        assertFalse(rpma.peer.isOnDemandPagingCapable());
        rpma.answer("rpma_utils_ibv_context_is_odp_capable", call -> {
            ScriptedRpma.write(call[1], 1);
            return 0;
        });

        assertTrue(rpma.peer.isOnDemandPagingCapable());
        assertEquals(ScriptedRpma.CONTEXT,
            rpma.arguments.get("rpma_utils_ibv_context_is_odp_capable").getFirst().getFirst());
    }

    @Test
    void shouldReadTheDescriptorOfARemoteRegion() {
        final ScriptedRpma.Answer creation = rpma.answer("rpma_mr_remote_from_descriptor");
        rpma.answer("rpma_mr_remote_from_descriptor", call -> {
            assertArrayEquals(DESCRIPTOR, bytes(call[0], DESCRIPTOR.length));
            return creation.call(call);
        });
        rpma.answer("rpma_mr_remote_get_size", call -> {
            ScriptedRpma.write(call[1], 1L << 40);
            return 0;
        });
        rpma.answer("rpma_mr_remote_get_flush_type", call -> {
            ScriptedRpma.write(call[1], RpmaUsage.FLUSH_PERSISTENT);
            return 0;
        });

        try (RpmaRemoteRegion remote = rpma.peer.remoteRegion(DESCRIPTOR)) {
            assertEquals(1L << 40, remote.length());
            assertEquals(RpmaUsage.FLUSH_PERSISTENT, remote.flushUsages());
        }
        assertEquals((long) DESCRIPTOR.length, rpma.argumentsOf("rpma_mr_remote_from_descriptor").get(1));
    }

    /** A new connection with a getter that fails is deleted, and nothing holds the peer. */
    @ParameterizedTest
    @ValueSource(strings = {"rpma_conn_get_event_fd", "rpma_conn_get_cq", "rpma_conn_get_rcq", "rpma_cq_get_fd",
        "rpma_conn_get_compl_fd"})
    void shouldLeaveNothingOfAConnectionThatCannotBeUsed(final String function) {
        rpma.fail(function, RpmaError.E_PROVIDER, "no");
        final RpmaConnectionRequest request =
            newRequest(RpmaConnectionConfiguration.DEFAULT.withSharedCompletionChannel(true));

        assertTrue(assertThrows(RpmaException.class, request::connect).getMessage().startsWith(function + ": "));
        assertEquals(1, rpma.count("rpma_conn_delete"));
        rpma.peer.close();
    }

    @Test
    void shouldLeaveNothingOfARequestThatCannotBeUsed() {
        final RpmaEndpoint endpoint = rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT);
        rpma.fail("rpma_conn_req_get_private_data", RpmaError.E_INVAL, "no");
        rpma.deliverRequest(RpmaError.OK);

        assertThrows(RpmaException.class, this::newRequest);
        assertThrows(RpmaException.class,
            () -> endpoint.nextConnectionRequest(RpmaConnectionConfiguration.DEFAULT, Long.MAX_VALUE));
        assertEquals(2, rpma.count("rpma_conn_req_delete"));
        endpoint.close();
        rpma.peer.close();
    }

    @Test
    void shouldLeaveNothingOfOtherObjectsThatCannotBeUsed() {
        rpma.fail("rpma_srq_get_rcq", RpmaError.E_INVAL, "no");
        rpma.fail("rpma_mr_remote_get_size", RpmaError.E_INVAL, "no");
        rpma.fail("rpma_ep_get_fd", RpmaError.E_INVAL, "no");

        assertThrows(RpmaException.class,
            () -> rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        assertThrows(RpmaException.class, () -> rpma.peer.remoteRegion(DESCRIPTOR));
        assertThrows(RpmaException.class, () -> rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT));
        assertEquals(1, rpma.count("rpma_srq_delete"));
        assertEquals(1, rpma.count("rpma_mr_remote_delete"));
        assertEquals(1, rpma.count("rpma_ep_shutdown"));
        rpma.peer.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_srq_new", "rpma_mr_remote_from_descriptor", "rpma_ep_listen", "rpma_conn_req_new",
        "rpma_mr_reg"})
    void shouldLeaveNothingOfAnObjectThatIsNotMade(final String function) {
        rpma.fail(function, RpmaError.E_PROVIDER, "no");

        assertEquals(RpmaError.E_PROVIDER, assertThrows(RpmaException.class, () -> {
            switch (function) {
                case "rpma_srq_new" ->
                    rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT);
                case "rpma_mr_remote_from_descriptor" -> rpma.peer.remoteRegion(DESCRIPTOR);
                case "rpma_ep_listen" -> rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT);
                case "rpma_conn_req_new" -> newRequest();
                default -> rpma.peer.register(1, RpmaUsage.SEND);
            }
        }).code());
        rpma.peer.close();
        assertEquals(rpma.count("rpma_conn_cfg_new"), rpma.count("rpma_conn_cfg_delete"));
        assertEquals(rpma.count("rpma_srq_cfg_new"), rpma.count("rpma_srq_cfg_delete"));
    }

    private void setLog(final String function) {
        if (function.equals("rpma_log_set_function")) {
            rpma.library.useFunction(rpma.library.messages().stub());
        } else {
            rpma.library.useThreshold(0, RpmaLogLevel.ERROR);
        }
    }

    /** So a library without atomic operations does while another thread is at it. */
    @ParameterizedTest
    @ValueSource(strings = {"rpma_log_set_function", "rpma_log_set_threshold"})
    void shouldSetTheLogAgainWhenTheLibrarySaysSo(final String function) {
        final ScriptedRpma.Answer answer = rpma.answer(function);
        rpma.answer(function, call -> rpma.count(function) < 3 ? RpmaError.E_AGAIN : answer.call(call));

        setLog(function);

        assertEquals(3, rpma.count(function));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_log_set_function", "rpma_log_set_threshold"})
    void shouldNotSetTheLogForEver(final String function) {
        rpma.answer(function, RpmaError.E_AGAIN);

        final RpmaException e = assertThrows(RpmaException.class, () -> setLog(function));

        assertEquals(RpmaError.E_AGAIN, e.code());
        assertTrue(e.getMessage().contains("RPMA_E_AGAIN -100007"), e.getMessage());
        assertEquals(RpmaLibrary.MAX_TRIES, rpma.count(function));
    }

    /** The first failure matters. */
    @Test
    void shouldTellTheCauseThoughTheRestFailsToo() {
        rpma.fail("rpma_srq_get_rcq", RpmaError.E_INVAL, "no");
        rpma.fail("rpma_srq_delete", RpmaError.E_PROVIDER, "nor this");

        final RpmaException e = assertThrows(RpmaException.class,
            () -> rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        assertTrue(e.getMessage().startsWith("rpma_srq_get_rcq: "), e.getMessage());
        assertTrue(e.getSuppressed()[0].getMessage().startsWith("rpma_srq_delete: "));
    }
}
