package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.ConcurrentPoster;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.SubscriberLag;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * The conductor's side of a publication: its memory, its links and its end. Created on the application's thread;
 * afterwards the conductor's, but for what {@link PublicationEnd} lets any thread do.
 */
public final class PublicationState extends PublicationEnd {
    /**
     * The phase of a publication; the conductor moves it on.
     * <pre>
     *   OPEN ──→ FLUSHING ──→ DRAINING ──→ RELEASING ──→ RELEASED
     *               └────linger over───────↗
     * </pre>
     * <table>
     *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
     *   <tr><td>OPEN</td><td>the application or the transport closes it, and the conductor takes that up</td>
     *     <td>FLUSHING</td><td>any</td></tr>
     *   <tr><td>FLUSHING</td><td>writing threads are outside, and working links have been handed all that is committed;
     *     or the linger is over</td><td>DRAINING, RELEASING</td><td>writing, conductor</td></tr>
     *   <tr><td>DRAINING</td><td>each link that was ever connected has everything or is gone; or the linger is
     *     over</td><td>RELEASING</td><td>conductor</td></tr>
     *   <tr><td>RELEASING</td><td>writing threads are outside since the links went, what these leave is on its way to
     *     be released, no set-up makes anything, and no claim is open</td><td>RELEASED</td><td>writing, set-up,
     *     conductor</td></tr>
     *   <tr><td>RELEASED</td><td>nothing any more; the memory goes behind the queue pairs that use it</td><td>–</td>
     *     <td>set-up</td></tr>
     * </table>
     * A claim that stays open keeps a publication in RELEASING for as long as the transport lives. When the transport
     * closes and its linger is over, the memory is left to the claim for ever, and told.
     */
    private enum Phase {
        /** Offers are taken. Left when it is closed, by anybody. */
        OPEN,
        /** The writing thread is outside for good; what it has committed is being posted. */
        FLUSHING,
        /** Subscribers are told of the end, and their word that they have everything is awaited. */
        DRAINING,
        /** Links are closed, after that or after the linger; their memory is awaited, and so is an open claim. */
        RELEASING,
        /** The memory is given back, or left to a claim that nobody ends. */
        RELEASED
    }

    private final PublicationContext context;
    private final Services services;
    /**
     * The queue where the sends of all links complete, with room for each of them. It is made with the publication, and
     * replaced on the set-up thread when it has overrun (007).
     */
    private final CompletionBudget sendCompletions;
    private final SendLog log;
    private final LogPoster poster;
    private final LinkSetups setups = new LinkSetups();
    private final PublicationLinks links;
    private final PublicationPressure pressure;
    private Runnable onGone = () -> { };
    /** Phase of the close, for the conductor only: other threads see {@link #drained} and {@link #released}. */
    private Phase phase = Phase.OPEN;
    /** Whether the transport gives up what is not delivered: an open claim is waited for no longer. */
    private boolean abandoning;
    /** The end of the linger, by the conductor's clock; set when the publication is closed. */
    private long deadlineNs;
    /**
     * Whether everything is delivered; set once, by the conductor, at the end of DRAINING; true is never taken back.
     */
    private volatile boolean drained;
    /**
     * Whether the publication is released; set once, by the conductor, when nothing refers to the publication any more.
     */
    private volatile boolean released;

    /**
     * Allocate a publication's memory.
     *
     * @param owner      that will own it.
     * @param medium     that its subscriptions are met over.
     * @param options    of the publication.
     * @param concurrent whether several threads write to it.
     */
    public PublicationState(
        final PublicationOwner owner, final Medium medium, final PublicationOptions options, final boolean concurrent) {
        super(options);
        services = medium.services();
        final Tasks tasks = services.tasks();
        final TransportParameters parameters = medium.parameters();
        final TransportId incarnation =
            new TransportId(parameters.environment().randomLong(), parameters.environment().randomLong());
        // no peer reads or writes it; each link sends from it by a key of its own domain
        final MemoryRegion region =
            parameters.domain().allocateRegion(options.log().windowLength(), AccessFlags.LOCAL_WRITE);
        try {
            // signalled writes outstanding at once, and one completion for every slot when a queue pair is flushed
            sendCompletions = new CompletionBudget(parameters.device(), 0, parameters.sendQueue().length() + 1);
        } catch (final Throwable ex) {
            CloseHelper.quietClose(region);
            throw ex;
        }
        try {
            final LogMemory memory = new LogMemory(medium, options.log(), region, incarnation);
            log = memory.log();
            poster = concurrent
                ? new ConcurrentPoster(log, sendCompletions.queue(), parameters.counters(), tasks::wake,
                    parameters.durations().unblockTimeoutNs())
                : new ExclusivePoster(log, sendCompletions.queue(), parameters.counters(), tasks::wake);
            poster.flowControl(options.flowControl());
            sendCompletions.whenReplaced(replacement -> {
                poster.completions().replaceQueue(replacement);
                tasks.setUpLater(sendCompletions::closeDead);
            });
            sendCompletions.drainedBy(this::drainSends, tasks::setUpLater);
            links = new PublicationLinks(services, log, poster, setups);
            pressure = new PublicationPressure(services, options, log, poster, links);
            context = new PublicationContext(medium, options, owner, memory, links, pressure, new OutboundEpochs(
                parameters, memory, sendCompletions, setups), () -> onOverrun(sendCompletions.queue()));
            medium.acquire(options.party());
        } catch (final Throwable ex) {
            CloseHelper.quietCloseAll(sendCompletions, region);
            throw ex;
        }
    }

