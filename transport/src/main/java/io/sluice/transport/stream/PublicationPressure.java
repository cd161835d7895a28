package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.pressure.DeferralWatch;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.SubscriberLag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The pressure on a publication: by how much of its window its subscribers have yet to consume, and whether an offer
 * was refused. The conductor's, but for {@link #lags()} and what {@link PressureSignal} lets any thread do.
 */
public final class PublicationPressure extends PressureSignal {
    /** Programs look at it now and then, as at the counters. */
    private static final long LAGS_INTERVAL_NS = 100_000_000L;

    private final PublicationOptions options;
    private final SendLog log;
    private final LogPoster poster;
    private final PublicationLinks links;
    private final SubscriberReports reports;
    private final DeferralWatch deferralWatch = new DeferralWatch();
    private volatile List<SubscriberLag> lags = List.of();
    private long lagsAtNs;
    private volatile long refused;
    private long sendQueueFull;
    private long receiverNotReady;
    private long nearlyFullDrains;
    private boolean hasOverrun;
    private boolean isDeferred;
    private BackPressureCause deferredBy = BackPressureCause.RECEIVER_NOT_READY;

    PublicationPressure(
        final Services services,
        final PublicationOptions options,
        final SendLog log,
        final LogPoster poster,
        final PublicationLinks links) {
        super(services, new PressuredStream(PressuredStream.Side.PUBLICATION, options.channel(), options.streamId(),
            options.session().sessionId()));
        this.options = options;
        this.log = log;
        this.poster = poster;
        this.links = links;
        reports = new SubscriberReports(services, options.streamId(), options.session().sessionId());
        lagsAtNs = services.parameters().environment().nanoTime() - LAGS_INTERVAL_NS;
    }

    /** Notes that a completion queue has overrun, here or at a peer. */
    void onOverrun() {
        hasOverrun = true;
    }

    @Override
    protected boolean sample(final PressureGauge gauge, final long nanoTime) {
        if (nanoTime - lagsAtNs >= LAGS_INTERVAL_NS) {
            lagsAtNs = nanoTime;
            lookAtLags();
        }
        final long count = poster.backPressuredCount();
        final boolean hasChanged = sample(gauge, count != refused, nanoTime);
        // not before: whoever asks for the cause meanwhile finds one or the other
        refused = count;
        return hasChanged;
    }

