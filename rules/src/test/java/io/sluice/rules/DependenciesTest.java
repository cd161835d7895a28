package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Libraries that the tests run with are those that {@code .mvn/checksums} lists. Maven from 3.9 on, which
 * {@code ./mvnw} fetches, compares all that it downloads, plugins too; this holds the libraries to it whichever Maven
 * builds.
 */
class DependenciesTest {
    private static final Path CHECKSUMS = Path.of("../.mvn/checksums/checksums.sha256");
    private static final List<String> PATHS =
        List.of("java.class.path", "jdk.module.path", "surefire.test.class.path");

    /** Checksum by the path below the repository. */
    private static Map<String, String> listed() throws IOException {
        final Map<String, String> listed = new HashMap<>();
        for (final String line : Files.readAllLines(CHECKSUMS)) {
            final String[] words = line.split(" +");
            listed.put(words[1], words[0]);
        }
        return listed;
    }

    private static List<Path> libraries() {
        return PATHS.stream()
            .flatMap(name -> Stream.of(System.getProperty(name, "").split(File.pathSeparator)))
            .map(Path::of)
            .filter(path -> isOfRepository(path) && !path.toString().contains("/io/sluice/"))
            .distinct()
            .toList();
    }

    /** Whether a path ends as in {@code org/agrona/agrona/2.6.0/agrona-2.6.0.jar}, wherever the repository lies. */
    private static boolean isOfRepository(final Path path) {
        final int count = path.getNameCount();
        return count > 3 && path.toString().endsWith(".jar") && path.getFileName().toString().startsWith(
            path.getName(count - 3) + "-" + path.getName(count - 2));
    }

    /** The last parts of a path: group, which has several, artifact, version and file. */
    private static String listedChecksum(final Path library, final Map<String, String> listed) {
        for (int parts = library.getNameCount(); parts > 0; parts--) {
            final String found =
                listed.get(library.subpath(library.getNameCount() - parts, library.getNameCount()).toString());
            if (found != null) {
                return found;
            }
        }
        return "not listed";
    }

    @Test
    void shouldRunWithLibrariesOfTheListedChecksums() throws IOException, GeneralSecurityException {
        final Map<String, String> listed = listed();
        final List<Path> libraries = libraries();
        assertTrue(libraries.stream().anyMatch(path -> path.toString().contains("agrona")), libraries::toString);
        for (final Path library : libraries) {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(library));
            assertEquals(listedChecksum(library, listed), HexFormat.of().formatHex(digest), library::toString);
        }
    }

    /** The project's own artifacts change with every build. */
    @Test
    void shouldListNothingOfItsOwn() throws IOException {
        for (final String path : listed().keySet()) {
            assertTrue(!path.startsWith("io/sluice/"), path);
        }
    }
}
