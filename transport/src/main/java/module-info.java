/**
 * Messages over RDMA verbs: publications, subscriptions and the flow control between them.
 */
module io.sluice.transport {
    requires transitive io.sluice.verbs;
    requires io.sluice.codec;
    requires jdk.jfr;
    requires transitive org.agrona;
    requires transitive com.lmax.disruptor;

    exports io.sluice.transport;
    exports io.sluice.transport.completion;
    exports io.sluice.transport.status;
}
