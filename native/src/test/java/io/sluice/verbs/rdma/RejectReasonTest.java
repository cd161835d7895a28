package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RejectReasonTest {
    @ParameterizedTest
    @CsvSource({
        "1, reason 1 NO_QP", "8, reason 8 INVALID_SERVICE_ID", "10, reason 10 STALE_CONN", "12, reason 12 INVALID_GID",
        "26, reason 26 INVALID_MTU", "28, reason 28 CONSUMER_DEFINED", "33, reason 33 INVALID_ALT_FLOW_LABEL",
        "35, reason 35 VENDOR_OPTION_NOT_SUPPORTED", "0, reason 0 unnamed", "34, reason 34 unnamed",
        "36, reason 36 unnamed", "-111, error 111 ECONNREFUSED"
    })
    void shouldNameEveryReasonOfARejection(final int status, final String text) {
        assertEquals(text, RejectReason.describe(status));
    }
}
