package io.sluice.verbs.software;

import java.nio.file.Path;
import java.util.List;

/**
 * A level of the services as it was listed last, with no level below it.
 *
 * @param directory of the level.
 * @param entries   the listing, the same object for as long as the directory has not changed.
 * @param addresses that the entries stand for; not to be changed.
 */
record ServiceLevel(Path directory, List<Path> entries, List<String> addresses) {
    ServiceLevel {
        addresses = List.copyOf(addresses);
    }
}
