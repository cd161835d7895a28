package io.sluice.verbs.model;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.environment.Environment;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_qp;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A model whose data path is a compiled library: the rdma provider above it is the true one, and may have critical
 * calls. Who calls the set-up functions of this class calls the library past the provider, which then cannot take care
 * of anything. Any thread.
 */
public final class NativePath implements DataPath {
    /** Id of a send that the device refuses, and fails the queue pair. */
    public static final long BAD_ID = 0xbadL;

    private final SymbolLookup symbols;
    private final ModelCard card;
    private final SetupCall configure;
    private final SetupCall onQueue;
    private final SetupCall onQueuePair;
    private final SetupCall resize;
    private final SetupCall fail;
    private final SetupCall hasFailed;
    private final SetupCall destroy;
    private final SetupCall waited;
    private volatile long lastQueue;
    private volatile long lastQueuePair;

    /**
     * Load the library for as long as this process lives.
     *
     * @param library compiled with the {@link #definitions()}.
     * @param card    that it is to behave as.
     */
    @SuppressWarnings("restricted")
    public NativePath(final Path library, final ModelCard card) {
        this.card = card;
        symbols = SymbolLookup.libraryLookup(library, Arena.global());
        configure = link("configure", null, JAVA_LONG, JAVA_LONG);
        onQueue = link("on_queue", JAVA_INT, JAVA_LONG, JAVA_INT);
        onQueuePair = link("on_pair", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
        resize = link("resize", null, JAVA_LONG);
        fail = link("fail", null, JAVA_LONG);
        hasFailed = link("has_failed", JAVA_INT, JAVA_LONG);
        destroy = link("destroy", null, JAVA_LONG);
        waited = link("waited", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        enterKernelFor(0);
    }

    private SetupCall link(final String name, final MemoryLayout result, final MemoryLayout... arguments) {
        return SetupCall.at(name, symbols.find(name).orElseThrow().address(),
            result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments));
    }

    /**
     * Definitions for a C compiler: a bit for each trait, and offsets of what the bindings know.
     *
     * @return arguments of the form {@code -DNAME=VALUE}.
     */
    public static List<String> definitions() {
        final Map<String, Long> values = new TreeMap<>(Map.of(
            "BAD_ID", BAD_ID,
            "CQ_CONTEXT_OFFSET", ibv_cq.cq_context$offset(),
            "CQ_WR_ID_OFFSET", ibv_cq_ex.wr_id$offset(),
            "CQ_STATUS_OFFSET", ibv_cq_ex.status$offset(),
            "QP_CONTEXT_OFFSET", ibv_qp.qp_context$offset(),
            "QP_NUMBER_OFFSET", ibv_qp.qp_num$offset(),
            "BUILDER_WR_ID_OFFSET", ibv_qp_ex.wr_id$offset(),
            "WC_LENGTH", ibv_wc.sizeof()));
        values.putAll(Map.of(
            "SEND_NEXT_OFFSET", ibv_send_wr.next$offset(),
            "SEND_WR_ID_OFFSET", ibv_send_wr.wr_id$offset(),
            "RECEIVE_NEXT_OFFSET", ibv_recv_wr.next$offset(),
            "RECEIVE_WR_ID_OFFSET", ibv_recv_wr.wr_id$offset(),
            "WC_WR_ID_OFFSET", ibv_wc.wr_id$offset(),
            "WC_STATUS_OFFSET", ibv_wc.status$offset(),
            "WC_OPCODE_OFFSET", ibv_wc.opcode$offset(),
            "WC_NUMBER_OFFSET", ibv_wc.qp_num$offset()));
        for (final Trait trait : Trait.values()) {
            values.put(trait.name(), bit(trait));
        }
        return values.entrySet().stream().map(value -> "-D" + value.getKey() + "=" + value.getValue()).toList();
    }

    private static long bit(final Trait trait) {
        return 1L << trait.ordinal();
    }

    /**
     * Open the device.
     *
     * @param environment to reach the clock through.
     * @param vendor      by which the provider chooses how to call it; the card's own, or another one.
     * @param options     by which to open it, but for its name.
     * @return the device, owned by the caller.
     * @throws io.sluice.verbs.VerbsException when the provider cannot use such a device, with the reason.
     */
    public RdmaDevice open(final Environment environment, final int vendor, final RdmaDeviceOptions options) {
        final ModelCard told = new ModelCard(card.name(), vendor, card.fields(), card.flags(), card.maxInlineBytes(),
            card.maxScatterEntries(), card.linkLayer(), card.traits());
        return new Model(told, environment, this).open(options);
    }

    /**
     * Makes each system call take so long from now on.
     *
     * @param durationNs 0 for none.
     */
    public void enterKernelFor(final long durationNs) {
        configure.invoke(
            Stream.of(Trait.values()).filter(card::has).mapToLong(NativePath::bit).sum(), durationNs);
    }

    /**
     * The time that a call of the data path has waited, for a lock or the kernel. Only of the last 64 waits, which have
     * ended.
     *
     * @param thread that made the call, by its number in the system.
     * @param fromNs no earlier part of the wait counts; by {@link System#nanoTime()}.
     * @param atNs   when it was in the wait.
     * @return nanoseconds; 0 when it was in none then.
     */
    public long waitedNs(final int thread, final long fromNs, final long atNs) {
        return waited.invoke(thread, fromNs, atNs).value();
    }

    /** Resize the completion queue that was made last. */
    public void resizeLast() {
        resize(lastQueue);
    }

    /** Fail the queue pair that was made last. */
    public void failLast() {
        fail(lastQueuePair);
    }

    /**
     * Have the library know whether the device has failed the queue pair that was made last.
     *
     * @return whether it has.
     */
    public boolean hasFailedLast() {
        return hasFailed(lastQueuePair);
    }

    /** Destroy the queue pair that was made last; a second time, that of its owner, is nothing more. */
    public void destroyLast() {
        destroy(lastQueuePair);
    }

    @Override
    public long function(final String method) {
        return symbols.find("card_" + method.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .or(() -> symbols.find("card_nothing")).map(MemorySegment::address).orElseThrow();
    }

    @Override
    public void onQueue(final long queue, final int flags) {
        lastQueue = queue;
        onQueue.check("a completion queue has no place", queue,
            (flags & CompletionQueueFlags.SINGLE_THREADED) == 0 ? 0 : 1);
    }

    @Override
    public void onQueuePair(
        final long queuePair,
        final long sendQueue,
        final long receiveQueue,
        final int maxSends,
        final int maxReceives,
        final boolean isDatagram) {
        lastQueuePair = queuePair;
        onQueuePair.check("a queue pair has no place", queuePair, sendQueue, receiveQueue, maxSends, maxReceives,
            isDatagram ? 1 : 0);
    }

    @Override
    public void resize(final long queue) {
        resize.invoke(queue);
    }

    @Override
    public void fail(final long queuePair) {
        fail.invoke(queuePair);
    }

    @Override
    public boolean hasFailed(final long queuePair) {
        return hasFailed.invoke(queuePair).value() != 0;
    }

    @Override
    public void destroy(final long queuePair) {
        destroy.invoke(queuePair);
    }
}