    private boolean sample(final PressureGauge gauge, final boolean wasRefused, final long nanoTime) {
        final long sendQueueFullBefore = sendQueueFull;
        final long receiverNotReadyBefore = receiverNotReady;
        final long nearlyFullBefore = nearlyFullDrains;
        nearlyFullDrains = poster.completions().drainWatch().nearlyFullDrains();
        final boolean isOverrun = lookAtLinks() || hasOverrun;
        hasOverrun = false;
        // a link that has gone has taken its counts with it
        if (sendQueueFull > sendQueueFullBefore) {
            deferredBy = BackPressureCause.SEND_QUEUE_FULL;
        } else if (receiverNotReady > receiverNotReadyBefore) {
            deferredBy = BackPressureCause.RECEIVER_NOT_READY;
        }
        if (isOverrun) {
            return gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, nanoTime);
        }
        final long limit = poster.observedLimit();
        if (limit == LogPoster.NOT_CONNECTED) {
            return gauge.settle(nanoTime);
        }
        if (wasRefused) {
            return gauge.raise(PressureState.BLOCKED, BackPressureCause.WINDOW_EXHAUSTED, nanoTime);
        }
        if (nearlyFullDrains != nearlyFullBefore) {
            return gauge.raise(PressureState.PRESSURED, BackPressureCause.CQ_NEAR_FULL, nanoTime);
        }
        if (deferralWatch.isLong(isDeferred, nanoTime)) {
            return gauge.raise(PressureState.PRESSURED, deferredBy, nanoTime);
        }
        final long usable = options.flowControl().usableWindow(
            poster.links(), log.windowLength());
        final long available = Math.clamp(limit - log.tail(), 0, usable);
        return fill(gauge, BackPressureCause.WINDOW_EXHAUSTED, usable - available, usable, nanoTime);
    }

    /** Looks at lags by loops: {@code java.util.stream} took a twelfth of the time of a conductor at rest. */
    private void lookAtLags() {
        final List<PublicationLink> all = links.all();
        final Set<Long> linkIds = new HashSet<>();
        final List<SubscriberLag> joined = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            final PublicationLink link = all.get(i);
            linkIds.add(link.id().linkId());
            if (hasJoined(link)) {
                joined.add(lag(link));
            }
        }
        reports.retain(linkIds);
        lags = List.copyOf(joined);
    }

    private static boolean hasJoined(final PublicationLink link) {
        return link.outbound() != null && link.outbound().joinPosition() != OutboundLink.UNSET;
    }

    private SubscriberLag lag(final PublicationLink link) {
        final long consumed = link.outbound().consumedPosition();
        return new SubscriberLag(link.id().peerName(), link.id().subscriptionId(), consumed,
            Math.max(0, log.tail() - consumed), link.outbound().gates(), reports.consumer(link.id().linkId()));
    }

    /**
     * The lag of each subscription behind the publication. Any thread.
     *
     * @return those that have joined, as they were a tenth of a second ago at most.
     */
    public List<SubscriberLag> lags() {
        return lags;
    }

    /** {@return whether a completion queue has overrun} */
    private boolean lookAtLinks() {
        sendQueueFull = 0;
        receiverNotReady = 0;
        isDeferred = false;
        boolean isOverrun = false;
        final List<PublicationLink> all = links.all();
        for (int i = 0; i < all.size(); i++) {
            final OutboundLink outbound = all.get(i).outbound();
            if (outbound != null) {
                sendQueueFull += outbound.deferrals().sendQueueFull();
                receiverNotReady += outbound.deferrals().receiverNotReady();
                isDeferred |= outbound.isDeferred();
                isOverrun |= outbound.breakReason() == BreakReason.COMPLETION_QUEUE_OVERRUN;
            }
        }
        return isOverrun;
    }

    @Override
    public void end() {
        super.end();
        refused = poster.backPressuredCount();
        lags = List.of();
    }

    private boolean isRefused() {
        return poster.backPressuredCount() != refused;
    }

    /** The cause of the pressure; the conductor need not have looked since an offer was refused. Any thread. */
    @Override
    public BackPressureCause cause() {
        return isRefused() ? BackPressureCause.WINDOW_EXHAUSTED : super.cause();
    }

    @Override
    protected int sessionId() {
        return options.session().sessionId();
    }

    @Override
    protected String consumer() {
        final PublicationLink awaited = awaited();
        return awaited == null ? "" : reports.consumer(awaited.id().linkId());
    }

    @Override
    protected String peer() {
        final PublicationLink awaited = awaited();
        return awaited == null ? "" : awaited.id().peerName();
    }

    /** {@return the reports of the subscribers about their consumers} */
    public SubscriberReports reports() {
        return reports;
    }

    @Override
    protected long bytesBehind(final String laggingPeer) {
        final PublicationLink awaited = awaited();
        if (awaited != null && awaited.id().peerName().equals(laggingPeer)) {
            return lag(awaited).bytesBehind();
        }
        return links.all().stream().filter(link -> hasJoined(link) && link.id().peerName().equals(laggingPeer))
            .mapToLong(link -> lag(link).bytesBehind()).max().orElse(0);
    }

    private PublicationLink awaited() {
        final OutboundLink awaited = options.flowControl().awaited(
            poster.links(), log.windowLength());
        final List<PublicationLink> all = links.all();
        for (int i = 0; i < all.size(); i++) {
            if (awaited != null && all.get(i).outbound() == awaited) {
                return all.get(i);
            }
        }
        return null;
    }
}
