package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Closing while other threads poll, offer, claim, add and handle: nothing crashes and nothing hangs. */
@Tag("slow")
class CloseRaceTest {
    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @ParameterizedTest
    @CsvSource({
        "subscription, 12", "publication, 12", "transport, 16", "open-claim, 3", "handler, 8", "available, 1"
    })
    void shouldCloseUnderLoad(final String race, final int rounds) {
        final ChildJvm child = fabric.startRaces("races", "test.race=" + race, "test.rounds=" + rounds);
        final Line done = child.await("DONE failures=0 rounds=" + rounds);
        assertEquals(0, child.awaitExit());
        if (!race.equals("open-claim") && !race.equals("available")) {
            assertTrue(done.number("offered") + done.number("received") > 0, () -> "there was load: " + done);
        }
    }
}
