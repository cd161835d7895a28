package io.sluice.transport.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.lmax.disruptor.RingBuffer;
import io.sluice.codec.FrameDescriptor;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.Transport;
import io.sluice.transport.behaviour.host.WantOfDescriptorsTest;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.TestProgram;
import io.sluice.transport.kit.Await;
import io.sluice.verbs.RdmaDevice;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tests of this module once more, with Sluice and its libraries on the module path, and so the processes that they
 * start. Tests have packages of the transport, which a class path cannot add to: they become a part of its module.
 * Another module is reached by what it exports only, and native code is called from {@code io.sluice.verbs} or not at
 * all.
 */
@Tag("long")
@Timeout(600)
class ModulePathTest {
    /** The module of messages that tests send, which the transport does not ask for. */
    private static final String MARKET_DATA = TradeDecoder.class.getPackageName();
    /** By it a test learns the flags of its JVM, which the processes that it starts get, too. */
    private static final String MANAGEMENT = ManagementFactory.class.getModule().getName();
    /** Leaves its process no descriptor, and with it no class that is still in a folder: modules here are folders. */
    private static final String NEEDS_JARS = WantOfDescriptorsTest.class.getName();
    private static final Path SLUICE_TESTS = Path.of("io", "sluice", "transport");

    @TempDir
    private static Path folder;

    private static Path tests;

    @BeforeAll
    static void gatherTests() throws Exception {
        tests = Files.createDirectories(folder.resolve("tests"));
        for (final Class<?> one : List.of(Await.class, TestProgram.class, ModulePathTest.class)) {
            final Path source = sourceOf(one);
            if (Files.isDirectory(source)) {
                copy(source);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(source)) {
                    copy(jar.getPath("/"));
                }
            }
        }
    }

    /** Where a class was loaded from: a folder of the build, or a jar. */
    private static Path sourceOf(final Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Without stubs in packages of other modules. */
    private static void copy(final Path source) throws IOException {
        try (Stream<Path> files = Files.walk(source.resolve(SLUICE_TESTS.toString()))) {
            for (final Path file : files.toList()) {
                final Path target = tests.resolve(source.relativize(file).toString());
                if (!Files.isDirectory(file)) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "io.sluice.transport.behaviour.close", "io.sluice.transport.behaviour.device",
        "io.sluice.transport.behaviour.host", "io.sluice.transport.behaviour.link",
        "io.sluice.transport.behaviour.message", "io.sluice.transport.behaviour.pressure",
        "io.sluice.transport.reentrancy"})
    void shouldPassWithSluiceOnTheModulePath(final String tested) throws Exception {
        TestMedium.assumeIpc();
        final Path output = folder.resolve(tested + ".txt");

        final Process process = new ProcessBuilder(command(tested))
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();

        try {
            assertEquals(0, process.waitFor(), () -> "of " + tested + ": " + text(output));
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(final String tested) throws IOException, URISyntaxException {
        final List<Path> modules = new ArrayList<>();
        for (final Class<?> one : List.of(
            Transport.class, FrameDescriptor.class, RdmaDevice.class, DirectBuffer.class, RingBuffer.class,
            TradeDecoder.class)) {
            modules.add(sourceOf(one));
        }
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=org.agrona",
            "--enable-native-access=io.sluice.verbs", "--illegal-native-access=deny",
            "-Dsluice.verbs.critical=false", "-Dsluice.test.timeout=120 s",
            "--module-path=" + joined(modules.stream()),
            "--patch-module=io.sluice.transport=" + tests,
            "--add-modules=" + MARKET_DATA + "," + MANAGEMENT,
            "--add-reads=io.sluice.transport=ALL-UNNAMED," + MARKET_DATA + "," + MANAGEMENT));
        for (final String name : packages()) {
            command.add("--add-opens=io.sluice.transport/" + name + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", joined(Arrays.stream(System.getProperty("java.class.path")
            .split(File.pathSeparator)).map(Path::of)
            .filter(entry -> !modules.contains(entry) && !isOfSluice(entry)))));
        command.addAll(List.of("-m", "io.sluice.transport/" + TestProgram.class.getName()));
        command.addAll(classes(tested));
        return command;
    }

    /** Classes of Sluice and of its tests; the libraries that are left are those of JUnit. */
    private static boolean isOfSluice(final Path entry) {
        return Files.isDirectory(entry) || entry.getFileName().toString().startsWith("sluice-");
    }

    private static String joined(final Stream<Path> paths) {
        return paths.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.toString().endsWith(".class")).map(file -> dotted(file.getParent()))
                .distinct().toList();
        }
    }

    private static List<String> classes(final String tested) throws IOException {
        try (Stream<Path> files = Files.list(tests.resolve(tested.replace('.', File.separatorChar)))) {
            return files.filter(file -> file.toString().endsWith("Test.class"))
                .map(file -> dotted(file).replaceFirst("\\.class$", ""))
                .filter(name -> !name.equals(NEEDS_JARS)).sorted().toList();
        }
    }

    private static String dotted(final Path path) {
        return tests.relativize(path).toString().replace(File.separatorChar, '.');
    }

    private static String text(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ex) {
            return ex.toString();
        }
    }
}
