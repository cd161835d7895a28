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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final String ADDRESS = "10.0.0.1:40123";

    private static final Pattern NUMBERED = Pattern.compile("(Sample\\d+\\w*)\\.java");
    /** Has two sides, and more to be given than the others. */
    private static final Class<?> OVER_RDMA = Sample8RdmaWithKey.class;

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

    /** A program without a test is one that nobody has seen run since it was written. */
    @Test
    void shouldRunEachProgram() throws IOException {
        final Set<String> run = new TreeSet<>(Set.of(OVER_RDMA.getSimpleName()));
        programs().forEach(each -> run.add(((Class<?>) each.get()[0]).getSimpleName()));

        final Set<String> written = new TreeSet<>();
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.map(source -> NUMBERED.matcher(source.getFileName().toString())).filter(Matcher::matches)
                .forEach(name -> written.add(name.group(1)));
        }
        assertEquals(written, run);
    }

    /** All but the device is as on two hosts. */
    @Test
    void shouldSendOverRdmaToWhoeverHoldsTheKey() throws Exception {
        final Path classes = SoftwareRdma.compile(folder);
        final String key = keyFile();
        try (SluiceProcess subscriber = start(classes, "subscribe", key);
            SluiceProcess publisher = start(classes, "publish", key)) {
            assertEquals(0, publisher.exitCode(), () -> publisher.output() + errors(publisher));
            assertEquals("sent\n", publisher.output());
            assertEquals(0, subscriber.exitCode(), () -> subscriber.output() + errors(subscriber));
            assertEquals("EURUSD 1.0842\n", subscriber.output());
        }
    }

    private SluiceProcess start(final Path classes, final String side, final String key) throws IOException {
        return SluiceProcess.startBehind(classes, folder, OVER_RDMA, side, ADDRESS, key);
    }

    /** A file that only its owner may read: no other one is taken. */
    private String keyFile() throws IOException {
        final Path file = Files.createFile(folder.resolve("sluice.key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, "f3a0c6f2c1d84be7a6f15f08d0c9b7e1").toString();
    }

    @Test
    void shouldSayHowTheProgramOverRdmaIsCalled() throws Exception {
        try (SluiceProcess process = SluiceProcess.start(folder, OVER_RDMA)) {
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
