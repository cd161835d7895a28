package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The conductor has not run for too long. Committed by the conductor, when it does. */
@Name("io.sluice.ConductorStall")
@Label("Conductor Stall")
@Category({"Sluice", "Conductor"})
@Description("The conductor has not run for longer than a heartbeat interval")
final class ConductorStallEvent extends TransportEvent {
    @Label("Stalled For")
    @Description("Time since its cycle before began")
    @Timespan(Timespan.NANOSECONDS)
    long stalledFor;

    @Label("Limit")
    @Description("The heartbeat interval")
    @Timespan(Timespan.NANOSECONDS)
    long limit;
}
