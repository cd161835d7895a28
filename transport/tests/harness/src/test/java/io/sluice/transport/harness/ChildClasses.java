package io.sluice.transport.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * The classes that the processes of the tests are started from. Where this JVM has its classes in folders, as in the
 * build, they get them in files, with a cache in which they are loaded and linked already (JEP 514): a process is
 * then up in less than half the time, of which a run has a thousand. Made by the first that asks, once for each run.
 */
final class ChildClasses {
    private static final Path FOLDER = Path.of("target", "child-jvm").toAbsolutePath();
    private static final long TRAINING_MESSAGES = 1_000;

    private ChildClasses() {
    }

    /** The flags for the class path of a child, and for its cache. */
    static List<String> flags() {
        return Holder.FLAGS;
    }

    private static List<String> make() {
        final List<String> folders = new ArrayList<>();
        final List<String> files = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            (Files.isDirectory(Path.of(entry)) ? folders : files).add(entry);
        }
        if (folders.isEmpty()) {
            return List.of("-cp", System.getProperty("java.class.path"));
        }
        try {
            Files.createDirectories(FOLDER);
            files.addAll(0, pack(folders));
            final List<String> classPath = List.of("-cp", String.join(File.pathSeparator, files));
            final List<String> flags = new ArrayList<>(classPath);
            flags.add("-XX:AOTCache=" + train(classPath));
            return List.copyOf(flags);
        } catch (final IOException ex) {
            throw new AssertionError("cannot write to " + FOLDER, ex);
        }
    }

    /** Packs each folder by itself: what a release puts into all of them may be in each but once. */
    private static List<String> pack(final List<String> folders) {
        final List<String> packed = new ArrayList<>();
        for (final String folder : folders) {
            final Path file = FOLDER.resolve("classes-" + packed.size() + ".jar");
            final List<String> arguments =
                List.of("--create", "--no-compress", "--file", file.toString(), "-C", folder, ".");
            final int status = ToolProvider.findFirst("jar").orElseThrow()
                .run(System.out, System.err, arguments.toArray(String[]::new));
            if (status != 0) {
                throw new AssertionError("jar " + arguments + ": status=" + status);
            }
            packed.add(file.toString());
        }
        return packed;
    }

    /** Has one process do what most do; it writes its cache when it ends. */
    private static Path train(final List<String> classPath) throws IOException {
        final Path cache = FOLDER.resolve("classes.aot");
        Files.deleteIfExists(cache);
        final Path directory = Files.createTempDirectory("sluice-test-");
        final Path journals = Files.createTempDirectory("sluice-journals-");
        try (ChildJvm child = ChildJvm.start("training", journals, List.of(), PeerMain.class, classPath,
            List.of("-XX:AOTCacheOutput=" + cache), List.of(directory.toString(), journals.toString()))) {
            final String channel = " channel=sluice:ipc?endpoint=training stream=1";
            child.await("READY");
            child.ask("subscribe name=s" + channel, "OK");
            child.ask("publish lengths=mix name=p id=1" + channel, "OK");
            child.awaitMessages("s", TRAINING_MESSAGES);
            child.exit();
        } finally {
            Fabric.delete(directory);
            Fabric.delete(journals);
        }
        return cache;
    }

    private static final class Holder {
        static final List<String> FLAGS = make();
    }
}
