package io.sluice.transport.peer;

/** The place where a channel's publications and subscriptions meet, as a path-like name. Stateless. */
public final class RendezvousName {
    private static final String IPC_MEDIA = "sluice:ipc";
    private static final String RDMA_MEDIA = "sluice:rdma";
    private static final String RDMA = "rdma/";
    private static final String RDMA_CONTROL = "rdma-control/";
    private static final String ENDPOINT = "endpoint=";
    private static final String CONTROL = "control=";
    private static final String DEFAULT_ENDPOINT = "default";

    private RendezvousName() {
    }

    /**
     * The name for an ipc endpoint.
     *
     * @param endpoint a checked endpoint name.
     * @return for example {@code "ipc/prices"}.
     */
    public static String ipc(final String endpoint) {
        return "ipc/" + endpoint;
    }

    /**
     * The name for an ipc control name.
     *
     * @param control a checked name.
     * @return for example {@code "ipc-control/prices"}.
     */
    public static String control(final String control) {
        return "ipc-control/" + control;
    }

    /**
     * The name for an rdma endpoint.
     *
     * @param endpoint a checked address, host and port.
     * @return for example {@code "rdma/10.0.0.1:40123"}.
     */
    public static String rdma(final String endpoint) {
        return RDMA + endpoint;
    }

    /**
     * The name for an rdma control address.
     *
     * @param control a checked address, host and port.
     * @return for example {@code "rdma-control/10.0.0.1:40123"}.
     */
    public static String rdmaControl(final String control) {
        return RDMA_CONTROL + control;
    }

    /** Whether a name stands for an address. */
    static boolean isRdma(final String name) {
        return name.startsWith(RDMA) || name.startsWith(RDMA_CONTROL);
    }

    /** Whether publications listen at the address that a name stands for, and not subscriptions. */
    static boolean isControl(final String name) {
        return name.startsWith(RDMA_CONTROL);
    }

    /** The address that a name stands for. */
    static String address(final String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    /** The port of the address that a name stands for. */
    static String port(final String name) {
        return name.substring(name.lastIndexOf(':') + 1);
    }

    /**
     * The name that a peer's channel text stands for.
     *
     * @param channel from outside; anything.
     * @return a name, which matches none of ours when the text is not understood.
     */
    static String of(final String channel) {
        final int query = channel.indexOf('?');
        final String media = query < 0 ? channel : channel.substring(0, query);
        final boolean isIpc = media.equals(IPC_MEDIA);
        String endpoint = isIpc ? DEFAULT_ENDPOINT : null;
        String control = null;
        for (final String pair : query < 0 ? new String[0] : channel.substring(query + 1).split("\\|")) {
            if (pair.startsWith(ENDPOINT)) {
                endpoint = pair.substring(ENDPOINT.length());
            } else if (pair.startsWith(CONTROL)) {
                control = pair.substring(CONTROL.length());
            }
        }
        if (isIpc) {
            return control == null ? ipc(endpoint) : control(control);
        }
        if (!media.equals(RDMA_MEDIA) || control == null && endpoint == null) {
            return "";
        }
        return control == null ? rdma(endpoint) : rdmaControl(control);
    }
}
