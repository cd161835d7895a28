package io.sluice.verbs.rdma;

import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.LinkedFunctions;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.rdma_h;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The exported functions of libibverbs in use; the manual page of each has its name. Any thread may call. */
final class VerbsLibrary extends LinkedFunctions {
    final SetupCall getDeviceList = link("ibv_get_device_list", rdma_h::ibv_get_device_list$descriptor);
    final SetupCall freeDeviceList = link("ibv_free_device_list", rdma_h::ibv_free_device_list$descriptor);
    final SetupCall getDeviceName = link("ibv_get_device_name", rdma_h::ibv_get_device_name$descriptor);
    final SetupCall openDevice = link("ibv_open_device", rdma_h::ibv_open_device$descriptor);
    final SetupCall closeDevice = link("ibv_close_device", rdma_h::ibv_close_device$descriptor);
    final SetupCall queryDevice = link("ibv_query_device", rdma_h::ibv_query_device$descriptor);
    final SetupCall queryPort = link("ibv_query_port", rdma_h::ibv_query_port$descriptor);
    final SetupCall queryGid = link("ibv_query_gid", rdma_h::ibv_query_gid$descriptor);
    final SetupCall queryPkey = link("ibv_query_pkey", rdma_h::ibv_query_pkey$descriptor);
    final SetupCall getAsyncEvent = link("ibv_get_async_event", rdma_h::ibv_get_async_event$descriptor);
    final SetupCall ackAsyncEvent = link("ibv_ack_async_event", rdma_h::ibv_ack_async_event$descriptor);
    final SetupCall allocPd = link("ibv_alloc_pd", rdma_h::ibv_alloc_pd$descriptor);
    final SetupCall deallocPd = link("ibv_dealloc_pd", rdma_h::ibv_dealloc_pd$descriptor);
    final SetupCall regMr = link("ibv_reg_mr", rdma_h::ibv_reg_mr$descriptor);
    final SetupCall deregMr = link("ibv_dereg_mr", rdma_h::ibv_dereg_mr$descriptor);
    final SetupCall createAh = link("ibv_create_ah", rdma_h::ibv_create_ah$descriptor);
    final SetupCall destroyAh = link("ibv_destroy_ah", rdma_h::ibv_destroy_ah$descriptor);
    final SetupCall createCompChannel = link("ibv_create_comp_channel", rdma_h::ibv_create_comp_channel$descriptor);
    final SetupCall destroyCompChannel =
        link("ibv_destroy_comp_channel", rdma_h::ibv_destroy_comp_channel$descriptor);
    final SetupCall createCq = link("ibv_create_cq", rdma_h::ibv_create_cq$descriptor);
    final SetupCall resizeCq = link("ibv_resize_cq", rdma_h::ibv_resize_cq$descriptor);
    final SetupCall destroyCq = link("ibv_destroy_cq", rdma_h::ibv_destroy_cq$descriptor);
    /** Addresses for {@link HotCalls}. */
    final long getCqEvent = libraries().find("ibv_get_cq_event").address();
    final long ackCqEvents = libraries().find("ibv_ack_cq_events").address();
    final SetupCall createSrq = link("ibv_create_srq", rdma_h::ibv_create_srq$descriptor);
    final SetupCall modifySrq = link("ibv_modify_srq", rdma_h::ibv_modify_srq$descriptor);
    final SetupCall destroySrq = link("ibv_destroy_srq", rdma_h::ibv_destroy_srq$descriptor);
    final SetupCall createQp = link("ibv_create_qp", rdma_h::ibv_create_qp$descriptor);
    final SetupCall queuePairToExtended = link("ibv_qp_to_qp_ex", rdma_h::ibv_qp_to_qp_ex$descriptor);
    final SetupCall modifyQp = link("ibv_modify_qp", rdma_h::ibv_modify_qp$descriptor);
    final SetupCall queryQp = link("ibv_query_qp", rdma_h::ibv_query_qp$descriptor);
    final SetupCall destroyQp = link("ibv_destroy_qp", rdma_h::ibv_destroy_qp$descriptor);

    private static VerbsLibrary instance;

    private final Function<String, DeviceFolder> folders;
    private final Map<String, DeviceTrials> trials = new ConcurrentHashMap<>();

    /** The library of the connection manager; null until the first connection. */
    private ConnectionLibrary connectionManager;

    VerbsLibrary(final NativeLibraries libraries) {
        this(libraries, DeviceFolder::of);
    }

    /** A library with what a kernel tells of devices by their names. */
    VerbsLibrary(final NativeLibraries libraries, final Function<String, DeviceFolder> folders) {
        super(libraries);
        this.folders = folders;
    }

    /** The library, linked at the first call. */
    static synchronized VerbsLibrary instance() {
        if (instance == null) {
            instance = new VerbsLibrary(NativeLibraries.instance());
        }
        return instance;
    }

    /** Files by which the kernel describes a device. */
    DeviceFolder folder(final String device) {
        return folders.apply(device);
    }

    /** Results of trying out a device, by its name and node GUID. */
    DeviceTrials trials(final String device, final long nodeGuid) {
        return trials.computeIfAbsent(device + ' ' + Long.toHexString(nodeGuid), ignored -> new DeviceTrials());
    }

    /** The connection manager's functions, linked at the first call. */
    synchronized ConnectionLibrary connectionManager() {
        if (connectionManager == null) {
            connectionManager = new ConnectionLibrary(libraries());
        }
        return connectionManager;
    }
}
