package io.sluice.verbs;

import java.util.List;

/**
 * A port of a device (ibv_query_port(3)). Plain data; any thread.
 *
 * @param number         from 1.
 * @param state          {@code "active"} when it can be used; else {@code "down"}, {@code "init"}, {@code "armed"},
 *                       {@code "active-defer"}, {@code "nop"} or {@code "unknown(n)"}.
 * @param linkLayer      {@code "InfiniBand"}, {@code "Ethernet"} (RoCE) or {@code "unspecified"}.
 * @param activeMtuBytes payload of the largest packet now; 0 when it is not known.
 * @param maxMtuBytes    payload of the largest packet that the port could send; 0 when it is not known.
 * @param lid            local identifier on InfiniBand, else 0.
 * @param asksForGlobalRoute whether the port says that each packet needs a global routing header
 *                       ({@code IBV_QPF_GRH_REQUIRED}); on Ethernet each has one, whatever the port says.
 * @param gids           those that are set, in the order of the port's table.
 */
public record PortDescription(
    int number,
    String state,
    String linkLayer,
    int activeMtuBytes,
    int maxMtuBytes,
    int lid,
    boolean asksForGlobalRoute,
    List<GidDescription> gids) {
    /** State of a port that can be used. */
    public static final String ACTIVE = "active";

    /**
     * Whether queue pairs can use it.
     *
     * @return true when its state is {@link #ACTIVE}.
     */
    public boolean isActive() {
        return ACTIVE.equals(state);
    }
}
