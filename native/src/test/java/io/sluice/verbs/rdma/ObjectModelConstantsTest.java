package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_grh;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The object model's constants go to the device as they are, so they have the header's values. */
class ObjectModelConstantsTest {
    @Test
    void shouldHaveTheHeadersAccessFlags() {
        assertEquals(rdma_constants.IBV_ACCESS_LOCAL_WRITE(), AccessFlags.LOCAL_WRITE);
        assertEquals(rdma_constants.IBV_ACCESS_REMOTE_WRITE(), AccessFlags.REMOTE_WRITE);
        assertEquals(rdma_constants.IBV_ACCESS_REMOTE_READ(), AccessFlags.REMOTE_READ);
        assertEquals(rdma_constants.IBV_ACCESS_REMOTE_ATOMIC(), AccessFlags.REMOTE_ATOMIC);
    }

    @Test
    void shouldHaveTheHeadersFlagsOfWork() {
        assertEquals(rdma_constants.IBV_SEND_FENCE(), WorkFlags.FENCED);
        assertEquals(rdma_constants.IBV_SEND_SIGNALED(), WorkFlags.SIGNALED);
        assertEquals(rdma_constants.IBV_SEND_SOLICITED(), WorkFlags.SOLICITED);
        assertEquals(rdma_constants.IBV_SEND_INLINE(), WorkFlags.INLINE);
        assertEquals(rdma_constants.IBV_WC_GRH(), WorkFlags.GLOBAL_ROUTE);
        assertEquals(rdma_constants.IBV_WC_WITH_IMM(), WorkFlags.WITH_IMMEDIATE);
        assertEquals(rdma_constants.IBV_WC_IP_CSUM_OK(), WorkFlags.CHECKSUMS_OK);
        assertEquals(rdma_constants.IBV_WC_WITH_INV(), WorkFlags.WITH_INVALIDATED_KEY);
        assertEquals(rdma_constants.IBV_WC_TM_SYNC_REQ(), WorkFlags.TAG_SYNC_REQUEST);
        assertEquals(rdma_constants.IBV_WC_TM_MATCH(), WorkFlags.TAG_MATCHED);
        assertEquals(rdma_constants.IBV_WC_TM_DATA_VALID(), WorkFlags.TAG_DATA_VALID);
    }

    @Test
    void shouldHaveTheHeadersLengths() {
        assertEquals(ibv_grh.sizeof(), QueuePair.GLOBAL_ROUTE_HEADER_LENGTH);
        assertEquals(ibv_gid.sizeof(), AddressHandleAttributes.GID_LENGTH);
    }

