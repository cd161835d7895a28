package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cases in which a directory that was listed need not be read again. */
class ListingsTest {
    private static final Path DIRECTORY = Path.of("directory");
    private static final List<Path> ENTRIES = List.of(Path.of("directory", "entry"));
    private static final long MODIFIED_MS = 1_000_001;
    private static final long RESTED_MS = MODIFIED_MS + Listings.TICK_MS + 1;

    private final Listings listings = new Listings();

    @Test
    void shouldKnowADirectoryThatHasNotChanged() {
        listings.keep(DIRECTORY, "a", MODIFIED_MS, RESTED_MS, ENTRIES);

        assertEquals(ENTRIES, listings.find(DIRECTORY, "a", MODIFIED_MS));
    }

    @Test
    void shouldNotKnowADirectoryThatHasChangedOrIsAnother() {
        listings.keep(DIRECTORY, "a", MODIFIED_MS, RESTED_MS, ENTRIES);

        assertNull(listings.find(DIRECTORY, "a", MODIFIED_MS + 1));
        assertNull(listings.find(DIRECTORY, "a", MODIFIED_MS - 1));
        assertNull(listings.find(DIRECTORY, "b", MODIFIED_MS));
        assertNull(listings.find(Path.of("other"), "a", MODIFIED_MS));
    }

    @Test
    void shouldNotKeepADirectoryThatMayChangeWithinTheSameTick() {
        listings.keep(DIRECTORY, "a", MODIFIED_MS, RESTED_MS, ENTRIES);
        listings.keep(DIRECTORY, "a", MODIFIED_MS, RESTED_MS - 1, ENTRIES);

        assertNull(listings.find(DIRECTORY, "a", MODIFIED_MS));
    }

    /** A time of whole seconds may be that of a file system which has no others. */
    @Test
    void shouldNotKeepADirectoryThatMayChangeWithinTheSameSecond() {
        final long modifiedMs = 5_000;
        listings.keep(DIRECTORY, "a", modifiedMs, modifiedMs + Listings.COARSE_TICK_MS, ENTRIES);
        assertNull(listings.find(DIRECTORY, "a", modifiedMs));

        listings.keep(DIRECTORY, "a", modifiedMs, modifiedMs + Listings.COARSE_TICK_MS + 1, ENTRIES);
        assertEquals(ENTRIES, listings.find(DIRECTORY, "a", modifiedMs));
    }

    @Test
    void shouldNotKeepADirectoryOfTheFuture() {
        listings.keep(DIRECTORY, "a", MODIFIED_MS, 0, ENTRIES);

        assertNull(listings.find(DIRECTORY, "a", MODIFIED_MS));
    }

    @Test
    void shouldForgetTheDirectoryThatWasLookedForTheLongestTimeAgo() {
        listings.keep(DIRECTORY, "a", MODIFIED_MS, RESTED_MS, ENTRIES);
        for (int i = 0; i < 1000; i++) {
            listings.keep(Path.of("directory-" + i), "a", MODIFIED_MS, RESTED_MS, ENTRIES);
        }

        assertNull(listings.find(DIRECTORY, "a", MODIFIED_MS));
        assertEquals(ENTRIES, listings.find(Path.of("directory-999"), "a", MODIFIED_MS));
    }
}
