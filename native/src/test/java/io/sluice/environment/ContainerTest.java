package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that lack what ordinary ones have: containers, hardened services, small file systems. */
@EnabledOnOs(OS.LINUX)
class ContainerTest {
    private static final String NEW_NAMESPACES = "unshare -mpf --mount-proc ";
    /** Eight times the zeros that one file is written with. */
    private static final int DIRECT_MEMORY_MB = 2;
    /** Blocks of 512 bytes: less than a file of the program. */
    private static final int FEW_BLOCKS = 100;

    @TempDir
    private Path directory;

    private static String firstLine(final ChildJvm child) throws IOException {
        try (child) {
            return child.readLine();
        }
    }

    /**
     * A service with systemd's ProcSubset=pid has such a process: the JDK looks a file's mount point up in
     * /proc/mounts.
     */
    @Test
    void shouldCreateFilesWhereTheTableOfMountsIsHidden() throws Exception {
        final String hide = "mount -t proc -o subset=pid proc /proc";
        assumeInNewNamespaces(hide);
        assertEquals("done", inNewNamespaces(hide, directory, 1));
    }

    @Test
    void shouldSayThatInodesAreWhatIsMissing() throws Exception {
        // the directory's and the program's, and none for a file
        final String mount = "mount -t tmpfs -o nr_inodes=2 none " + directory;
        assumeInNewNamespaces(mount);
        final String line = inNewNamespaces(mount, directory.resolve("sluice"), 1);
        assertTrue(line.contains("df -i"), line);
    }

    @Test
    void shouldSayThatALimitOfTheProcessIsWhatIsMet() throws Exception {
        final String line = firstLine(ChildJvm.startAfter(
            "ulimit -f " + FEW_BLOCKS, FileProgram.class, directory.resolve("sluice").toString(), "1"));
        assertTrue(line.contains("errno=27 (EFBIG)") && line.contains("ulimit -f"), line);
    }

    /** A service may have UMask=0177 or 0777: neither the directories nor the files could be used by anybody. */
    @ParameterizedTest
    @ValueSource(strings = {"0177", "0777"})
    void shouldLetTheOwnerUseWhatItMakesWhateverTheUmask(final String umask) throws Exception {
        assertEquals("rwx------ rwx------ rw------- rw-------", firstLine(ChildJvm.startAfter(
            "umask " + umask, PermissionsProgram.class, directory.resolve("sluice").toString())));
    }

    /** A process may be in a container with a read-only root, where /dev/shm alone may be written to. */
    @Test
    void shouldLearnItsUserWhereTheTemporaryDirectoryCannotBeWrittenTo() throws IOException {
        assertEquals("done", firstLine(ChildJvm.start(
            FileProgram.class, "-Djava.io.tmpdir=" + directory.resolve("none"), directory.toString(), "1")));
    }

    /** A JVM may have -XX:+DisableExplicitGC: nobody collects what waits to be freed. */
    @Test
    void shouldNotUseUpDirectMemoryBetweenGarbageCollections() throws IOException {
        assertEquals("done", firstLine(ChildJvm.start(
            FileProgram.class, "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx256m",
            "-XX:MaxDirectMemorySize=" + DIRECT_MEMORY_MB + "m", directory.toString(), "50")));
    }

    /** Says the permissions of two directories, a lock and a file. */
    static final class PermissionsProgram {
        public static void main(final String[] arguments) throws Exception {
            final SharedFiles files = SystemEnvironment.instance().files();
            final Path parent = Path.of(arguments[0]);
            final Path child = parent.resolve("child");
            files.createDirectory(child);
            final Path lock = child.resolve("lock");
            final Path file = child.resolve("file");
            try (AutoCloseable _ = files.tryLock(lock); MappedMemory _ = files.create(file, 1)) {
                final StringJoiner line = new StringJoiner(" ");
                for (final Path path : List.of(parent, child, lock, file)) {
                    line.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
                }
                System.out.println(line);
            }
        }
    }

    private static void assumeInNewNamespaces(final String command) throws Exception {
        final Process process = new ProcessBuilder("sh", "-c", NEW_NAMESPACES + "sh -c '" + command + "'")
            .redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes());
        assumeTrue(process.waitFor() == 0, "needs namespaces, which only root can make: " + text);
    }

    private static String inNewNamespaces(final String command, final Path folder, final int files)
        throws IOException {
        return firstLine(ChildJvm.startAfter(
            "set -- " + NEW_NAMESPACES + "sh -c '" + command + " && exec \"$@\"' sh \"$@\"",
            FileProgram.class, folder.toString(), Integer.toString(files)));
    }
}
