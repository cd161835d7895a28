package io.sluice.transport.pressure;

import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.TransportCounter;

/**
 * The pressure on one publication or subscription: looked for now and then, told to who listens. The conductor's, but
 * for the accessors and {@link #listener}.
 */
public abstract class PressureSignal {
    /**
     * The least time between two looks: there is one each time that the conductor comes by, which is every millisecond
     * while it has work.
     */
    private static final long LOOK_INTERVAL_NS = 500_000L;
    /**
     * Eighths of what may be used: with this many in use the stream is under pressure, with {@link #CLEAR_EIGHTHS} or
     * fewer it is not.
     */
    private static final int PRESSURED_EIGHTHS = 6;
    private static final int CLEAR_EIGHTHS = 4;
    private static final int EIGHTHS = 8;

    private final Services services;
    private final Tasks tasks;
    private final PressuredStream stream;
    private final PressureGauge gauge;
    private final LaggardWatch laggards = new LaggardWatch();
    private volatile BackPressureListener listener = change -> { };
    private volatile boolean isBeingTold;
    private PressureState toldState = PressureState.CLEAR;
    private int toldSessionId;
    private boolean hasEnded;
    private long lastLookNs;

    /**
     * Creates a signal that is clear.
     *
     * @param services of the transport.
     * @param stream   that changes name, without the session of a subscription, which differs.
     */
    public PressureSignal(final Services services, final PressuredStream stream) {
        this.services = services;
        tasks = services.tasks();
        this.stream = stream;
        final long nanoTime = services.parameters().environment().nanoTime();
        gauge = new PressureGauge(nanoTime);
        lastLookNs = nanoTime - LOOK_INTERVAL_NS;
    }

    /** Look, unless that was done just now; tell what has changed. */
    public final void look() {
        final long nanoTime = services.parameters().environment().nanoTime();
        if (nanoTime - lastLookNs >= LOOK_INTERVAL_NS) {
            lastLookNs = nanoTime;
            tell(!hasEnded && sample(gauge, nanoTime));
            onLooked(gauge, nanoTime);
        }
    }

    /** Ends the signal at the close: nobody is held up any more. */
    public void end() {
        hasEnded = true;
        tell(gauge.end(services.parameters().environment().nanoTime()));
    }

    /**
     * Tells one change at a time: while a listener is at it, others are counted, and the last one is told then. An
     * overrun of a completion queue, which breaks links, and of which the last change says nothing, is told before
     * that.
     */
    private void tell(final boolean hasChanged) {
        if (hasChanged) {
            services.counters().increment(TransportCounter.BACK_PRESSURE_CHANGES);
            services.flight().pressureChanged(this::change);
        }
        final long nanoTime = services.parameters().environment().nanoTime();
        final boolean isOverrun = gauge.isOverrunUntold();
        final PressureState state = isOverrun ? PressureState.BLOCKED : gauge.state();
        final boolean isOver = state == PressureState.CLEAR;
        // what is over is the pressure of who was told last; somebody else may be the slowest by now
        final String consumer = isOver ? laggards.toldConsumer() : consumer();
        final String peer = isOver ? laggards.toldPeer() : peer();
        final int session = isOver ? toldSessionId : sessionId();
        final boolean isOther = !isOver && laggards.isNews(consumer, peer, nanoTime) && bytesBehind(peer) > 0;
        final boolean isNews = isOverrun || state != toldState;
        final BackPressureCause cause = isOverrun ? BackPressureCause.CQ_OVERRUN : gauge.lastCause();
        final PressureState before = isOverrun ? gauge.beforeOverrun() : isNews ? gauge.previous() : state;
        final long beforeNs = isOverrun ? gauge.beforeOverrunNs()
            : isNews ? gauge.durationNs() : gauge.lastedNs(nanoTime);
        final BackPressure news = !isNews && !isOther || isBeingTold ? null : new BackPressure(
            state, before, cause, new PressuredStream(stream.side(), stream.channel(), stream.streamId(), session),
            laggard(consumer, peer), bytesBehind(peer), beforeNs);
        if (news != null && offer(news)) {
            if (!isNews) {
                // somebody else holds it up now
                services.flight().pressureChanged(() -> news);
            }
            toldState = state;
            toldSessionId = session;
            if (isOverrun) {
                // not later: another one may happen while the listener is at this one, and is news of its own
                gauge.overrunTold();
            }
            laggards.told(consumer, peer, nanoTime);
        } else if (hasChanged) {
            services.counters().increment(TransportCounter.BACK_PRESSURE_UNREPORTED);
        }
    }

