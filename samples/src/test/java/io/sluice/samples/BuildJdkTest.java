package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A build on a JDK that is too old ends at once and tells what to do. */
class BuildJdkTest {
    private static final Path ROOT = Path.of("..");
    /** Later than any that runs this test. */
    private static final String RELEASE = "999";

    private static String release() throws IOException {
        final String pom = Files.readString(ROOT.resolve("pom.xml"));
        return Pattern.compile("<maven.compiler.release>(\\d+)<").matcher(pom).results().findFirst().orElseThrow()
            .group(1);
    }

    /** A module that is built alone is told, too. */
    @ParameterizedTest
    @ValueSource(strings = {".", "codec"})
    void shouldEndAtOnceAndSayWhatToDo(final String module) throws Exception {
        assumeTrue(GettingStartedTest.isThere("mvn"), "Maven");
        final ProcessBuilder maven = new ProcessBuilder("mvn", "-o", "-B", "-N",
            "-f", module, "compile", "-Dmaven.repo.local=" + GettingStartedTest.localRepository(),
            "-Dmaven.compiler.release=" + RELEASE);
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        final Process process = maven.directory(ROOT.toFile()).redirectErrorStream(true).start();

        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertNotEquals(0, process.waitFor(), output);
        assertEquals(List.of("Maven runs on JDK " + System.getProperty("java.version")
            + ", and Sluice is built with a JDK " + RELEASE + " or later: set JAVA_HOME to the folder of one, or call "
            + "./sluice, which looks for one."),
            output.lines().filter(line -> line.contains("Maven runs on JDK"))
                .map(line -> line.substring(line.indexOf("Maven runs"))).toList(), output);
        assertEquals(1, output.lines().filter(line -> line.startsWith("[INFO] --- ")).count(), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice", ".ci/run", "samples/tools/src/main/tar/bin/sluice"})
    void shouldLookForAJavaThatTheBuildTakes(final String script) throws IOException {
        assertTrue(Files.readAllLines(ROOT.resolve(script)).contains("readonly MIN_JAVA=" + release()), script);
    }

    @Test
    void shouldAskInTheOneJarForTheJavaOfTheBuild() throws IOException {
        final String main = Files.readString(Path.of("tools/src/main/java/io/sluice/tools/Main.java"));
        assertTrue(main.contains(" MIN_JAVA = " + release() + ";"), main);
    }
}
