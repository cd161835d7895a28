package io.sluice.transport.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;

/** An event of one publication or subscription. The thread that commits it. */
abstract class StreamEvent extends TransportEvent {
    @Label("Channel")
    @Description("Channel, as it was added")
    String channel;

    @Label("Stream")
    @Description("Stream id within the channel")
    int streamId;
}
