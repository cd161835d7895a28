package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.receive.DirectPoll;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePoll;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.MessageTimes;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.CompletionQueue;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * The conductor's side of a subscription: its completion queues, its links and its end. Created on the application's
 * thread; afterwards the conductor's, but for what {@link SubscriptionEnd} lets any thread do, and the accessors.
 */
public final class SubscriptionState extends SubscriptionEnd implements SubscriptionConsumers.Closing {
    /** Keeps the subscription, and is told of its end. Conductor only. */
    interface Keeper {
        /** Notes that the subscription takes no more links: peers are to hear of it. */
        void onClosing();

        /** Notes that everything of the subscription is released. */
        void onGone();

        /** Notes that the handler has not returned: what that reads is released when it does. */
        void onAbandoned();
    }

    /**
     * The phase of a subscription; the conductor moves it on.
     * <pre>
     *   OPEN ──→ CLOSING ──all have left──→ CALLING_BACK ──→ RELEASED
     *               └──not in time──→ ABANDONED ──all have left──↗
     * </pre>
     * <table>
     *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
     *   <tr><td>OPEN</td><td>the application or the transport closes it, and the conductor takes that up</td>
     *     <td>CLOSING</td><td>any</td></tr>
     *   <tr><td>CLOSING</td><td>each consumer and the poller have been outside since; or the time for it is over: the
     *     linger timeout, or the evict timeout once {@code poll} was evicted</td><td>CALLING_BACK, ABANDONED</td>
     *     <td>polling, consumers'</td></tr>
     *   <tr><td>ABANDONED</td><td>the handler has returned after all, looked at in each duty cycle</td>
     *     <td>CALLING_BACK</td><td>polling, consumers'</td></tr>
     *   <tr><td>CALLING_BACK</td><td>image handlers have run, and no set-up makes anything</td><td>RELEASED</td>
     *     <td>callback, set-up</td></tr>
     *   <tr><td>RELEASED</td><td>nothing any more; the queues go behind the queue pairs that use them</td><td>–</td>
     *     <td>set-up</td></tr>
     * </table>
     * To whoever waits for the end, {@link #isReleased()} is true from ABANDONED on: a handler that never returns must
     * not keep its transport from closing.
     */
    private enum Phase {
        /** Links are made, and messages handed out. Left when it is closed, by anybody. */
        OPEN,
        /** The consumers and the poller are told to leave, and awaited. */
        CLOSING,
        /** One of them has not left in time: its transport goes on without it, and what it reads stays. */
        ABANDONED,
        /** All have left, perhaps after that: links are closed, and image handlers run on the callback thread. */
        CALLING_BACK,
        /** The memory is given back; after set-ups that were under way. */
        RELEASED
    }

    private final Medium medium;
    private final Services services;
    /** Number by which peers ask for links; unique in the transport, and never used again. */
    private final long subscriptionId;
    private final SubscriptionQueues queues;
    private final Receiver receiver;
    private final RingFeed feed;
    private final SubscriptionLinks links;
    private final SubscriptionPressure pressure;
    private final SubscriptionConsumers consumers;
    private Keeper keeper;
    /** Phase of the close, for the conductor only: other threads see {@link #closed} and {@link #released}. */
    private Phase phase = Phase.OPEN;
    /** The time of the conductor's clock up to which a handler is waited for; set when the subscription is closed. */
    private long deadlineNs;
    /** Whether the subscription is closed, set by whoever closes; the conductor begins the end a little later. */
    private volatile boolean closed;
    /**
     * Whether the subscription is released, set by the conductor: the transport need not wait for this subscription any
     * more.
     */
    private volatile boolean released;

    /**
     * Allocate a subscription's completion queues.
     *
     * @param owner   that will own it.
     * @param medium  that its publications are met over.
     * @param options of the subscription.
     * @param poller  that feeds its ring in DEDICATED mode, or null in INVOKER mode.
     */
    public SubscriptionState(
        final SubscriptionOwner owner, final Medium medium, final SubscriptionOptions options, final Poller poller) {
        super(options, medium.parameters().environment());
        this.medium = medium;
        services = medium.services();
        subscriptionId = owner.nextId();
        final TransportParameters parameters = medium.parameters();
        queues = new SubscriptionQueues(parameters, options, poller);
        try {
            receiver = new Receiver(queues.receives().queue(), queues.feedbacks().queue(),
                new ReceiverHandOver(services.tasks(), () -> receiver().completions(), this::onOverrun),
                parameters.counters(), parameters.environment()::nanoTime);
            queues.whenReplaced(services.tasks(), receiver.commands());
            feed = new RingFeed(poller, receiver, options.events().ringLength(), times());
            final LinkSetups setups = new LinkSetups();
            final SubscriptionContext context = new SubscriptionContext(medium, options, owner, receiver.commands(),
                new InboundEpochs(parameters, options, queues, setups), new AbandonedRings(services.tasks()));
            links = new SubscriptionLinks(context, setups);
            pressure = new SubscriptionPressure(services, options, receiver, feed.ring(), links);
            consumers = new SubscriptionConsumers(context, pollGuard(), feed.ring(), links, pressure, this);
            medium.acquire(options.party());
        } catch (final Throwable ex) {
            CloseHelper.quietClose(queues);
            throw ex;
        }
    }

    @Override
    public void images(final SubscriptionImages images) {
        links.images(images);
    }

