package io.sluice.transport.harness;

import io.sluice.verbs.RdmaDevice;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A fresh folder of shared memory for one test, in which its processes meet; a folder on disk for their journals; and
 * the children themselves, which are gone when the test is over, however it ends. When it fails, what they said is part
 * of the failure.
 */
public final class Fabric implements BeforeEachCallback, AfterEachCallback, TestExecutionExceptionHandler {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Below this much room (containers often give 64 MiB) the folder lies on disk. */
    private static final long MIN_SHARED_MEMORY = 512L << 20;

    private final List<ChildJvm> children = new ArrayList<>();
    private final TestMedium medium = new TestMedium();
    private Path directory;
    private Path journals;

    @Override
    public void beforeEach(final ExtensionContext context) throws IOException {
        final boolean isInMemory = Files.isWritable(SHARED_MEMORY)
            && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= MIN_SHARED_MEMORY;
        directory = isInMemory
            ? Files.createTempDirectory(SHARED_MEMORY, "sluice-test-")
            : Files.createTempDirectory("sluice-test-");
        journals = Files.createTempDirectory("sluice-journals-");
        Runtime.getRuntime().addShutdownHook(new Thread(this::cleanUp));
    }

    /** The folder of the software device. */
    public Path directory() {
        return directory;
    }

    /** A channel of this test, see {@link TestMedium#channel}. */
    public String channel(final String parameters) {
        return medium.channel(parameters);
    }

    /** A device that reaches the transports of this test, to be closed by the caller. */
    RdmaDevice openDevice() {
        return TestMedium.openDevice(directory);
    }

    /** The addresses of those who subscribe to {@code channel("")}. */
    List<String> listeners(final RdmaDevice device) {
        return medium.listeners(device);
    }

    /** A channel of this test with several subscribing transports, see {@link TestMedium#fanOut}. */
    public String fanOut(final String parameters) {
        return medium.fanOut(parameters);
    }

    /** The channel of one of several publishing transports, see {@link TestMedium#ofPublisher}. */
    public String ofPublisher(final int number, final String parameters) {
        return medium.ofPublisher(number, parameters);
    }

    /** The channels of all of them, see {@link TestMedium#ofAllPublishers}. */
    public String ofAllPublishers(final int count, final String parameters) {
        return medium.ofAllPublishers(count, parameters);
    }

    /** The folder of journals and error outputs. */
    public Path journals() {
        return journals;
    }

    /** The files that the devices' folders hold now and whose name fits a regular expression. */
    public List<File> files(final String name) {
        TestMedium.assumeSoftware();
        final List<File> found = new ArrayList<>();
        // lists of names only: files come and go meanwhile
        for (final File folder : listOf(directory.toFile())) {
            for (final File file : listOf(folder)) {
                if (file.getName().matches(name)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static File[] listOf(final File folder) {
        final File[] files = folder.listFiles();
        return files == null ? new File[0] : files;
    }

    /** The files that hold the bytes of memory regions of a length: of a window's length, logs and rings. */
    public long regions(final int length) {
        return files("r.*\\.d").stream().filter(file -> file.length() == length).count();
    }

    /** Start a process of {@link PeerMain} with system properties, and wait until its transport is up. */
    public ChildJvm start(final String name, final String... properties) {
        final ChildJvm child = launch(name, properties);
        child.await("READY");
        return child;
    }

    /** Start a process of {@link PeerMain} that says READY when its transport is up. */
    public ChildJvm launch(final String name, final String... properties) {
        return startMain(name, PeerMain.class, properties);
    }

    /** Start processes of {@link PeerMain} all at once, and wait until their transports are up. */
    public List<ChildJvm> startAll(final List<String> names, final String... properties) {
        final List<ChildJvm> started = names.stream().map(name -> launch(name, properties)).toList();
        started.forEach(child -> child.await("READY"));
        return started;
    }

    /** Start a process of {@link CloseRaces} with system properties. */
    public ChildJvm startRaces(final String name, final String... properties) {
        return startMain(name, CloseRaces.class, properties);
    }

    /** Start a process of {@link PeerMain} by a command that runs another one, and wait until its transport is up. */
    public ChildJvm startBy(final List<String> wrapper, final String name, final String... properties) {
        final ChildJvm child = startMain(wrapper, name, PeerMain.class, properties);
        child.await("READY");
        return child;
    }

    /** Start a process of any program with system properties and JVM flags; its arguments are the two folders. */
    public ChildJvm startMain(final String name, final Class<?> main, final String... properties) {
        return startMain(List.of(), name, main, properties);
    }

    private ChildJvm startMain(
        final List<String> wrapper, final String name, final Class<?> main, final String... properties) {
        TestCard.assumeOneProcess();
        final List<String> flags = new ArrayList<>();
        for (final String property : properties) {
            flags.add(property.startsWith("-") ? property : "-D" + property);
        }
        final ChildJvm child = ChildJvm.start(name, journals, wrapper, main, ChildClasses.flags(), flags,
            List.of(directory.toString(), journals.toString()));
        synchronized (children) {
            children.add(child);
        }
        return child;
    }

    @Override
    public void handleTestExecutionException(final ExtensionContext context, final Throwable failure) throws Throwable {
        for (final ChildJvm child : copyOfChildren()) {
            failure.addSuppressed(new AssertionError(child.describe()));
        }
        throw failure;
    }

    @Override
    public void afterEach(final ExtensionContext context) {
        closeChildren();
        final List<Path> crashes = crashes();
        final String report = crashes.isEmpty() ? "" : read(crashes.getFirst());
        cleanUp();
        if (!crashes.isEmpty()) {
            throw new AssertionError("a JVM crashed: " + crashes + "\n" + report);
        }
        TestCard.check();
    }

    private List<Path> crashes() {
        try (Stream<Path> files = Files.list(journals)) {
            return files.filter(file -> file.toString().endsWith(".hs_err")).toList();
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ex) {
            return ex.toString();
        }
    }

    private List<ChildJvm> copyOfChildren() {
        synchronized (children) {
            return List.copyOf(children);
        }
    }

    private void closeChildren() {
        copyOfChildren().forEach(ChildJvm::close);
    }

    private void cleanUp() {
        closeChildren();
        delete(directory);
        delete(journals);
    }

    static void delete(final Path folder) {
        if (folder != null) {
            // whoever is stopped from outside still has threads that make and delete files in it
            IoUtil.delete(folder.toFile(), true);
        }
    }
}
