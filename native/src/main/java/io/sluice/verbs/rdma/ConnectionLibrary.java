package io.sluice.verbs.rdma;

import io.sluice.verbs.foreign.LinkedFunctions;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.rdma_h;
import java.lang.foreign.MemorySegment;

/** The exported functions of librdmacm in use; the manual page of each has its name. Any thread may call. */
final class ConnectionLibrary extends LinkedFunctions {
    private static final int MAX_NAME_LENGTH = 64;

    final SetupCall createEventChannel =
        link("rdma_create_event_channel", rdma_h::rdma_create_event_channel$descriptor);
    final SetupCall destroyEventChannel =
        link("rdma_destroy_event_channel", rdma_h::rdma_destroy_event_channel$descriptor);
    final SetupCall createId = link("rdma_create_id", rdma_h::rdma_create_id$descriptor);
    final SetupCall destroyId = link("rdma_destroy_id", rdma_h::rdma_destroy_id$descriptor);
    final SetupCall bindAddress = link("rdma_bind_addr", rdma_h::rdma_bind_addr$descriptor);
    final SetupCall resolveAddress = link("rdma_resolve_addr", rdma_h::rdma_resolve_addr$descriptor);
    final SetupCall resolveRoute = link("rdma_resolve_route", rdma_h::rdma_resolve_route$descriptor);
    final SetupCall listen = link("rdma_listen", rdma_h::rdma_listen$descriptor);
    final SetupCall connect = link("rdma_connect", rdma_h::rdma_connect$descriptor);
    final SetupCall establish = link("rdma_establish", rdma_h::rdma_establish$descriptor);
    final SetupCall accept = link("rdma_accept", rdma_h::rdma_accept$descriptor);
    final SetupCall reject = link("rdma_reject", rdma_h::rdma_reject$descriptor);
    final SetupCall disconnect = link("rdma_disconnect", rdma_h::rdma_disconnect$descriptor);
    final SetupCall getEvent = link("rdma_get_cm_event", rdma_h::rdma_get_cm_event$descriptor);
    final SetupCall ackEvent = link("rdma_ack_cm_event", rdma_h::rdma_ack_cm_event$descriptor);
    private final SetupCall eventName = link("rdma_event_str", rdma_h::rdma_event_str$descriptor);
    final SetupCall initQueuePairAttributes = link("rdma_init_qp_attr", rdma_h::rdma_init_qp_attr$descriptor);

    ConnectionLibrary(final NativeLibraries libraries) {
        super(libraries);
    }

    /** The name of an event's type, for people: rdma_event_str(3). */
    String nameOf(final int eventType) {
        return MemorySegment.ofAddress(eventName.invoke(eventType).value()).reinterpret(MAX_NAME_LENGTH).getString(0);
    }
}
