package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.lmax.disruptor.RingBuffer;
import io.sluice.codec.FrameDescriptor;
import io.sluice.samples.learn.Sample8RdmaWithKey;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.transport.Transport;
import io.sluice.verbs.RdmaDevice;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs to learn from as a module of their own, with all else on the module path: what Sluice's modules export
 * and require is enough to compile and to run them.
 */
@Tag("slow")
class LearnModuleTest {
    private static final Path SOURCES = Path.of("src/main/java/io/sluice/samples/learn");
    private static final String MODULE = "learn";

    @TempDir
    private static Path folder;

    private static String modulePath;

    @BeforeAll
    static void compile() throws Exception {
        final Path descriptor = folder.resolve("module-info.java");
        Files.writeString(descriptor,
            "module " + MODULE + " { requires io.sluice.transport; requires io.sluice.samples.marketdata; }");
        final Path classes = folder.resolve(MODULE);
        modulePath = modules();
        final List<String> arguments = new ArrayList<>(List.of(
            "-Xlint:all,-requires-automatic", "-Werror", "-p", modulePath, "-d", classes.toString(),
            descriptor.toString()));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.map(Path::toString).forEach(arguments::add);
        }
        final StringWriter output = new StringWriter();
        final PrintWriter writer = new PrintWriter(output);
        assertEquals(0, ToolProvider.findFirst("javac").orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new)), output::toString);
        modulePath += File.pathSeparator + classes;
    }

    /** The places that this JVM has them from. */
    static String modules() throws URISyntaxException {
        final List<String> paths = new ArrayList<>();
        for (final Class<?> one : List.of(
            Transport.class, FrameDescriptor.class, RdmaDevice.class, TradeEncoder.class, DirectBuffer.class,
            RingBuffer.class)) {
            paths.add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
        }
        return String.join(File.pathSeparator, paths);
    }

    private static SluiceProcess start(final Class<?> program) throws Exception {
        return SluiceProcess.module(folder, modulePath, MODULE + "/" + program.getName());
    }

    @ParameterizedTest
    @MethodSource("io.sluice.samples.LearnTest#programs")
    void shouldDoWhatItSays(final Class<?> program, final String output) throws Exception {
        try (SluiceProcess process = start(program)) {
            assertEquals(0, process.exitCode(), () -> process.output() + LearnTest.errors(process));
            assertTrue(process.output().matches(output), process::output);
        }
    }

    @Test
    void shouldSayHowTheProgramOverRdmaIsCalled() throws Exception {
        try (SluiceProcess process = start(Sample8RdmaWithKey.class)) {
            assertEquals(2, process.exitCode());
            assertEquals(
                List.of("usage: Sample8RdmaWithKey subscribe|publish HOST:PORT KEY-FILE"), process.errorLines());
        }
    }
}
