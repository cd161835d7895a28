package io.sluice.verbs.model;

/** The kinds of network that ports are connected by, in the order of {@code IBV_LINK_LAYER_}. */
public enum LinkLayer {
    /** A link layer that is neither of the two, with LID 0. */
    UNSPECIFIED,
    /** Paths by LID, within a subnet. */
    INFINIBAND,
    /** RoCE: every path is a global one. */
    ETHERNET
}
