package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The latencies of a subscription at one stage. Committed by the conductor, once a second. */
@Name("io.sluice.Latency")
@Label("Latency")
@Category({"Sluice", "Stream"})
@Description("How long messages of a subscription with latency=true took, told once a second")
final class LatencyEvent extends StreamEvent {
    @Label("Subscription")
    @Description("Number of the subscription in its transport")
    long subscriptionId;

    @Label("Stage")
    @Description("ARRIVED, or HANDLED by the consumer")
    String stage;

    @Label("Consumer")
    @Description("Consumer that has handled the messages; empty of those that have arrived")
    String consumer;

    @Label("Messages")
    @Description("Messages measured since the subscription was added")
    long messages;

    @Label("Negative")
    @Description("Of those, messages that were there before they were offered, by two clocks")
    long negative;

    @Label("Recent 50 %")
    @Description("Median of the last ten seconds; N/A when none was measured, as with all of these")
    @Timespan(Timespan.NANOSECONDS)
    long recentP50;

    @Label("Recent 99 %")
    @Description("What 99 % of the last ten seconds did not exceed")
    @Timespan(Timespan.NANOSECONDS)
    long recentP99;

    @Label("Recent 99.9 %")
    @Description("What 99.9 % of the last ten seconds did not exceed")
    @Timespan(Timespan.NANOSECONDS)
    long recentP999;

    @Label("Recent Longest")
    @Description("Longest of the last ten seconds")
    @Timespan(Timespan.NANOSECONDS)
    long recentMax;

    @Label("50 %")
    @Description("Median since the subscription was added")
    @Timespan(Timespan.NANOSECONDS)
    long p50;

    @Label("99 %")
    @Description("What 99 % since then did not exceed")
    @Timespan(Timespan.NANOSECONDS)
    long p99;

    @Label("99.9 %")
    @Description("What 99.9 % since then did not exceed")
    @Timespan(Timespan.NANOSECONDS)
    long p999;

    @Label("Longest")
    @Description("Longest since then")
    @Timespan(Timespan.NANOSECONDS)
    long max;
}
