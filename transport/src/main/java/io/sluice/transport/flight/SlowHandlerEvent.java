package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A handler that took long, as the conductor sees it by looking now and then. Committed by the conductor. */
@Name("io.sluice.SlowHandler")
@Label("Slow Handler")
@Category({"Sluice", "Pressure"})
@Description("A consumer was at one message, or a poll of a program went on, for longer than the threshold")
@Enabled(false)
@Threshold("100 ms")
final class SlowHandlerEvent extends StreamEvent {
    @Label("Consumer")
    @Description("Name of the consumer; poll for the program that polls")
    String consumer;

    @Label("Messages")
    @Description("Messages of a consumer, or polls, before this one")
    long messages;
}
