package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.lmax.disruptor.RingBuffer;
import com.sun.management.ThreadMXBean;
import io.sluice.codec.FrameDescriptor;
import io.sluice.samples.marketdata.TradeDecoder;
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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Runs tests of the transport once more, with Sluice and its libraries on the module path, and so the processes that
 * they start. Tests have packages of the transport, which a class path cannot add to: they lie in its module's folder,
 * a copy, since a module that is patched takes no class from the JVM's archive, so that each process would start
 * later. Another module is reached by what it exports only, and native code is called from
 * {@code io.sluice.verbs} or not at all. Tests with the tags {@value #LONG_ONES} are left out, unless the system
 * property {@value #EXCLUDED} says others, and fuzzers always; a mode meets one kind of log. One thread.
 */
public final class ModulePathRun {
    /** The module of messages that tests send, which the transport does not ask for. */
    private static final String MARKET_DATA = TradeDecoder.class.getPackageName();
    /**
     * Modules by which a test learns what it allocates, and its JVM's flags, which the processes that it starts get,
     * too.
     */
    private static final String MANAGEMENT =
        ManagementFactory.class.getModule().getName() + "," + ThreadMXBean.class.getModule().getName();
    /** The flags of a program on the module path, seen from a module of {@code transport/tests}. */
    private static final Path ACCESS = Path.of("../../../.config/jvm/access-modules").toAbsolutePath().normalize();
    /** The transport's classes as javac leaves them: in a jar the descriptor lists all packages that there may be. */
    private static final Path TRANSPORT = Path.of("../../target/classes").toAbsolutePath().normalize();
    private static final Path SLUICE_TESTS = Path.of("io", "sluice", "transport");
    /** The system property of tags whose tests are left out, an expression of JUnit's. */
    private static final String EXCLUDED = "sluice.test.modules.excluded";
    /** The tags of tests that wait, kill and repeat: a module is left or entered alike in a short one. */
    private static final String LONG_ONES = "long | slow";
    /** The ending of the names of tests that make one call a million times, for minutes where compilers are quick. */
    private static final String FUZZERS = "FuzzTest";
    /** The JVM's other compilers have run the same tests on the class path. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private final Path folder;
    /** The transport's module, with tests in it. */
    private final Path module;

    /**
     * Gathers tests.
     *
     * @param folder for them, and for what they print.
     * @param one    any class of the module whose tests they are, beside those of the harness and of the transport.
     */
    public ModulePathRun(final Path folder, final Class<?> one) throws IOException, URISyntaxException {
        this.folder = folder;
        module = Files.createDirectories(folder.resolve("transport"));
        copy(TRANSPORT, Path.of(""));
        for (final Class<?> each : List.of(Await.class, TestProgram.class, one)) {
            inside(each, root -> copy(root, SLUICE_TESTS));
        }
    }

    /** {@return the packages that have tests in the module of a class} */
    public static List<String> packages(final Class<?> one) throws IOException, URISyntaxException {
        final List<String> found = new ArrayList<>();
        inside(one, root -> {
            try (Stream<Path> files = Files.walk(root.resolve(SLUICE_TESTS.toString()))) {
                files.filter(ModulePathRun::isTest).map(file -> root.relativize(file.getParent()).toString())
                    .map(ModulePathRun::dotted).distinct().sorted().forEach(found::add);
            }
        });
        return found;
    }

    /**
     * Runs the tests beside one, in its package, and fails when one of them does. Over another medium than ipc nothing
     * runs.
     *
     * @param folder for them, and for what they print.
     * @param one    that asks for it, and does not run itself.
     * @param flags  of the JVM, in addition.
     */
    public static void assertNeighboursPass(final Path folder, final Class<?> one, final String... flags)
        throws Exception {
        TestMedium.assumeIpc();
        new ModulePathRun(folder, one).assertPass(one.getPackageName(), Set.of(one.getName()), flags);
    }

    /**
     * Runs the tests of a package, and fails when one of them does.
     *
     * @param tested package.
     * @param butFor names of classes that cannot run so.
     * @param flags  of the JVM, in addition.
     */
    public void assertPass(final String tested, final Set<String> butFor, final String... flags) throws Exception {
        assertEquals(0, run(tested, butFor, flags), () -> "of " + tested + ": " + text(tested));
    }

    /** {@return the exit code of {@link TestProgram}} */
    private int run(final String tested, final Set<String> butFor, final String... flags) throws Exception {
        final List<String> command = command();
        command.addAll(List.of(flags));
        command.addAll(List.of("-m", "io.sluice.transport/" + TestProgram.class.getName()));
        command.addAll(classes(tested, butFor));
        final Process process = new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(output(tested).toFile()).start();
        try {
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    /** {@return the text that the tests of a package have printed} */
    private String text(final String tested) {
        try {
            return Files.readString(output(tested));
        } catch (final IOException ex) {
            return ex.toString();
        }
    }

    private Path output(final String tested) {
        return folder.resolve(tested + ".txt");
    }

    /** The place that a class was loaded from: a folder of the build, or a jar. */
    private static Path sourceOf(final Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void inside(final Class<?> one, final Visitor visitor) throws IOException, URISyntaxException {
        final Path source = sourceOf(one);
        if (Files.isDirectory(source)) {
            visitor.visit(source);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(source)) {
                visitor.visit(jar.getPath("/"));
            }
        }
    }

    /** Copies a part of a folder: of tests those without stubs in packages of other modules. */
    private void copy(final Path root, final Path part) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(part.toString()))) {
            for (final Path file : files.toList()) {
                final Path target = module.resolve(root.relativize(file).toString());
                if (!Files.isDirectory(file)) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    private List<String> command() throws IOException, URISyntaxException {
        final List<Path> modules = new ArrayList<>(List.of(module));
        for (final Class<?> one : List.of(
            FrameDescriptor.class, RdmaDevice.class, DirectBuffer.class, RingBuffer.class,
            TradeDecoder.class)) {
            modules.add(sourceOf(one));
        }
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + ACCESS,
            QUICK_COMPILER,
            "-Dsluice.verbs.critical=false", "-Dsluice.test.timeout=120 s",
            "-D" + Transports.EACH_MODE_ONCE + "=true",
            "-D" + TestProgram.EXCLUDED + "=" + System.getProperty(EXCLUDED, LONG_ONES),
            "--module-path=" + joined(modules.stream()),
            "--add-modules=" + MARKET_DATA + "," + MANAGEMENT,
            "--add-reads=io.sluice.transport=ALL-UNNAMED," + MARKET_DATA + "," + MANAGEMENT));
        for (final String name : packages()) {
            command.add("--add-opens=io.sluice.transport/" + name + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", joined(Arrays.stream(System.getProperty("java.class.path")
            .split(File.pathSeparator)).map(Path::of)
            .filter(entry -> !modules.contains(entry) && !isOfSluice(entry)))));
        return command;
    }

    /** Classes of Sluice and of its tests; the libraries that are left are those of JUnit. */
    private static boolean isOfSluice(final Path entry) {
        return Files.isDirectory(entry) || entry.getFileName().toString().startsWith("sluice-");
    }

    private static String joined(final Stream<Path> paths) {
        return paths.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(module)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                .map(file -> dotted(module.relativize(file.getParent()).toString())).distinct()
                .filter(name -> !name.isEmpty()).toList();
        }
    }

    private List<String> classes(final String tested, final Set<String> butFor) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve(tested.replace('.', File.separatorChar)))) {
            return files.filter(ModulePathRun::isTest)
                .map(file -> dotted(module.relativize(file).toString()).replaceFirst("\\.class$", ""))
                .filter(name -> !butFor.contains(name) && !name.endsWith(FUZZERS)).sorted().toList();
        }
    }

    private static boolean isTest(final Path file) {
        return file.toString().endsWith("Test.class");
    }

    private static String dotted(final String path) {
        return path.replace(File.separatorChar, '.');
    }

    /** Looks at a folder of classes. */
    @FunctionalInterface
    private interface Visitor {
        void visit(Path root) throws IOException;
    }
}
