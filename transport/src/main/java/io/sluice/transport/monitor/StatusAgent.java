package io.sluice.transport.monitor;

import io.sluice.transport.agent.AgentMeter;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stream.PublicationLink;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.PublicationState;
import io.sluice.transport.stream.SubscriptionState;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The conductor with a look at its state now and then: copies positions, states and counts, which exist anyway, into
 * the counters file, so that the data path does not know of it. Whoever runs the conductor runs this instead.
 */
public final class StatusAgent implements Agent {
    /** Readers look once a second or so. */
    private static final long REFRESH_INTERVAL_NS = 100_000_000L;
    /** The time in nanoseconds that says how fine the poller's longest cycle is measured. */
    private static final long LOOK_INTERVAL_NS = 1_000_000L;

    private static final TransportCounter[] TRANSPORT_COUNTERS = TransportCounter.values();

    private final Conductor conductor;
    private final Services services;
    private final Tasks tasks;
    private final StatusFiles files;
    private final CounterGroups groups;
    private final ApplicationCounters applicationCounters;
    private final SubscriptionCounters subscriptionCounters;
    private final AtomicCounter[] transportCounters = new AtomicCounter[TRANSPORT_COUNTERS.length];
    private final List<AgentMeter> agents = new ArrayList<>();
    private final List<CounterGroup> agentGroups = new ArrayList<>();
    private final List<CounterGroup> pollerGroups = new ArrayList<>();
    private final List<CycleWatch> pollerWatches = new ArrayList<>();
    private final List<Poller> pollers;
    private long lastRefreshNs;
    private long lastLookNs;

    /**
     * A conductor with counters.
     *
     * @param conductor to run.
     * @param files     for the counters; the caller's, who closes them when this runs no more.
     * @param pollers   of the transport.
     */
    public StatusAgent(final Conductor conductor, final StatusFiles files, final List<Poller> pollers) {
        this.conductor = conductor;
        services = conductor.services();
        tasks = services.tasks();
        this.files = files;
        this.pollers = pollers;
        files.transportId(services.id().high(), services.id().low());
        groups = new CounterGroups(files, this::onFull);
        applicationCounters = new ApplicationCounters(files, this::onFull);
        subscriptionCounters = new SubscriptionCounters(groups, services.flight());
        for (final Poller poller : pollers) {
            pollerWatches.add(new CycleWatch(poller.guard()));
        }
        allocate();
        conductor.removedFiles().add(files::missing, files::restore, this::onRestored);
        lastRefreshNs = services.parameters().environment().nanoTime() - REFRESH_INTERVAL_NS;
    }

    private void onFull() {
        services.failures().report(ErrorKind.DEGRADED, "room for counters", "full",
            "no room for more counters: what comes now goes without, until something else is closed");
    }

    /** {@return the application's counters, which are shown beside the transport's} Conductor. */
    public ApplicationCounters applicationCounters() {
        return applicationCounters;
    }

