package io.sluice.verbs.model;

import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Whether a path leads to the only port of a fabric. Stateless; any thread. */
final class Paths {
    private Paths() {
    }

    /** Whether a provider takes it: on Ethernet there is no path without a global route. */
    static boolean isValid(final ModelCard card, final MemorySegment path) {
        return card.linkLayer() != LinkLayer.ETHERNET || ibv_ah_attr.is_global(path) != 0;
    }

    /** Whether a provider makes an address handle of it, which looks at what the port asks for. */
    static boolean isValidHandle(final ModelCard card, final MemorySegment path) {
        return isValid(card, path)
            && (!card.has(Trait.REQUIRES_GLOBAL_ROUTE) || ibv_ah_attr.is_global(path) != 0);
    }

    /** Whether packets arrive. */
    static boolean isReachable(final ModelCard card, final MemorySegment path) {
        if (ibv_ah_attr.is_global(path) != 0) {
            return Arrays.equals(DeviceFunctions.gid(card.linkLayer()),
                ibv_global_route.dgid(ibv_ah_attr.grh(path)).toArray(ValueLayout.JAVA_BYTE));
        }
        return card.linkLayer() == LinkLayer.INFINIBAND && !card.has(Trait.REQUIRES_GLOBAL_ROUTE)
            && Short.toUnsignedInt(ibv_ah_attr.dlid(path)) == DeviceFunctions.LID;
    }

    /** Fills in the path to the port. */
    static void fill(final ModelCard card, final MemorySegment path) {
        ibv_ah_attr.port_num(path, (byte) 1);
        if (card.linkLayer() == LinkLayer.INFINIBAND && !card.has(Trait.REQUIRES_GLOBAL_ROUTE)) {
            ibv_ah_attr.dlid(path, (short) DeviceFunctions.LID);
        } else {
            ibv_ah_attr.is_global(path, (byte) 1);
            MemorySegment.copy(DeviceFunctions.gid(card.linkLayer()), 0, ibv_global_route.dgid(ibv_ah_attr.grh(path)),
                ValueLayout.JAVA_BYTE, 0, DeviceFunctions.GID_LENGTH);
        }
    }
}
