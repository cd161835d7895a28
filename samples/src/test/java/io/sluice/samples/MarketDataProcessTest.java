package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The market-data command as a user runs it, in JVMs of its own.
 */
class MarketDataProcessTest {
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path folder;
    private SluiceProcess market;
    private SluiceProcess listener;

    @AfterEach
    void endProcesses() {
        for (SluiceProcess process : new SluiceProcess[]{market, listener}) {
            if (process != null) {
                process.close();
            }
        }
    }

    @Test
    void shouldShowBooksAndRatesAndJournal() throws Exception {
        final Path journal = folder.resolve("journal");
        market = SluiceProcess.command(
            folder, "market-data", "--seconds", "2", "--rate", "2000", "--journal", journal.toString());
        assertEquals(0, market.exitCode(), market::output);
        for (final String expected : List.of("A market of 100 instruments on ", "feed connected: pid ",
            " 0 gaps, 0 misfits\n", "        WHTF27 ", "\nfeed finished: pid ", "\nSent ", "\nReceived ")) {
            assertTrue(market.output().contains(expected), () -> expected + " is missing in:\n" + market.output());
        }
        assertTrue(Files.size(journal) > 1000, journal::toString);
        assertEquals(List.of(), market.errorLines());
    }

    @Test
    @Tag("slow")
    void shouldFeedAListenerInAnotherProcessThatJoinsLate() throws Exception {
        market = SluiceProcess.command(folder, "market-data", "--rate", "20000");
        market.awaitLine("        WHTF27 ");
        listener = SluiceProcess.command(folder, "market-data", "--subscribe",
            "--channel", StreamOptions.DEFAULT_CHANNEL + "|mode=dedicated");
        listener.awaitLine("feed connected: pid ");
        listener.awaitLine("        WHTF27 ");
        market.interrupt();
        assertEquals(INTERRUPTED, market.exitCode(), market::output);
        listener.awaitLine("feed finished: pid ");
        assertTrue(market.output().contains("feed finished: pid "), market::output);
        listener.interrupt();
        assertEquals(INTERRUPTED, listener.exitCode(), listener::output);
        for (final SluiceProcess process : List.of(market, listener)) {
            assertTrue(process.output().contains(" trades; 0 gaps, 0 misfits, 0 of other feeds"), process::output);
            assertEquals(List.of(), process.errorLines());
        }
    }

    /** Either side may end first, and neither calls the feed lost. */
    @Test
    void shouldSayThatAListenerLeavesAFeedThatGoesOn() throws Exception {
        market = SluiceProcess.command(folder, "market-data", "--rate", "1000");
        listener = SluiceProcess.command(folder, "market-data", "--subscribe", "--show", "0");
        listener.awaitLine("feed connected: pid ");
        listener.interrupt();
        assertEquals(INTERRUPTED, listener.exitCode(), listener::output);
        assertTrue(listener.output().contains("feed left: pid "), listener::output);
        market.interrupt();
        assertEquals(INTERRUPTED, market.exitCode(), market::output);
        assertTrue(market.output().contains("feed finished: pid "), market::output);
    }

    @Test
    void shouldEndWhenTheJournalCannotBeWritten() throws Exception {
        market = SluiceProcess.command(folder, "market-data", "--journal", "/dev/full");
        assertEquals(1, market.exitCode(), market::output);
        assertEquals(1, market.errorLines().size(), market::output);
        assertTrue(market.errorLines().getFirst().contains("cannot write the journal: "), market::output);
    }
}
