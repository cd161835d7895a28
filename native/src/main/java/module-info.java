/**
 * RDMA verbs in Java's words: one object model, an RDMA and a software provider of it; and librpma.
 */
module io.sluice.verbs {
    requires transitive org.agrona;

    exports io.sluice.environment;
    exports io.sluice.os;
    exports io.sluice.rpma;
    exports io.sluice.verbs;
    // of no use but to show what a provider does, where there is no device
    exports io.sluice.verbs.model;
    exports io.sluice.verbs.rdma;
    exports io.sluice.verbs.software;
}
