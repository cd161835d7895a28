package io.sluice.verbs;

import java.util.StringJoiner;

/**
 * Capabilities of devices, with the values of {@code enum ibv_device_cap_flags} and those beyond 32 bits of
 * {@code device_cap_flags_ex} (ibv_query_device(3), ibv_query_device_ex(3)); {@link DeviceAttributes#capabilities()}
 * has those of a device. Any thread.
 */
public final class DeviceCapability {
    /** The size of work queues can be changed. */
    public static final long RESIZE_MAX_WR = 1;
    /** The device counts bad partition keys. */
    public static final long BAD_PKEY_CNTR = 1 << 1;
    /** The device counts bad queue keys. */
    public static final long BAD_QKEY_CNTR = 1 << 2;
    /** Raw packets by multicast. */
    public static final long RAW_MULTI = 1 << 3;
    /** Paths migrate by themselves. */
    public static final long AUTO_PATH_MIG = 1 << 4;
    /** The port of a queue pair can be changed. */
    public static final long CHANGE_PHY_PORT = 1 << 5;
    /** The port of an address handle is that of its queue pair. */
    public static final long UD_AV_PORT_ENFORCE = 1 << 6;
    /** The current state of a queue pair can be named in a change. */
    public static final long CURR_QP_STATE_MOD = 1 << 7;
    /** A port can be shut down. */
    public static final long SHUTDOWN_PORT = 1 << 8;
    /** The type of initialisation can be set. */
    public static final long INIT_TYPE = 1 << 9;
    /** The device raises {@link AsyncEventType#PORT_ACTIVE}. */
    public static final long PORT_ACTIVE_EVENT = 1 << 10;
    /** The device has a GUID for the whole machine. */
    public static final long SYS_IMAGE_GUID = 1 << 11;
    /** A receiver without receives makes the sender try again. */
    public static final long RC_RNR_NAK_GEN = 1 << 12;
    /** Shared receive queues can be resized. */
    public static final long SRQ_RESIZE = 1 << 13;
    /** An event can be asked for after several completions. */
    public static final long N_NOTIFY_CQ = 1 << 14;
    /** Memory windows of type 1. */
    public static final long MEM_WINDOW = 1 << 17;
    /** Checksums of datagrams are made and checked: {@link WorkFlags#CHECKSUMS_OK} means something. */
    public static final long UD_IP_CSUM = 1 << 18;
    /** Extended reliable connections. */
    public static final long XRC = 1 << 20;
    /** Keys can be invalidated and regions registered by work requests. */
    public static final long MEM_MGT_EXTENSIONS = 1 << 21;
    /** Memory windows of type 2A. */
    public static final long MEM_WINDOW_TYPE_2A = 1 << 23;
    /** Memory windows of type 2B. */
    public static final long MEM_WINDOW_TYPE_2B = 1 << 24;
    /** Checksums on reliable connections are made and checked, as {@link #UD_IP_CSUM} says of datagrams. */
    public static final long RC_IP_CSUM = 1 << 25;
    /** Checksums of raw packets are made and checked, as {@link #UD_IP_CSUM} says of datagrams. */
    public static final long RAW_IP_CSUM = 1 << 26;
    /** Flows can be steered to queue pairs. */
    public static final long MANAGED_FLOW_STEERING = 1 << 29;
    /** The check sequence of raw packets can be received. */
    public static final long RAW_SCATTER_FCS = 1L << 34;
    /** Writes over PCI are padded to whole cache lines. */
    public static final long PCI_WRITE_END_PADDING = 1L << 36;

    /** The names of capabilities by the number of the bit; null where none is known. */
    private static final String[] NAMES = {
        "RESIZE_MAX_WR", "BAD_PKEY_CNTR", "BAD_QKEY_CNTR", "RAW_MULTI", "AUTO_PATH_MIG", "CHANGE_PHY_PORT",
        "UD_AV_PORT_ENFORCE", "CURR_QP_STATE_MOD", "SHUTDOWN_PORT", "INIT_TYPE", "PORT_ACTIVE_EVENT",
        "SYS_IMAGE_GUID", "RC_RNR_NAK_GEN", "SRQ_RESIZE", "N_NOTIFY_CQ", null, null, "MEM_WINDOW", "UD_IP_CSUM",
        null, "XRC", "MEM_MGT_EXTENSIONS", null, "MEM_WINDOW_TYPE_2A", "MEM_WINDOW_TYPE_2B", "RC_IP_CSUM",
        "RAW_IP_CSUM", null, null, "MANAGED_FLOW_STEERING", null, null, null, null, "RAW_SCATTER_FCS", null,
        "PCI_WRITE_END_PADDING"
    };

    private DeviceCapability() {
    }

    /**
     * The names of capabilities.
     *
     * @param capabilities any bits.
     * @return for example {@code "SRQ_RESIZE|XRC|BIT_63"}; empty for none.
     */
    public static String describe(final long capabilities) {
        final StringJoiner joiner = new StringJoiner("|");
        for (long rest = capabilities; rest != 0; rest &= rest - 1) {
            final int bit = Long.numberOfTrailingZeros(rest);
            joiner.add(bit < NAMES.length && NAMES[bit] != null ? NAMES[bit] : "BIT_" + bit);
        }
        return joiner.toString();
    }
}
