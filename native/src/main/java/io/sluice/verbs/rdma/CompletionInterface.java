package io.sluice.verbs.rdma;

/** The two interfaces by which a device's completion queues are polled. Any thread. */
public enum CompletionInterface {
    /** {@code ibv_cq_ex}: start, next, end, and a call for each field read. */
    EXTENDED,
    /** {@code ibv_poll_cq}: a call for each batch, and all fields in memory. */
    LEGACY,
    /** The one that works and suits the device best; {@link RdmaDevices#open} decides. */
    AUTO
}
