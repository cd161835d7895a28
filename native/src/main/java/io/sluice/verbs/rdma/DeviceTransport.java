package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_device;
import io.sluice.verbs.rdma.generated.rdma_constants;
import org.agrona.UnsafeApi;

/** Tells which devices have what is needed of one, by the transport that they speak. Stateless; any thread. */
final class DeviceTransport {
    private static final String NEEDED = " what is needed is reliable connected queue pairs with RDMA WRITE WITH"
        + " IMMEDIATE, as InfiniBand and RoCE have them; use a device of one of these";

    private DeviceTransport() {
    }

    /**
     * Refuse a device by its {@code transport_type}, before it is opened.
     *
     * @param device address of the {@code ibv_device}.
     * @throws VerbsException EOPNOTSUPP for those that lack WRITE WITH IMMEDIATE or memory, with the reason.
     */
    static void check(final long device, final String name) {
        final String problem = problem(UnsafeApi.getInt(device + ibv_device.transport_type$offset()));
        if (!problem.isEmpty()) {
            throw new VerbsException(
                "ibv_open_device", Errno.EOPNOTSUPP, "device " + name + " cannot be used: " + problem);
        }
    }

    /**
     * The reason why a transport cannot be used, or an empty text; what one of a maker's own has, its attributes tell
     * (EFA).
     */
    static String problem(final int type) {
        if (type == rdma_constants.IBV_TRANSPORT_IB() || type == rdma_constants.IBV_TRANSPORT_UNSPECIFIED()) {
            return "";
        }
        if (type == rdma_constants.IBV_TRANSPORT_IWARP()) {
            return "it speaks iWARP, which has no WRITE WITH IMMEDIATE;" + NEEDED;
        }
        if (type == rdma_constants.IBV_TRANSPORT_USNIC() || type == rdma_constants.IBV_TRANSPORT_USNIC_UDP()) {
            return "it speaks usNIC, which has datagrams only;" + NEEDED;
        }
        return "its transport is unknown (transport_type=" + type + ");" + NEEDED;
    }
}
