package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A completion queue has overrun. Committed by the conductor. */
@Name("io.sluice.CompletionQueueOverrun")
@Label("Completion Queue Overrun")
@Category({"Sluice", "Device"})
@Description("A completion queue has overrun: links that it served break and go on with another one")
final class CompletionQueueOverrunEvent extends TransportEvent {
    @Label("Owner")
    @Description("The publication, subscription or control connection that it served")
    String owner;

    @Label("Capacity")
    @Description("Completions that it had room for")
    int capacity;
}
