package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.ReceiverCommands;
import io.sluice.transport.status.ErrorKind;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.SourceAddress;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The epochs of a subscription's link, one after the other: their queue pairs, and the rings of the current one and of
 * earlier ones. The link owns it; what it holds is released on the set-up thread. Conductor only, but for {@link #make}
 * and {@link #detach}.
 * <pre>
 *   order ──→ make ──→ start ──→ end ──→ order of the next epoch
 *      └────────┴──→ drop          └──→ releaseAll
 * </pre>
 * <table>
 *   <caption>The steps of an epoch, and the threads that they run on</caption>
 *   <tr><td>make</td><td>all is made, and connected before the publisher is told: when that can send, this end
 *     receives</td><td>set-up</td></tr>
 *   <tr><td>start</td><td>handed over to whoever polls, before the peer can write</td>
 *     <td>conductor, polling</td></tr>
 *   <tr><td>end</td><td>the queue pair fails, is destroyed, and then what had arrived is taken</td>
 *     <td>conductor, set-up, polling</td></tr>
 *   <tr><td>drop, releaseAll</td><td>what nobody refers to any more goes</td><td>conductor, set-up</td></tr>
 * </table>
 */
final class SubscriptionEpochs {
    /**
     * An epoch that the set-up thread is asked for. It is handed over by value: the conductor may be in another epoch
     * when the set-up thread comes to it.
     *
     * @param request       of the publisher.
     * @param workRequestId of the epoch's receives.
     * @param sharedRing    the log that earlier epochs have mapped; null where the ring is to be made.
     * @param source        address of the control connection.
     * @param ringLength    bytes of the ring that replaces another one, 0 for none.
     */
    record Order(
        SetupRequest request, long workRequestId, MemoryRegion sharedRing, SourceAddress source, long ringLength) {
    }

    private final SubscriptionContext context;
    private final Services services;
    private final Tasks tasks;
    private final ReceiverCommands commands;
    private final QueuePairEnds ends;
    /** The protection domain of all epochs: the publisher's keys are good here and nowhere else (030). */
    private final LinkDomain domain;
    /**
     * The polling thread's side, over all epochs. The conductor changes it by commands only, which that thread takes up
     * at its next poll: in INVOKER mode not before the program polls.
     */
    private final InboundLink inbound;
    /** Whether the ring is the publication's log, which is mapped once for all epochs. */
    private final boolean isShared;
    /** Rings of earlier epochs that consumers may still be reading; empty where the log itself is mapped. */
    private final ReplacedRings replaced;
    /**
     * The parts of the epoch that was handed to the polling thread last, also when it has broken since: its ring is
     * read on. Null before the first.
     */
    private InboundEpoch current;

    /**
     * Creates the epochs of a link that has none yet.
     *
     * @param context  of the link.
     * @param inbound  the polling thread's side of it.
     * @param isShared whether its ring is the publication's log.
     */
    SubscriptionEpochs(final SubscriptionContext context, final InboundLink inbound, final boolean isShared) {
        this.context = context;
        this.inbound = inbound;
        this.isShared = isShared;
        services = context.services();
        tasks = services.tasks();
        commands = context.commands();
        ends = new QueuePairEnds(services.failures(), context.options().streamId(), context.options().channel());
        domain = new LinkDomain(context.medium().parameters().device());
        replaced = new ReplacedRings(context.rings());
    }

    /**
     * Orders the first epoch, or the next one of a link that is quiescent: else the device of the one before could
     * write into the new one (005). The ring that is about to be made counts from now on, so that quotas are not passed
     * while it is.
     *
     * @param index      of the link in its receiver's table.
     * @param generation by which completions of an epoch that is over are known for stale.
     */
    Order order(final SetupRequest request, final int index, final int generation, final SourceAddress source) {
        final long ringLength = current == null || isShared ? 0 : request.log().windowLength();
        replaced.expect(ringLength);
        return new Order(request, WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, index, generation),
            isShared && current != null ? current.ring() : null, source, ringLength);
    }

    /** Makes what was ordered. Set-up thread, as each step may block. */
    InboundEpoch make(final Order order) {
        return context.epochs().make(
            domain, order.request(), order.workRequestId(), order.sharedRing(), order.source());
    }

    /**
     * Takes an order back, and releases what was made for nothing, if anything was; not what the link has beside it.
     *
     * @param prepared null when nothing was made.
     */
    void drop(final Order order, final InboundEpoch prepared) {
        replaced.expect(-order.ringLength());
        release(prepared);
    }

    private void release(final InboundEpoch unused) {
        if (unused == null) {
            return;
        }
        tasks.release(() -> context.epochs().destroy(unused.queuePair(), domain));
        tasks.release(unused.staging());
        if (current == null || unused.ring() != current.ring()) {
            tasks.release(unused.ring());
        }
    }

    /** Hands an epoch to the polling thread: the first one, or the next one of a quiescent link. */
    void start(final InboundEpoch prepared) {
        final InboundEpoch previous = current;
        if (previous != null) {
            if (previous.ring() != prepared.ring()) {
                // from now on the link's current ring is the new one, but consumers still read this one
                replaced.leave(previous.ring());
            }
            commands.resume(inbound, prepared, (ring, consumedPosition) ->
                tasks.execute(() -> replaced.add(ring, consumedPosition)));
        } else {
            commands.attach(inbound, prepared);
        }
        current = prepared;
    }

    /**
     * Ends the current epoch, which has broken: its queue pair is destroyed first, then the polling thread takes what
     * has arrived before. Up to then that thread may put feedback into the epoch's staging.
     *
     * @param quiescent told on the polling thread of the received position.
     * @param failed    told on the conductor when the queue pair cannot be destroyed: it is never quiescent then, and
     *                  its staging is released with the link.
     */
    void end(final LongConsumer quiescent, final Runnable failed) {
        final InboundEpoch broken = current;
        ends.fail(broken.queuePair());
        tasks.setUp(() -> {
            context.epochs().destroy(broken.queuePair(), domain);
            commands.quiesce(inbound, received -> {
                tasks.execute(() -> tasks.release(broken.staging()));
                quiescent.accept(received);
            });
        }, error -> {
            services.failures().report(ErrorKind.LINK_FAILED, "broken link of streamId="
                + context.options().streamId() + " channel=" + context.options().channel(), error);
            failed.run();
        });
    }

    /** Fails the queue pair at once, if there is one: nothing more arrives, and its memory stays. */
    void fail() {
        if (current != null && !ends.fail(current.queuePair())) {
            leaveRing();
        }
    }

    /**
     * Takes the link from the polling thread, which has it since the first epoch was started. Any thread.
     *
     * @param detached run on the conductor when that thread does not know the link any more.
     */
    void detach(final Runnable detached) {
        commands.detach(inbound, () -> tasks.execute(detached));
    }

    /**
     * Destroys the queue pair, if there is one, and leaves the ring: the device writes there no more, but a handler
     * that does not return may be reading it.
     */
    void leaveRing() {
        final InboundEpoch left = current;
        if (left != null) {
            tasks.release(() -> context.epochs().destroy(left.queuePair(), domain));
        }
    }

    /** Releases everything: neither the polling thread nor a consumer refers to the link any more. */
    void releaseAll() {
        release(current);
        replaced.releaseAll(current == null ? null : current.ring());
        tasks.release(domain);
    }

    /** {@return whether the polling thread has the link} */
    boolean isStarted() {
        return current != null;
    }

    /** {@return the epoch that was started last; null before the first} */
    InboundEpoch current() {
        return current;
    }

    /** {@return the rings of earlier epochs that may still be read} */
    ReplacedRings replaced() {
        return replaced;
    }

    /** {@return all rings that a consumer may be reading} Once an epoch was started. */
    List<MemoryRegion> rings() {
        return replaced.with(current.ring());
    }
}