    /** Sets the keeper, before the subscription is looked at. Conductor. */
    void keptBy(final Keeper newKeeper) {
        keeper = newKeeper;
    }

    /** Hands the ring to the poller, if there is one. Conductor. */
    public void startPolling() {
        feed.start();
    }

    /**
     * Moves links and the phase on, and looks at the pressure and at slow consumers, each duty cycle up to ABANDONED or
     * RELEASED.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    int doWork(final long nowNs) {
        int work = 0;
        final List<SubscriptionLink> all = links.all();
        // a link that ends leaves the list meanwhile, or takes others along
        for (int i = all.size() - 1; i >= 0; i = Math.min(i, all.size()) - 1) {
            work += all.get(i).doWork(nowNs);
        }
        pressure.look();
        work += consumers.doWork(phase == Phase.OPEN && !closed, nowNs);
        if (phase == Phase.CLOSING) {
            if (haveAllLeft()) {
                closeLinks();
                work++;
            } else if (nowNs - deadlineNs > 0) {
                abandon();
                work++;
            }
        }
        return work;
    }

    /** Whether each consumer and the poller have been outside since the close began. */
    private boolean haveAllLeft() {
        return consumers.haveLeft() && feed.hasLeft();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            services.tasks().execute(this::beginClose);
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /**
     * Starts the end, on the conductor. The order matters: first the poller and the consumers cannot find anything new,
     * then all threads pass a fence, and only then is it remembered where each of them is.
     */
    private void beginClose() {
        if (phase == Phase.OPEN) {
            phase = Phase.CLOSING;
            pressure.end();
            deadlineNs = services.nowNs() + consumers.closeTimeoutNs();
            feed.stop();
            services.parameters().environment().fenceAllThreads();
            consumers.beginClose();
            feed.remember();
        }
    }

    /**
     * Closes the links. The consumers and the poller are outside for good, so that the conductor may touch what was
     * theirs, and the publications may write over the messages that they were handling: those are told now, and not
     * before.
     */
    private void closeLinks() {
        if (phase == Phase.CLOSING) {
            keeper.onClosing();
        }
        phase = Phase.CALLING_BACK;
        receiver.drainCommands();
        for (final SubscriptionLink link : new ArrayList<>(links.all())) {
            link.end().closeAndTell();
        }
        services.tasks().callBack(() -> services.tasks().execute(this::release));
    }

    /**
     * Releases the queues, or leaves that to the last set-up that is under way, which may have a queue pair on them.
     */
    private void release() {
        if (links.setups().isRunning()) {
            links.setups().whenNone(() -> services.tasks().execute(this::release));
            return;
        }
        phase = Phase.RELEASED;
        services.tasks().release(queues);
        keeper.onGone();
        released = true;
    }

    /** Gives up a handler that does not come back: what it may be reading is not released before it does. */
    private void abandon() {
        phase = Phase.ABANDONED;
        keeper.onClosing();
        for (final SubscriptionLink link : links.all()) {
            link.end().abandon();
        }
        services.failures().reportAbandoned("subscription of streamId=" + streamId() + ": its handler did not return");
        keeper.onAbandoned();
        released = true;
    }

    /**
     * {@return whether the handler has come back after all, and what it was reading is being released} Asked in each
     * duty cycle of an abandoned subscription, until it is true.
     */
    boolean hasComeBack() {
        final boolean hasComeBack = haveAllLeft();
        if (hasComeBack) {
            closeLinks();
        }
        return hasComeBack;
    }

    /** {@return the links, with their numbers and rings} */
    public SubscriptionLinks links() {
        return links;
    }

    /** {@return whether nobody has closed it, as far as the conductor has heard} */
    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    @Override
    public boolean isReleased() {
        return released;
    }

    /**
     * Notes that a completion queue has overrun: if it is one of these, the links on it go on with another one.
     *
     * @param overrun the completion queue that is dead.
     */
    public void onOverrun(final CompletionQueue overrun) {
        if (!medium.isAway() && queues.onOverrun(overrun)) {
            final String owner = "subscription of streamId=" + streamId() + " channel=" + channel();
            services.failures().reportOverrun(owner, owner, overrun);
            pressure.onOverrun();
            new ArrayList<>(links.all()).forEach(SubscriptionLink::onOverrun);
        }
    }

    /** {@return the medium that its publications are met over} */
    public Medium medium() {
        return medium;
    }

    /** {@return the id that peers are told} */
    public long subscriptionId() {
        return subscriptionId;
    }

    /**
     * The draining half of the subscription.
     *
     * @return the receiver, for the polling thread.
     */
    public Receiver receiver() {
        return receiver;
    }

    @Override
    public ImagePoll newPoll(final ErrorHandler errorHandler) {
        return new DirectPoll(receiver, eventRing() == null ? times() : MessageTimes.none(), errorHandler);
    }

    @Override
    public EventRing eventRing() {
        return feed.ring();
    }

    @Override
    public SubscriptionConsumers consumers() {
        return consumers;
    }

    @Override
    public void polledBy(final Thread thread) {
        consumers.polledBy(thread);
    }

    @Override
    public void endOverwritten(final InboundLink link) {
        receiver.commands().fail(link, BreakReason.BAD_FRAME);
    }

    @Override
    public SubscriptionPressure pressure() {
        return pressure;
    }
}
