package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A link is given up or lost, at the end that tells. Committed by the conductor. */
@Name("io.sluice.LinkGivenUp")
@Label("Link Given Up")
@Category({"Sluice", "Links"})
@Description("A link is over before its stream was consumed to the end")
final class LinkGivenUpEvent extends LinkEvent {
    @Label("Reason")
    @Description("Why the link is over")
    String reason;

    @Label("Last Break")
    @Description("Name of the reason for which it broke last; empty when it did not")
    String lastBreak;

    @Label("Bytes Behind")
    @Description("Bytes of the stream that the publication knows not to be consumed; 0 at a subscription")
    @DataAmount(DataAmount.BYTES)
    long bytesBehind;
}
