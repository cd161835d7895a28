package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process that has no descriptors left says so once, with the limit and what to do, and goes on when it has some. */
public class WantOfDescriptorsTest {
    private static final int OPEN_FILES = 256;
    private static final int ATTEMPTS = 20;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @Test
    @Tag("slow")
    void shouldTellOnceThatThereAreNoDescriptorsAndMeetPeersWhenThereAreSome() {
        final String channel = " channel=sluice:ipc stream=1";
        final ChildJvm few = fabric.startBy(
            List.of("sh", "-c", "ulimit -n " + OPEN_FILES + " && exec \"$@\"", "sh"), "few");
        few.ask("subscribe name=s" + channel, "OK command=subscribe");
        final ChildJvm publisher = fabric.start("publisher");
        few.ask("exhaust", "EXHAUSTED unopened=0");
        publisher.ask("publish hold=true name=p id=1 length=32 count=10" + channel, "OK command=publish");
        final String text = few.await("ERROR type=RESOURCES").text("text");
        for (final String part : List.of("errno=24_EMFILE", "limit_is_" + OPEN_FILES, "ulimit_-n")) {
            assertTrue(text.contains(part), text);
        }
        few.awaitCounter("errors-repeated", ATTEMPTS);
        // where another thread gave one back meanwhile a connection may begin, and its loss is told besides
        assertNull(few.poll("ERROR type=RESOURCES"), few::describe);
        few.ask("replenish", "OK command=replenish");
        few.await("AVAILABLE name=s");
        publisher.ask("go name=p", "OK command=go");
        publisher.await("PUBLISHED result=NONE count=10");
        publisher.ask("close name=p", "CLOSED drained=true");
    }
}
