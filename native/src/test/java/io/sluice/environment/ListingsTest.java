package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a directory that was listed need not be read again. */
class ListingsTest {
    private static final Path DIRECTORY = Path.of("directory");
    private static final List<Path> ENTRIES = List.of(Path.of("directory", "entry"));
    private static final long MODIFIED_MS = 1_000_000;
    private static final long RESTED_MS = MODIFIED_MS + Listings.TICK_MS + 1;

    private final Listings listings = new Listings();

    private static FileStatus status(final String key, final long modifiedMs) {
        return new FileStatus(key, 0, 0, 0, modifiedMs);
    }

    @Test
    void shouldKnowADirectoryThatHasNotChanged() {
        final FileStatus status = status("a", MODIFIED_MS);
        listings.keep(DIRECTORY, status, ENTRIES, RESTED_MS);

        assertEquals(ENTRIES, listings.find(DIRECTORY, status("a", MODIFIED_MS)));
    }

    @Test
    void shouldNotKnowADirectoryThatHasChangedOrIsAnother() {
        listings.keep(DIRECTORY, status("a", MODIFIED_MS), ENTRIES, RESTED_MS);

        assertNull(listings.find(DIRECTORY, status("a", MODIFIED_MS + 1)));
        assertNull(listings.find(DIRECTORY, status("a", MODIFIED_MS - 1)));
        assertNull(listings.find(DIRECTORY, status("b", MODIFIED_MS)));
        assertNull(listings.find(Path.of("other"), status("a", MODIFIED_MS)));
    }

    @Test
    void shouldNotKeepADirectoryThatMayChangeWithinTheSameTick() {
        final FileStatus status = status("a", MODIFIED_MS);
        listings.keep(DIRECTORY, status, ENTRIES, RESTED_MS);
        listings.keep(DIRECTORY, status, ENTRIES, RESTED_MS - 1);

        assertNull(listings.find(DIRECTORY, status));
    }

    @Test
    void shouldNotKeepADirectoryOfTheFuture() {
        final FileStatus status = status("a", MODIFIED_MS);
        listings.keep(DIRECTORY, status, ENTRIES, 0);

        assertNull(listings.find(DIRECTORY, status));
    }

    @Test
    void shouldForgetTheDirectoryThatWasLookedForTheLongestTimeAgo() {
        final FileStatus status = status("a", MODIFIED_MS);
        listings.keep(DIRECTORY, status, ENTRIES, RESTED_MS);
        for (int i = 0; i < 1000; i++) {
            listings.keep(Path.of("directory-" + i), status, ENTRIES, RESTED_MS);
        }

        assertNull(listings.find(DIRECTORY, status));
        assertEquals(ENTRIES, listings.find(Path.of("directory-999"), status));
    }
}
