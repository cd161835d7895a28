package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.learn.Sample1PublishSubscribe;
import io.sluice.samples.learn.Sample2Claim;
import io.sluice.samples.learn.Sample3ControlledPoll;
import io.sluice.samples.learn.Sample4SbeDispatch;
import io.sluice.samples.learn.Sample5HandlerGraph;
import io.sluice.samples.learn.Sample6BackPressure;
import io.sluice.samples.learn.Sample7TaggedGroup;
import io.sluice.samples.learn.Sample8RdmaWithKey;
import io.sluice.samples.learn.Sample9OwnAgents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each program to learn from does what it says, in a JVM of its own, and is short enough to be read. */
class LearnTest {
    private static final Path SOURCES = Path.of("src/main/java/io/sluice/samples/learn");
    private static final int MAX_LINES = 120;

    @TempDir
    private Path folder;

    static List<Arguments> programs() {
        return List.of(
            Arguments.of(Sample1PublishSubscribe.class, "EURUSD 1\\.0842\n"),
            Arguments.of(Sample2Claim.class, "price=1084200000 quantity=25 reservedValue=7\n"),
            Arguments.of(Sample3ControlledPoll.class,
                "stored 1\nstored 2\nemptied\nstored 3\nstored 4\nemptied\nstored 5\n"),
            Arguments.of(Sample4SbeDispatch.class,
                "trade of 25 at 108420000\nbid of 40 at 108410000\nsomething else of 1 byte\n"),
            Arguments.of(Sample5HandlerGraph.class,
                "subscribed to sluice:ipc\\?endpoint=sample-5, pollers: 1\n"
                    + "book 500500, statistics 500500, journal 500500\n"),
            Arguments.of(Sample6BackPressure.class,
                "(blocked: WINDOW_EXHAUSTED, \\d+ bytes behind\n)+clear: all of \\d+ messages are consumed\n"),
            Arguments.of(Sample7TaggedGroup.class,
                "engines received 500 and 500 of 500 messages\nthe screen, which did not poll, was left behind\n"),
            Arguments.of(Sample9OwnAgents.class,
                "message 1 on my-agent\nmessage 2 on my-agent\nmessage 3 on my-agent\n"));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldDoWhatItSays(final Class<?> program, final String output) throws Exception {
        try (SluiceProcess process = SluiceProcess.start(folder, program)) {
            assertEquals(0, process.exitCode(), () -> process.output() + errors(process));
            assertTrue(process.output().matches(output), process::output);
        }
    }

    @Test
    void shouldSayHowTheProgramOverRdmaIsCalled() throws Exception {
        try (SluiceProcess process = SluiceProcess.start(folder, Sample8RdmaWithKey.class)) {
            assertEquals(2, process.exitCode());
            assertEquals(
                List.of("usage: Sample8RdmaWithKey subscribe|publish HOST:PORT KEY-FILE"), process.errorLines());
        }
    }

    @Test
    void shouldBeShort() throws IOException {
        try (Stream<Path> sources = Files.list(SOURCES)) {
            for (final Path source : sources.toList()) {
                final int lines = Files.readAllLines(source).size();
                assertTrue(lines <= MAX_LINES, () -> source + " lines=" + lines);
            }
        }
    }

    static String errors(final SluiceProcess process) {
        try {
            return String.join("\n", process.errorLines());
        } catch (final IOException ex) {
            return ex.toString();
        }
    }
}
