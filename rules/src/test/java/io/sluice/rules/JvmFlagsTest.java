package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The flags that a JVM needs for Sluice stand in one file, from which scripts and the build take them. */
class JvmFlagsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path ACCESS = ROOT.resolve(".config/jvm/access");
    private static final Path FORKS =
        ROOT.resolve("perf/src/main/java/io/sluice/perf/stress/StressCommand.java");
    /** Starts children of native's tests, which know no other module and run in the lab, too. */
    private static final Path CHILDREN =
        ROOT.resolve("native/src/test/java/io/sluice/environment/ChildJvm.java");
    private static final String FLAG = "add-opens";

    @Test
    void shouldHaveTheFlagsOfScriptsAndOfTheBuildInOneFile() throws IOException {
        final List<Path> files = new ArrayList<>(List.of(
            ROOT.resolve("sluice"), ROOT.resolve("pom.xml"), ROOT.resolve(".ci/run"),
            ROOT.resolve(".ci/test"), ROOT.resolve(".ci/artifacts"),
            ROOT.resolve(".ci/verbs"), ROOT.resolve("samples/tools/src/main/tar/bin/sluice"),
            ROOT.resolve("transport/tests/simulation/planted-bugs"),
            ROOT.resolve("transport/tests/pom.xml")));
        for (final String module : List.of("native", "codec", "transport", "metrics", "samples",
            "samples/market-data", "samples/tools", "perf", "rules")) {
            files.add(ROOT.resolve(module).resolve("pom.xml"));
        }
        try (Stream<Path> lab = Files.list(ROOT.resolve("native/lab"))) {
            lab.filter(Files::isRegularFile).forEach(files::add);
        }
        final List<Path> withFlags = new ArrayList<>();
        for (final Path file : files) {
            if (Files.readString(file).contains(FLAG)) {
                withFlags.add(file);
            }
        }
        assertEquals(List.of(), withFlags);
        assertTrue(Files.readString(ROOT.resolve("sluice")).contains("/.config/jvm/access"));
    }

    /** The manifest of the one jar has them in other words: no script says them to {@code java -jar}. */
    @Test
    void shouldHaveTheSameFlagsInTheManifestOfTheOneJar() throws IOException {
        final String pom = Files.readString(ROOT.resolve("samples/tools/pom.xml"));
        final List<String> entries = Files.readAllLines(ACCESS).stream().filter(line -> line.startsWith("--"))
            .map(line -> line.startsWith("--" + FLAG)
                ? "<Add-Opens>" + line.substring(line.indexOf('=') + 1, line.lastIndexOf('=')) + "</Add-Opens>"
                : "<Enable-Native-Access>" + line.substring(line.indexOf('=') + 1) + "</Enable-Native-Access>")
            .toList();
        assertEquals(2, entries.size());
        entries.forEach(entry -> assertTrue(pom.contains(entry), entry));
    }

    @Test
    void shouldGiveProcessesOfTestsTheSameFlags() throws IOException {
        final String children = Files.readString(CHILDREN);
        Files.readAllLines(ACCESS).stream().filter(line -> line.startsWith("--"))
            .forEach(flag -> assertTrue(children.contains('"' + flag + '"'), flag));
    }

    /** Forks of jcstress take their flags from the command, which runs in any folder. */
    @Test
    void shouldGiveForksOfJcstressTheSameFlags() throws IOException {
        final String flags = Files.readAllLines(ACCESS).stream().filter(line -> line.startsWith("--"))
            .map(line -> line.startsWith("--" + FLAG) ? line.replaceFirst("=", " ") : line)
            .collect(Collectors.joining(" "));
        assertTrue(Files.readString(FORKS).contains('"' + flags + '"'), flags);
    }
}
