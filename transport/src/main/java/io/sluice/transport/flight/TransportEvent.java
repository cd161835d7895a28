package io.sluice.transport.flight;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** An event of one of the JVM's transports; each class names the fields that it adds. The thread that commits it. */
@StackTrace(false)
abstract class TransportEvent extends Event {
    @Label("Client")
    @Description("Name of the transport's client, as its context has it")
    String client;

    @Label("Folder")
    @Description("Folder of the transport's counters: process id and number")
    String folder;
}
