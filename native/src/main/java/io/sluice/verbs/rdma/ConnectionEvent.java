package io.sluice.verbs.rdma;

import io.sluice.verbs.rdma.generated.rdma_cm_event;
import io.sluice.verbs.rdma.generated.rdma_conn_param;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An event of the connection manager, copied, so that it can be acknowledged at once: an identifier cannot be destroyed
 * while one of its events is not.
 *
 * @param type            a {@code RDMA_CM_EVENT_} constant.
 * @param status          error number, negative, or a reason of rejection.
 * @param id              identifier that it is for; of a request a new one.
 * @param listenId        of a request, the listener's.
 * @param initiatorDepth  of a request: READs and atomics that its peer answers at a time (rdma_get_cm_event(3)).
 * @param queuePairNumber of a request or a response: the peer's queue pair.
 * @param privateData     what came with it, padded.
 */
record ConnectionEvent(
    int type, int status, long id, long listenId, int initiatorDepth, int queuePairNumber, byte[] privateData) {
    private static final byte[] NOTHING = {};

    static ConnectionEvent of(final MemorySegment event) {
        final MemorySegment connection = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        final int length = Byte.toUnsignedInt(rdma_conn_param.private_data_len(connection));
        final MemorySegment data = rdma_conn_param.private_data(connection);
        return new ConnectionEvent(
            rdma_cm_event.event(event),
            rdma_cm_event.status(event),
            rdma_cm_event.id(event).address(),
            rdma_cm_event.listen_id(event).address(),
            Byte.toUnsignedInt(rdma_conn_param.initiator_depth(connection)),
            rdma_conn_param.qp_num(connection),
            length == 0 || data.address() == 0
                ? NOTHING : data.reinterpret(length).toArray(ValueLayout.JAVA_BYTE));
    }
}
