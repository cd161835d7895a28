package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The pressure on a publication or a subscription has changed. Committed by the conductor. */
@Name("io.sluice.PressureChanged")
@Label("Pressure Changed")
@Category({"Sluice", "Pressure"})
@Description("A publication or a subscription has come under pressure, or out of it, or another one is the laggard")
final class PressureChangedEvent extends StreamEvent {
    @Label("Side")
    @Description("PUBLICATION or SUBSCRIPTION: whose pressure it is")
    String side;

    @Label("Session")
    @Description("Session id of the publication, or of the image furthest behind; 0 when there is none")
    int sessionId;

    @Label("State")
    @Description("State now")
    String state;

    @Label("Previous State")
    @Description("State before")
    String previous;

    @Label("Cause")
    @Description("Cause of the pressure; of CLEAR, of that which is over")
    String cause;

    @Label("Laggard")
    @Description("The consumer or peer that is waited for; of CLEAR, the one told last")
    String laggard;

    @Label("Bytes Behind")
    @Description("Bytes of the stream that the laggard has yet to consume")
    @DataAmount(DataAmount.BYTES)
    long bytesBehind;

    @Label("Lasted")
    @Description("Time that the state before has lasted")
    @Timespan(Timespan.NANOSECONDS)
    long lasted;
}
