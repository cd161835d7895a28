package io.sluice.verbs.foreign;

/** Immediate data travels in network byte order; x86-64, the only platform here, has the other one. */
public final class NetworkOrder {
    private NetworkOrder() {
    }

    /**
     * Immediate data of a completion.
     *
     * @param value as the device tells it.
     * @return in this host's byte order.
     */
    public static int toHost(final int value) {
        return Integer.reverseBytes(value);
    }

    /**
     * Immediate data of a work request.
     *
     * @param value in this host's byte order.
     * @return as the device takes it.
     */
    public static int toNetwork(final int value) {
        return Integer.reverseBytes(value);
    }
}
