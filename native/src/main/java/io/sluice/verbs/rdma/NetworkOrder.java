package io.sluice.verbs.rdma;

/** Immediate data travels in network byte order; x86-64, the only platform here, has the other one. */
final class NetworkOrder {
    private NetworkOrder() {
    }

    static int toHost(final int value) {
        return Integer.reverseBytes(value);
    }

    static int toNetwork(final int value) {
        return Integer.reverseBytes(value);
    }
}