    @Test
    void shouldHaveTheHeadersOpcodes() {
        assertEquals(rdma_constants.IBV_WC_SEND(), WorkOpcode.SEND);
        assertEquals(rdma_constants.IBV_WC_RDMA_WRITE(), WorkOpcode.RDMA_WRITE);
        assertEquals(rdma_constants.IBV_WC_RDMA_READ(), WorkOpcode.RDMA_READ);
        assertEquals(rdma_constants.IBV_WC_COMP_SWAP(), WorkOpcode.COMPARE_SWAP);
        assertEquals(rdma_constants.IBV_WC_FETCH_ADD(), WorkOpcode.FETCH_ADD);
        assertEquals(rdma_constants.IBV_WC_BIND_MW(), WorkOpcode.BIND_MW);
        assertEquals(rdma_constants.IBV_WC_LOCAL_INV(), WorkOpcode.LOCAL_INV);
        assertEquals(rdma_constants.IBV_WC_TSO(), WorkOpcode.TSO);
        assertEquals(8, WorkOpcode.FLUSH, "of newer headers");
        assertEquals(rdma_constants.IBV_WC_ATOMIC_WRITE(), WorkOpcode.ATOMIC_WRITE);
        assertEquals(rdma_constants.IBV_WC_RECV(), WorkOpcode.RECV);
        assertEquals(rdma_constants.IBV_WC_RECV_RDMA_WITH_IMM(), WorkOpcode.RECV_RDMA_WITH_IMM);
        assertEquals(rdma_constants.IBV_WC_TM_ADD(), WorkOpcode.TM_ADD);
        assertEquals(rdma_constants.IBV_WC_TM_DEL(), WorkOpcode.TM_DEL);
        assertEquals(rdma_constants.IBV_WC_TM_SYNC(), WorkOpcode.TM_SYNC);
        assertEquals(rdma_constants.IBV_WC_TM_RECV(), WorkOpcode.TM_RECV);
        assertEquals(rdma_constants.IBV_WC_TM_NO_TAG(), WorkOpcode.TM_NO_TAG);
        assertEquals(rdma_constants.IBV_WC_DRIVER1(), WorkOpcode.DRIVER1);
        assertEquals(rdma_constants.IBV_WC_DRIVER2(), WorkOpcode.DRIVER2);
        assertEquals(rdma_constants.IBV_WC_DRIVER3(), WorkOpcode.DRIVER3);
        assertEquals(rdma_constants.IBV_WR_RDMA_WRITE(), SendPoster.RDMA_WRITE);
        assertEquals(rdma_constants.IBV_WR_RDMA_WRITE_WITH_IMM(), SendPoster.RDMA_WRITE_WITH_IMM);
        assertEquals(rdma_constants.IBV_WR_SEND(), SendPoster.SEND);
        assertEquals(rdma_constants.IBV_WR_SEND_WITH_IMM(), SendPoster.SEND_WITH_IMM);
        assertEquals(rdma_constants.IBV_WR_RDMA_READ(), SendPoster.RDMA_READ);
        assertEquals(rdma_constants.IBV_WR_ATOMIC_CMP_AND_SWP(), SendPoster.ATOMIC_CMP_AND_SWP);
        assertEquals(rdma_constants.IBV_WR_ATOMIC_FETCH_AND_ADD(), SendPoster.ATOMIC_FETCH_AND_ADD);
    }

    @Test
    void shouldHaveTheHeadersCapabilities() throws ReflectiveOperationException {
        long all = 0;
        for (final Field field : DeviceCapability.class.getFields()) {
            final Number value =
                (Number) rdma_constants.class.getMethod("IBV_DEVICE_" + field.getName()).invoke(null);
            assertEquals(value.longValue(), field.getLong(null), field.getName());
            assertEquals(field.getName(), DeviceCapability.describe(value.longValue()));
            all |= value.longValue();
        }
        assertEquals(Arrays.stream(rdma_constants.class.getMethods())
            .filter(method -> method.getName().startsWith("IBV_DEVICE_")).count(), Long.bitCount(all));
        assertEquals("", DeviceCapability.describe(0));
        assertEquals("RESIZE_MAX_WR|BIT_15|BIT_63", DeviceCapability.describe(1L << 63 | 1 << 15 | 1));
    }

    @Test
    void shouldHaveTheHeadersCompletionFields() {
        assertEquals(rdma_constants.IBV_WC_EX_WITH_BYTE_LEN(), CompletionField.BYTE_LENGTH);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_IMM(), CompletionField.IMMEDIATE);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_QP_NUM(), CompletionField.QUEUE_PAIR_NUMBER);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_SRC_QP(), CompletionField.SOURCE_QUEUE_PAIR);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_SLID(), CompletionField.SOURCE_LID);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_SL(), CompletionField.SERVICE_LEVEL);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_DLID_PATH_BITS(), CompletionField.DESTINATION_PATH_BITS);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_COMPLETION_TIMESTAMP(), CompletionField.COMPLETION_TIMESTAMP);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_CVLAN(), CompletionField.CUSTOMER_VLAN);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_FLOW_TAG(), CompletionField.FLOW_TAG);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_TM_INFO(), CompletionField.TAG_MATCHING);
        assertEquals(rdma_constants.IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK(),
            CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK);
        assertEquals(
            rdma_constants.IBV_CREATE_CQ_ATTR_SINGLE_THREADED(), CompletionQueueFlags.SINGLE_THREADED);
        assertEquals(rdma_constants.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN(), CompletionQueueFlags.IGNORE_OVERRUN);
    }
}