    /**
     * Posts what waits, moves links and the phase on, and looks at the pressure, each duty cycle.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    int doWork(final long nowNs) {
        boolean waiting = false;
        int work = 0;
        if (phase != Phase.RELEASED) {
            waiting = poster.flush();
            work += poster.observe(pressure.state() != PressureState.CLEAR) ? 1 : 0;
            poster.unblock(nowNs);
        }
        // before links are closed because an offer was refused: they are who it was refused for
        pressure.look();
        work += links.doWork(nowNs);
        work += end(nowNs);
        context.owner().flushSoon(waiting);
        return work;
    }

    private int end(final long nowNs) {
        switch (phase) {
            case FLUSHING -> {
                if (poster.isSettled() && poster.isFlushed()) {
                    phase = Phase.DRAINING;
                    return 1;
                }
            }
            case DRAINING -> {
                if (links.delivery().deliverEnd()) {
                    drained = links.delivery().hasDelivered();
                    release();
                    return 1;
                }
            }
            case RELEASING -> {
                if (isUnused() && !poster.isMemoryHeld()) {
                    phase = Phase.RELEASED;
                    services.tasks().releaseAll(List.of(sendCompletions, context.memory().region()));
                    onGone.run();
                    released = true;
                    return 1;
                }
            }
            default -> {
                return 0;
            }
        }
        if (phase == Phase.RELEASING && abandoning && poster.isMemoryHeld()) {
            abandon();
            return 1;
        }
        return phase != Phase.RELEASING && nowNs - deadlineNs > 0 ? expireLinger() : 0;
    }

    private boolean isUnused() {
        return poster.isSettled() && links.isNothingRetired() && !setups.isRunning();
    }

    /** Gives the log up for an open claim: the application may write to it for ever, so that it is never released. */
    private void abandon() {
        phase = Phase.RELEASED;
        services.failures().reportAbandoned(
            "publication of streamId=" + streamId() + ": a claim was neither committed nor aborted");
        onGone.run();
        released = true;
    }

    /**
     * Gives up what is not delivered: links that have not received everything are counted, and {@link #isDrained()}
     * stays false.
     */
    private int expireLinger() {
        links.delivery().expire();
        release();
        return 1;
    }

    /**
     * Closes the links, broken ones too, and lets the writing threads respect it. The peers' images end where they were
     * received.
     */
    private void release() {
        phase = Phase.RELEASING;
        links.delivery().end();
        for (final PublicationLink link : new ArrayList<>(links.all())) {
            link.closeAndTell(CloseReason.CLOSED);
        }
        links.settle();
    }

    @Override
    public void close() {
        if (!poster.isClosed()) {
            poster.close();
            services.tasks().execute(this::beginClose);
        }
    }

    /**
     * Starts the end, on the conductor. Those that are owed something are counted as lost from here on if they go;
     * links that are broken may still resume, and no new ones are made.
     */
    private void beginClose() {
        if (phase == Phase.OPEN) {
            phase = Phase.FLUSHING;
            pressure.end();
            deadlineNs = services.nowNs() + options().lingerNs();
            links.delivery().begin();
            links.settle();
        }
    }

    /**
     * Give up what is not delivered yet: the transport closes and its linger is over. Conductor.
     */
    public void abandonDelivery() {
        abandoning = true;
        if (phase == Phase.FLUSHING || phase == Phase.DRAINING) {
            deadlineNs = services.nowNs() - 1;
        }
    }

    /**
     * Asks for a drain of the sends, and has the conductor ask for the token, since it may be that nobody posts any
     * more.
     */
    private void drainSends(final Runnable drained) {
        poster.drainSends(drained);
        services.tasks().execute(links::settle);
    }

    /**
     * Notes that a completion queue has overrun: if it is the one of these links, they go on with another one.
     *
     * @param overrun the completion queue that is dead.
     */
    public void onOverrun(final CompletionQueue overrun) {
        if (!medium().isAway() && sendCompletions.onOverrun(overrun)) {
            final String owner = "publication of streamId=" + streamId() + " channel=" + channel();
            services.failures().reportOverrun(owner, owner, overrun);
            pressure.onOverrun();
            for (final PublicationLink link : new ArrayList<>(links.all())) {
                link.onBroken(BreakReason.COMPLETION_QUEUE_OVERRUN, true);
            }
        }
    }

    @Override
    public boolean isClosed() {
        return poster.isClosed();
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    @Override
    public boolean isReleased() {
        return released;
    }

    @Override
    public MessageBounds bounds() {
        return new MessageBounds(log.maxMessageLength(), log.maxMessageLength(),
            medium().parameters().durations().unblockTimeoutNs());
    }

    @Override
    public Offers newOffers() {
        return poster.newOffers();
    }

    @Override
    public PublicationPressure pressure() {
        return pressure;
    }

    @Override
    public List<SubscriberLag> lags() {
        return pressure.lags();
    }

    /**
     * The links and what they need of the writing thread.
     *
     * @return the links.
     */
    public PublicationLinks links() {
        return links;
    }

    /**
     * {@return whether a subscription may be linked that is not yet} A closed publication has nothing to say to new
     * ones.
     */
    boolean acceptsLinks() {
        return phase == Phase.OPEN;
    }

    /** {@return the medium that its subscriptions are met over} */
    public Medium medium() {
        return context.medium();
    }

    /** {@return the publication, as its links know it} */
    PublicationContext context() {
        return context;
    }

    /** Sets the action that is run when the publication is gone. Conductor. */
    void whenGone(final Runnable action) {
        onGone = action;
    }

    /**
     * The send log.
     *
     * @return the log, whose memory lives until {@link #isReleased()}.
     */
    public SendLog log() {
        return log;
    }

    /**
     * The poster of the log.
     *
     * @return the poster.
     */
    public LogPoster poster() {
        return poster;
    }
}
