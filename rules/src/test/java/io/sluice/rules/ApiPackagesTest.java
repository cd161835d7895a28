package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** CONTRIBUTING.md says of each exported package whether it is API, and the build compares those that are. */
class ApiPackagesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES = List.of("native", "codec", "transport", "metrics");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`io\\.sluice\\.[^|]*) \\| (yes|no)\\b.*$");
    private static final Pattern PACKAGE = Pattern.compile("`(io\\.sluice\\.[\\w.]+)`");
    private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);$");
    private static final Pattern COMPARED = Pattern.compile("<include>(io\\.sluice\\.[\\w.]+)</include>");

    /** The packages of rows that answer so. */
    private static Set<String> packages(final Set<String> answers) throws IOException {
        final Set<String> packages = new TreeSet<>();
        ROW.matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md"))).results()
            .filter(row -> answers.contains(row.group(2)))
            .forEach(row -> packages.addAll(all(PACKAGE, row.group(1))));
        return packages;
    }

    private static Set<String> all(final Pattern pattern, final String text) {
        final Set<String> found = new TreeSet<>();
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }

    private static Set<String> inModules(final Pattern pattern, final String file) throws IOException {
        final Set<String> found = new TreeSet<>();
        for (final String module : MODULES) {
            found.addAll(all(pattern, Files.readString(ROOT.resolve(module).resolve(file))));
        }
        return found;
    }

    @Test
    void shouldSayOfEachExportedPackageWhetherItIsApi() throws IOException {
        assertEquals(inModules(EXPORT, "src/main/java/module-info.java"), packages(Set.of("yes", "no")));
    }

    @Test
    void shouldCompareThePackagesThatAreApi() throws IOException {
        final Set<String> api = packages(Set.of("yes"));
        assertTrue(api.contains("io.sluice.transport"), api::toString);
        assertEquals(api, inModules(COMPARED, "pom.xml"));
    }
}
