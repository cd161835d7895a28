package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A connection to a machine that is silent. In a class of its own, since it takes more than a minute:
 * {@code native/lab/rpma --brief} leaves it out.
 */
class NobodyAnswersTest extends RpmaDeviceTests {
    /** An address of the lab's network, nobody's; the machine believes to know whose, sends, and nothing comes back. */
    private static final String SILENT = "10.77.0.78";
    private static final String[] SILENT_NEIGHBOUR =
        ("ip neigh replace " + SILENT + " lladdr 02:00:00:00:00:78 nud permanent dev d0").split(" ");
    /** The connection manager asks sixteen times, for somewhat more than a minute in all. */
    private static final long SILENCE_NS = TimeUnit.MINUTES.toNanos(5);

    @Test
    void shouldTellThatNobodyAnswers() throws IOException, InterruptedException {
        assumeTrue(System.getenv("SLUICE_LAB") != null, "only in the lab are neighbours ours to invent");
        final Process invention = new ProcessBuilder(SILENT_NEIGHBOUR).inheritIO().start();
        assertEquals(0, invention.waitFor());
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions());
        client.connect(rig.clientPeer.requestConnection(SILENT, RpmaRig.newPort(), RpmaRig.CONFIGURATION));

        assertEquals(RpmaConnectionEvent.UNREACHABLE, client.connection.nextEvent(SILENCE_NS));
    }
}