    /** Allocates counters of what is there from the beginning to the end. */
    private void allocate() {
        for (final TransportCounter counter : TRANSPORT_COUNTERS) {
            transportCounters[counter.ordinal()] =
                files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(counter.ordinal()), counter.label());
        }
        pollerGroups.clear();
        for (final Poller poller : pollers) {
            pollerGroups.add(CounterGroup.ofAgent(files, groups.nextNumber(), poller.roleName()));
        }
        agentGroups.clear();
        for (final AgentMeter meter : agents) {
            agentGroups.add(CounterGroup.ofAgent(files, groups.nextNumber(), meter.roleName()));
        }
    }

    /**
     * Show these agents, too. Before the first {@link #doWork()}.
     *
     * @param meters around agents of the transport, such as this one.
     */
    public void meters(final List<AgentMeter> meters) {
        for (final AgentMeter meter : meters) {
            agents.add(meter);
            agentGroups.add(CounterGroup.ofAgent(files, groups.nextNumber(), meter.roleName()));
        }
    }

    @Override
    public int doWork() {
        final int work = conductor.doWork();
        final long nanoTime = services.parameters().environment().nanoTime();
        // in INVOKER mode the application may go on calling after the close
        if (nanoTime - lastLookNs >= LOOK_INTERVAL_NS && !files.isClosed()) {
            lastLookNs = nanoTime;
            for (int i = 0; i < pollerWatches.size(); i++) {
                pollerWatches.get(i).look(nanoTime);
            }
            if (nanoTime - lastRefreshNs >= REFRESH_INTERVAL_NS) {
                lastRefreshNs = nanoTime;
                refresh(nanoTime);
            }
        }
        return work;
    }

    @Override
    public String roleName() {
        return conductor.roleName();
    }

    private void refresh(final long nowNs) {
        refreshTransport();
        groups.beginRefresh();
        final List<PublicationState> publications = conductor.publications().all();
        for (int i = 0; i < publications.size(); i++) {
            refresh(publications.get(i));
        }
        final List<SubscriptionState> subscriptions = conductor.subscriptions().all();
        for (int i = 0; i < subscriptions.size(); i++) {
            subscriptionCounters.refresh(subscriptions.get(i), nowNs);
        }
        groups.endRefresh();
        applicationCounters.refresh();
        files.onRefreshed();
    }

    private void onRestored() {
        if (files.takeRestored()) {
            groups.clear();
            allocate();
            applicationCounters.onRestored();
            tasks.release(files::closeReplaced);
        }
    }

    private void refreshTransport() {
        for (final TransportCounter counter : TRANSPORT_COUNTERS) {
            transportCounters[counter.ordinal()].setRelease(services.counters().get(counter));
        }
        for (int i = 0; i < agents.size(); i++) {
            final AgentMeter meter = agents.get(i);
            agentGroups.get(i).set(CounterType.AGENT_CYCLES, meter.cycles());
            agentGroups.get(i).set(CounterType.AGENT_WORK, meter.work());
            agentGroups.get(i).set(CounterType.AGENT_MAX_CYCLE, meter.maxCycleNs());
        }
        for (int i = 0; i < pollerGroups.size(); i++) {
            pollerGroups.get(i).set(CounterType.AGENT_CYCLES, pollerWatches.get(i).cycles());
            pollerGroups.get(i).set(CounterType.AGENT_WORK, pollers.get(i).work());
            pollerGroups.get(i).set(CounterType.AGENT_MAX_CYCLE, pollerWatches.get(i).maxCycleNs());
        }
    }

    private void refresh(final PublicationState publication) {
        CounterGroup group = groups.find(publication);
        if (group == null) {
            group = groups.add(publication, CounterScope.PUBLICATION,
                CounterKeys.ofPublication(groups.nextNumber(), publication.streamId(), publication.sessionId()), null,
                publication.channel());
        }
        group.set(CounterType.PUBLICATION_POSITION, publication.log().tail());
        group.set(CounterType.PUBLICATION_LIMIT, publication.poster().observedLimit());
        group.set(CounterType.PUBLICATION_MESSAGES, publication.log().messages());
        group.set(CounterType.PUBLICATION_BYTES, publication.log().messageBytes());
        group.set(CounterType.PUBLICATION_WINDOW_EXHAUSTED, publication.poster().backPressuredCount());
        group.set(CounterType.PUBLICATION_PRESSURE, publication.pressure().state().ordinal());
        group.set(CounterType.PUBLICATION_PRESSURE_CAUSE, publication.pressure().cause().ordinal());
        group.set(CounterType.PUBLICATION_PRESSURE_CHANGES, publication.pressure().changes());
        group.set(CounterType.PUBLICATION_WINDOW, publication.options().log().windowLength());
        final List<PublicationLink> links = publication.links().all();
        for (int i = 0; i < links.size(); i++) {
            refresh(links.get(i));
        }
    }

    private void refresh(final PublicationLink link) {
        CounterGroup group = groups.find(link);
        if (group == null) {
            final PublicationOptions publication = link.publication().options();
            final TransportId id = services.id();
            group = groups.add(link, CounterScope.LINK,
                new CounterKey(groups.nextNumber(), publication.streamId(), publication.session().sessionId(),
                    link.id().linkId(), id.high(), id.low(), 0),
                link.peer() == null ? "" : link.peer().peerName(), publication.channel());
        }
        final OutboundLink outbound = link.outbound();
        final boolean isJoined = outbound != null && outbound.joinPosition() != OutboundLink.UNSET;
        group.set(CounterType.LINK_STATE, link.state().status().ordinal());
        group.set(CounterType.LINK_POSTED, isJoined ? outbound.postedPosition() : OutboundLink.UNSET);
        group.set(CounterType.LINK_CONSUMED, isJoined ? outbound.consumedPosition() : OutboundLink.UNSET);
        group.set(CounterType.LINK_EPOCH, link.epoch());
        if (outbound != null) {
            group.set(CounterType.LINK_SEND_QUEUE_FULL, outbound.deferrals().sendQueueFull());
            group.set(CounterType.LINK_RECEIVER_NOT_READY, outbound.deferrals().receiverNotReady());
        }
    }
}