    /** {@return the last change of the state, whether the listeners hear of it or of what follows only} */
    private BackPressure change() {
        final boolean isOver = gauge.state() == PressureState.CLEAR;
        final String peer = isOver ? laggards.toldPeer() : peer();
        return new BackPressure(gauge.state(), gauge.previous(), gauge.lastCause(),
            new PressuredStream(
                stream.side(), stream.channel(), stream.streamId(), isOver ? toldSessionId : sessionId()),
            laggard(isOver ? laggards.toldConsumer() : consumer(), peer), bytesBehind(peer), gauge.durationNs());
    }

    private static String laggard(final String consumer, final String peer) {
        return consumer.isEmpty() || peer.isEmpty() ? consumer + peer : consumer + " of " + peer;
    }

    private boolean offer(final BackPressure change) {
        isBeingTold = true;
        final boolean isOffered = services.listeners().tell(listener, change, () -> {
            isBeingTold = false;
            // what has changed meanwhile; nobody looks any more at a publication that has gone
            tasks.execute(() -> tell(false));
        });
        if (!isOffered) {
            isBeingTold = false;
        }
        return isOffered;
    }

    /**
     * Notes that the state is up to date.
     *
     * @param looked   the gauge, as it is now.
     * @param nanoTime of the environment.
     */
    protected void onLooked(final PressureGauge looked, final long nanoTime) {
    }

    /**
     * {@return whether the state has changed}
     *
     * @param sampled  the gauge, to be raised or settled.
     * @param nanoTime of the environment.
     */
    protected abstract boolean sample(PressureGauge sampled, long nanoTime);

    /**
     * {@return whether the state has changed by how much of what may be used is in use}
     *
     * @param gauge    to raise or settle.
     * @param cause    of pressure.
     * @param used     bytes or events.
     * @param usable   bytes or events that there are.
     * @param nanoTime of the environment.
     */
    protected static boolean fill(
        final PressureGauge gauge, final BackPressureCause cause, final long used, final long usable,
        final long nanoTime) {
        if (used * EIGHTHS >= usable * PRESSURED_EIGHTHS) {
            return gauge.raise(PressureState.PRESSURED, cause, nanoTime);
        }
        if (used * EIGHTHS <= usable * CLEAR_EIGHTHS) {
            return gauge.settle(nanoTime);
        }
        gauge.hold();
        return false;
    }

    /**
     * The session that the laggard is behind in.
     *
     * @return the session, or 0.
     */
    protected abstract int sessionId();

    /**
     * The consumer that is waited for, by its name for people; empty when it is not known, or nobody is.
     *
     * @return its name, or null.
     */
    protected abstract String consumer();

    /**
     * The peer whose consumer is waited for, for people; empty when it is here.
     *
     * @return the peer, or null.
     */
    protected abstract String peer();

    /**
     * The number of bytes that a peer's consumer, or the one that is waited for here, is behind.
     *
     * @param laggingPeer whose consumer lags.
     * @return bytes.
     */
    protected abstract long bytesBehind(String laggingPeer);

    /**
     * Sets the listener that is told of changes from now on. Any thread.
     *
     * @param newListener called on the listeners' agent.
     */
    public final void listener(final BackPressureListener newListener) {
        listener = newListener;
    }

    /** {@return the listener that is told of changes, called on the listeners' agent} */
    public final BackPressureListener listener() {
        return listener;
    }

    /** {@return the state, as last looked at} Any thread. */
    public final PressureState state() {
        return gauge.state();
    }

    /** {@return the cause of the pressure, NONE while there is none} Any thread. */
    public BackPressureCause cause() {
        return gauge.cause();
    }

    /** {@return the number of times that the state has changed} Any thread. */
    public final long changes() {
        return gauge.changes();
    }
}
