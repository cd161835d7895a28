package io.sluice.transport.stream;

import io.sluice.transport.agent.Tasks;
import io.sluice.transport.send.OutboundLink;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.SourceAddress;

/**
 * The epochs of a publication's link, one after the other, and the protection domain of all of them. The link owns it;
 * what it holds is released on the set-up thread. Conductor only, but for {@link #make}.
 * <pre>
 *   none ──make, start──→ current ──drop──→ none ──→ … of the next epoch
 *     └──make, release──→ none, when it is not wanted any more
 * </pre>
 */
final class PublicationEpochs {
    private final OutboundEpochs maker;
    private final Tasks tasks;
    private final QueuePairEnds ends;
    /** The protection domain of all epochs: the peer's keys are good here and nowhere else (030). */
    private final LinkDomain domain;
    /**
     * The parts of the current epoch, from SETUP_SENT until it breaks; null otherwise. Destruction of the queue pair
     * belongs to the set-up thread, which the link only asks for it. Each epoch has another feedback cell with another
     * key, so that a late device can write nowhere (005); the log's region is the same in all, and the domain's.
     */
    private PublicationEpoch current;

    /**
     * Creates the epochs of a link that has none yet.
     *
     * @param maker  of the publication's epochs.
     * @param tasks  of the conductor.
     * @param ends   of queue pairs.
     * @param domain of the link, and of no other one.
     */
    PublicationEpochs(
        final OutboundEpochs maker, final Tasks tasks, final QueuePairEnds ends, final LinkDomain domain) {
        this.maker = maker;
        this.tasks = tasks;
        this.ends = ends;
        this.domain = domain;
    }

    /** Makes the parts of an epoch. Set-up thread, as each step may block. */
    PublicationEpoch make(final boolean isResuming, final SourceAddress source) {
        return maker.make(domain, isResuming, source);
    }

    /** Starts an epoch whose parts are made, in place of one that was dropped. */
    void start(final PublicationEpoch prepared) {
        current = prepared;
    }

    /** Releases what was made for nothing. */
    void release(final PublicationEpoch unused) {
        destroyLater(unused);
        tasks.release(unused.feedbackRegion());
    }

    private void destroyLater(final PublicationEpoch over) {
        tasks.release(() -> maker.destroy(over.queuePair(), domain));
    }

    /**
     * Releases what is the current epoch's only, if there is one; the feedback cell of a gating link stays until it is
     * replaced.
     *
     * @param outbound of the last epoch that was connected, or null: its cell is read on.
     */
    void drop(final OutboundLink outbound) {
        if (current == null) {
            return;
        }
        ends.fail(current.queuePair());
        destroyLater(current);
        final MemoryRegion cell = current.feedbackRegion();
        if (outbound == null || outbound.parameters().feedbackRegion() != cell) {
            tasks.release(cell);
        }
        current = null;
    }

    /** Frees the domain, behind the queue pairs that were dropped before. */
    void releaseDomain() {
        tasks.release(domain);
    }

    /** {@return the parts of the current epoch; null while there is none} */
    PublicationEpoch current() {
        return current;
    }
}
