package io.sluice.transport.monitor;

import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.receive.LatencyHistogram;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.stream.SubscriptionState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Brings the counters of latencies up to date, of subscriptions that keep some, once a second, and tells recordings of
 * them. Conductor only.
 */
final class LatencyCounters {
    private static final CounterType[] TYPES = Arrays.stream(CounterType.values())
        .filter(type -> type.scope() == CounterScope.LATENCY).toArray(CounterType[]::new);
    private static final double P50 = 0.5;
    private static final double P99 = 0.99;
    private static final double P999 = 0.999;
    private static final double MAX = 1;
    /** The refreshes in a second. */
    private static final int TURNS = 10;

    private final CounterGroups groups;
    private final FlightEvents flight;
    /** A window goes with its histogram, which does not equal another one. */
    private final Map<LatencyHistogram, LatencyWindow> windows = new WeakHashMap<>();

    LatencyCounters(final CounterGroups groups, final FlightEvents flight) {
        this.groups = groups;
        this.flight = flight;
    }

    void refresh(final SubscriptionState subscription, final long nowNs) {
        final List<LatencyHistogram> histograms = subscription.times().histograms();
        for (int i = 0; i < histograms.size(); i++) {
            refresh(subscription, histograms.get(i), nowNs);
        }
    }

    private void refresh(final SubscriptionState subscription, final LatencyHistogram histogram, final long nowNs) {
        final CounterGroup known = groups.find(histogram);
        final CounterGroup group = known != null ? known : groups.add(histogram, CounterScope.LATENCY,
            CounterKeys.ofSubscription(
                groups.nextNumber(), subscription.streamId(), subscription.subscriptionId()),
            histogram.consumer(), subscription.channel());
        LatencyWindow window = windows.get(histogram);
        if (window == null) {
            // in turn, each in another of the refreshes of a second
            window = new LatencyWindow(nowNs + windows.size() % TURNS * (LatencyWindow.LOOK_INTERVAL_NS / TURNS));
            windows.put(histogram, window);
        }
        final boolean isNew = window.look(histogram, nowNs);
        if (isNew || known == null) {
            for (final CounterType type : TYPES) {
                group.set(type, value(type, window));
            }
        }
        if (isNew && flight.isTellingLatencies()) {
            tell(subscription, histogram, window);
        }
    }

    private void tell(
        final SubscriptionState subscription, final LatencyHistogram histogram, final LatencyWindow window) {
        flight.latency(subscription.channel(),
            CounterKeys.ofSubscription(0, subscription.streamId(), subscription.subscriptionId()), histogram.consumer(),
            type -> value(type, window));
    }

    private static long value(final CounterType type, final LatencyWindow window) {
        return switch (type) {
            case LATENCY_MESSAGES -> window.messages();
            case LATENCY_NEGATIVE -> window.negatives();
            case LATENCY_RECENT_P50 -> window.recentPercentileNs(P50);
            case LATENCY_RECENT_P99 -> window.recentPercentileNs(P99);
            case LATENCY_RECENT_P999 -> window.recentPercentileNs(P999);
            case LATENCY_RECENT_MAX -> window.recentPercentileNs(MAX);
            case LATENCY_P50 -> window.percentileNs(P50);
            case LATENCY_P99 -> window.percentileNs(P99);
            case LATENCY_P999 -> window.percentileNs(P999);
            case LATENCY_MAX -> window.percentileNs(MAX);
            default -> throw new IllegalArgumentException(type.label());
        };
    }
}
