package io.sluice.transport.connection;

/**
 * Where a channel's publications and subscriptions meet, as a path-like name. Stateless.
 */
public final class RendezvousName {
    private static final String PREFIX = "sluice:ipc";
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
     * The name that a peer's channel text stands for.
     *
     * @param channel from outside; anything.
     * @return a name, which matches none of ours when the text is not understood.
     */
    static String of(final String channel) {
        if (!channel.startsWith(PREFIX)) {
            return "";
        }
        String endpoint = DEFAULT_ENDPOINT;
        String control = null;
        final int query = channel.indexOf('?');
        if (query >= 0) {
            for (final String pair : channel.substring(query + 1).split("\\|")) {
                if (pair.startsWith(ENDPOINT)) {
                    endpoint = pair.substring(ENDPOINT.length());
                } else if (pair.startsWith(CONTROL)) {
                    control = pair.substring(CONTROL.length());
                }
            }
        }
        return control == null ? ipc(endpoint) : control(control);
    }
}
