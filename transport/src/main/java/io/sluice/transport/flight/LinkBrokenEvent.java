package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A link has broken, at the end that tells. Committed by the conductor. */
@Name("io.sluice.LinkBroken")
@Label("Link Broken")
@Category({"Sluice", "Links"})
@Description("A link that worked has broken; it resumes, or is given up")
final class LinkBrokenEvent extends LinkEvent {
    @Label("Reason")
    @Description("Name of the reason for which the epoch ended")
    String reason;

    @Label("Epoch")
    @Description("Number of the epoch that has ended")
    long epoch;
}
