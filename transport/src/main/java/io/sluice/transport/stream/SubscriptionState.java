package io.sluice.transport.stream;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.CompletionQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.CloseHelper;

/**
 * The conductor's side of a subscription: its completion queues, its links and its end. Created on the application's
 * thread; afterwards the conductor's, but for {@link #close()} and the accessors.
 */
public final class SubscriptionState implements SubscriptionConsumers.Subject {
    /** The most links of one subscription: a bound on what peers can make us allocate; twice what one host may have. */
    static final int MAX_LINKS = 4096;

    /** Keeps the subscription, and is told of its end. Conductor only. */
    interface Keeper {
        /** Called when the subscription takes no more links: peers are to hear of it. */
        void onClosing();

        /** Called when everything of the subscription is released. */
        void onGone();

        /** Called when the handler has not returned: what that reads is released when it does. */
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
    private final SubscriptionOwner owner;
    private Keeper keeper;
    private final Services services;
    private final Tasks tasks;
    private final Failures failures;
    private final SubscriptionOptions options;
    private final Medium.Party party;
    /** Number by which peers ask for links; unique in the transport, and never used again. */
    private final long subscriptionId;
    private final SubscriptionQueues queues;
    private final Receiver receiver;
    /**
     * The poller that feeds the ring; null in INVOKER mode, where the application's own thread polls and there is no
     * ring.
     */
    private final Poller poller;
    private final EventRing eventRing;
    private final SubscriptionPressure pressure;
    private final SubscriptionConsumers consumers;
    private final List<SubscriptionLink> links = new ArrayList<>();
    private SubscriptionImages images;
    /** Phase of the close, for the conductor only: other threads see {@link #closed} and {@link #released}. */
    private Phase phase = Phase.OPEN;
    /**
     * Epochs that the set-up thread is making, or has yet to make: what they make completes at the queues, which must
     * not go before they are heard of.
     */
    private int setupsRunning;
    /** Whether all but a set-up has ended: the last one that is heard of releases. */
    private boolean releaseDue;
    private int nextIndex;
    /** Given to each epoch of each link, so that completions of an epoch that is over are known for stale (005). */
    private int nextGeneration = 1;
    /** The moment since which the poller has to have been outside; taken behind the fence of the close. */
    private long pollerSnapshot;
    /** The time of the conductor's clock up to which a handler is waited for; set when the subscription is closed. */
    private long deadlineNs;
    private volatile int linkCount;
    /** Broken links that have no queue pair; written by the conductor, read by the set-up thread. */
    private volatile int toResume;
    /** Set by whoever closes; the conductor begins the end a little later. */
    private volatile boolean closed;
    /** Set by the conductor: the transport need not wait for this subscription any more. */
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
        this.medium = medium;
        this.poller = poller;
        this.options = options;
        this.owner = owner;
        services = medium.services();
        tasks = services.tasks();
        failures = services.failures();
        party = options.party();
        subscriptionId = owner.nextId();
        final TransportParameters parameters = medium.parameters();
        queues = new SubscriptionQueues(parameters, options, poller);
        final Environment environment = parameters.environment();
        receiver = new Receiver(queues.receives().queue(), queues.feedbacks().queue(),
            new ReceiverHandOver(tasks, () -> receiver().completions(), this::onOverrun),
            parameters.counters(), environment::nanoTime);
        queues.whenReplaced(tasks, receiver.commands());
        eventRing = poller == null ? null : new EventRing(receiver, options.events().ringLength(),
            options.events().receiveTimestamps() ? environment::epochNs : () -> EventSlot.NO_TIMESTAMP);
        pressure = new SubscriptionPressure(services, options, receiver, eventRing, links);
        consumers = new SubscriptionConsumers(this, services, options);
        try {
            medium.acquire(party);
        } catch (final RuntimeException ex) {
            CloseHelper.quietClose(queues);
            throw ex;
        }
    }

    /**
     * Sets the listener that is told of images. Before the state is handed to the conductor.
     *
     * @param newImages told on the callback thread.
     */
    public void images(final SubscriptionImages newImages) {
        images = newImages;
    }

