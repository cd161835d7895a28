package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A consumer was evicted, with those that wait for it. Committed by the conductor. */
@Name("io.sluice.ConsumerEvicted")
@Label("Consumer Evicted")
@Category({"Sluice", "Pressure"})
@Description("A consumer was told to leave, as it held others up for too long")
final class ConsumerEvictedEvent extends StreamEvent {
    @Label("Consumer")
    @Description("Name of the consumer")
    String consumer;

    @Label("Dependants")
    @Description("Names of those that wait for it and leave with it, with commas")
    String dependants;

    @Label("Events Behind")
    @Description("Events on the ring that it had yet to pass")
    long eventsBehind;

    @Label("Slow For")
    @Description("Time for which it was too far behind")
    @Timespan(Timespan.NANOSECONDS)
    long slowFor;
}
