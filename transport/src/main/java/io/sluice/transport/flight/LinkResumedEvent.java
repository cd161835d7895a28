package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A link has resumed, at the end that tells. Committed by the conductor. */
@Name("io.sluice.LinkResumed")
@Label("Link Resumed")
@Category({"Sluice", "Links"})
@Description("A broken link goes on in a new epoch, without loss")
final class LinkResumedEvent extends LinkEvent {
    @Label("Epoch")
    @Description("Number of the epoch that has begun")
    long epoch;
}
