/**
 * RDMA verbs in Java's words: one object model, an RDMA and a software provider of it.
 */
module io.sluice.verbs {
    requires transitive org.agrona;

    exports io.sluice.environment;
    exports io.sluice.os;
    exports io.sluice.verbs;
    exports io.sluice.verbs.rdma;
    exports io.sluice.verbs.software;
}