    /** Sets the keeper, before the subscription is looked at. Conductor. */
    void keptBy(final Keeper newKeeper) {
        keeper = newKeeper;
    }

    /** Hands the ring to the poller, if there is one. Conductor. */
    public void startPolling() {
        if (poller != null) {
            poller.add(eventRing);
        }
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
        for (int i = links.size() - 1; i >= 0; i--) {
            work += links.get(i).doWork(nowNs);
        }
        pressure.look();
        work += consumers.doWork(nowNs);
        if (phase == Phase.CLOSING) {
            if (consumers.haveLeft() && hasPollerLeft()) {
                closeLinks();
                work++;
            } else if (nowNs - deadlineNs > 0) {
                abandon();
                work++;
            }
        }
        return work;
    }

    private boolean hasPollerLeft() {
        return poller == null || poller.guard().hasLeftSince(pollerSnapshot);
    }

    /** Stop handing out messages. Any thread; idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            tasks.execute(this::beginClose);
        }
    }

    /**
     * Whether the subscription was closed, by itself or with its transport: nothing of it may be touched any more. Any
     * thread.
     *
     * @return true after {@link #close()}.
     */
    @Override
    public boolean isClosed() {
        return closed;
    }

    /**
     * Begins the end, on the conductor. The order matters: first the poller and the consumers cannot find anything new,
     * then all threads pass a fence, and only then is it remembered where each of them is.
     */
    private void beginClose() {
        if (phase == Phase.OPEN) {
            phase = Phase.CLOSING;
            pressure.end();
            deadlineNs = services.nowNs() + consumers.closeTimeoutNs();
            if (poller != null) {
                poller.remove(eventRing);
            }
            services.parameters().environment().fenceAllThreads();
            consumers.beginClose();
            pollerSnapshot = poller == null ? 0 : poller.guard().snapshot();
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
        for (final SubscriptionLink link : new ArrayList<>(links)) {
            link.closeAndTell();
        }
        tasks.callBack(() -> tasks.execute(this::release));
    }

    /**
     * Releases the queues, or leaves that to the last set-up that is under way, which may have a queue pair on them.
     */
    private void release() {
        if (setupsRunning > 0) {
            releaseDue = true;
            return;
        }
        phase = Phase.RELEASED;
        tasks.release(queues);
        keeper.onGone();
        released = true;
    }

    /** Gives up a handler that does not come back: what it may be reading is not released before it does. */
    private void abandon() {
        phase = Phase.ABANDONED;
        keeper.onClosing();
        for (final SubscriptionLink link : links) {
            link.abandon();
        }
        failures.reportAbandoned("subscription of streamId=" + streamId() + ": its handler did not return");
        keeper.onAbandoned();
        released = true;
    }

    /**
     * {@return whether the handler has come back after all, and what it was reading is being released} Asked in each
     * duty cycle of an abandoned subscription, until it is true.
     */
    boolean hasComeBack() {
        final boolean hasComeBack = consumers.haveLeft() && hasPollerLeft();
        if (hasComeBack) {
            closeLinks();
        }
        return hasComeBack;
    }

    /** Notes that the set-up thread works for a link: what it makes needs the completion queues. */
    void onSetupBegun() {
        setupsRunning++;
        toResume = (int) links.stream().filter(link -> link.isResuming() && link.state().lacksQueuePair()).count();
    }

    /**
     * The number of links that are to have a queue pair again and may have none, as of the last set-up that was begun:
     * a new one must not take their room. Any thread.
     */
    int toResumeBeside(final SetupRequest request) {
        return request.resume() ? 0 : toResume;
    }

    /** Notes that the conductor has heard of a set-up, whether it has made anything or not. */
    void onSetupEnded() {
        setupsRunning--;
        if (releaseDue && setupsRunning == 0) {
            releaseDue = false;
            tasks.execute(this::release);
        }
    }

    void add(final SubscriptionLink link) {
        links.add(link);
        linkCount = links.size();
        owner.onLinkAdded(link.id().origin());
    }

    void remove(final SubscriptionLink link) {
        if (links.remove(link)) {
            linkCount = links.size();
            owner.onLinkGone(link.id().origin());
        }
    }

    /** {@return all links, a list that changes; not to be changed by the caller. Conductor} */
    @Override
    public List<SubscriptionLink> links() {
        return links;
    }

    /** {@return how many links there are} Any thread. */
    public int linkCount() {
        return linkCount;
    }

    /** Bytes of the rings that links of this subscription receive into. */
    long currentRingBytes() {
        return ringBytes(peer -> true) - replacedRingBytes();
    }

    /** Bytes of the rings of earlier epochs, and of those that replace others now. */
    long replacedRingBytes() {
        return links.stream().filter(link -> !link.id().logShared())
            .mapToLong(link -> link.replacedRings().bytes()).sum();
    }

    /** Bytes of rings of both kinds that peers have made this subscription allocate. */
    long ringBytes(final Predicate<PeerOrigin> peers) {
        return links.stream().filter(link -> !link.id().logShared() && peers.test(link.id().origin()))
            .mapToLong(link -> link.id().windowLength() + link.replacedRings().bytes()).sum();
    }

    /**
     * A slot in the receiver's table that no other link of this subscription uses. There is one, as links are bounded;
     * the one used last comes up again last, so that late completions meet no other link.
     */
    int allocateIndex() {
        boolean used = true;
        while (used) {
            nextIndex = nextIndex + 1 < MAX_LINKS ? nextIndex + 1 : 0;
            used = false;
            for (final SubscriptionLink link : links) {
                used |= link.id().index() == nextIndex;
            }
        }
        return nextIndex;
    }

    int allocateGeneration() {
        return nextGeneration++;
    }

    SubscriptionImages images() {
        return images;
    }

    @Override
    public boolean isOpen() {
        return phase == Phase.OPEN;
    }

    /**
     * Whether everything was released or abandoned. Any thread.
     *
     * @return true at the very end.
     */
    public boolean isReleased() {
        return released;
    }

    SubscriptionQueues queues() {
        return queues;
    }

    /**
     * A completion queue has overrun: if it is one of these, the links on it go on with another one.
     *
     * @param overrun the completion queue that is dead.
     */
    public void onOverrun(final CompletionQueue overrun) {
        if (!medium.isAway() && queues.onOverrun(overrun)) {
            final String owner = "subscription of streamId=" + streamId() + " channel=" + channel();
            failures.reportOverrun(owner, owner, overrun);
            pressure.onOverrun();
            new ArrayList<>(links).forEach(SubscriptionLink::onOverrun);
        }
    }

    /** {@return the medium that its publications are met over} */
    public Medium medium() {
        return medium;
    }

    /** {@return the party that the medium knows it as} */
    public Medium.Party party() {
        return party;
    }

    SubscriptionOptions options() {
        return options;
    }

    /** {@return the id that peers are told} */
    public long subscriptionId() {
        return subscriptionId;
    }

    SubscriptionOwner owner() {
        return owner;
    }

    /** The services of the transport. Any thread. */
    Services services() {
        return services;
    }

    /**
     * The draining half of the subscription.
     *
     * @return the receiver, for the polling thread.
     */
    public Receiver receiver() {
        return receiver;
    }

    /**
     * The ring between the poller and {@code poll}.
     *
     * @return the ring, or null in INVOKER mode.
     */
    @Override
    public EventRing eventRing() {
        return eventRing;
    }

    /**
     * The guard that keeps memory alive while the polling thread is inside.
     *
     * @return the guard, for the polling thread.
     */
    public EntryGuard guard() {
        return consumers.pollGuard();
    }

    /**
     * The consumers that take the messages.
     *
     * @return the consumers, to be added to before the state is handed to the conductor.
     */
    public SubscriptionConsumers consumers() {
        return consumers;
    }

    /**
     * The channel's text.
     *
     * @return as added.
     */
    public String channel() {
        return options.channel();
    }

    /**
     * The number under which the subscription meets publications of its channel.
     *
     * @return the stream id.
     */
    public int streamId() {
        return options.streamId();
    }

    /** {@return the pressure that the subscription is under} Any thread may use its accessors and its listener. */
    @Override
    public SubscriptionPressure pressure() {
        return pressure;
    }
}
