package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal of the operating system is told with its own number and what to do; nobody is taken for dead. */
class SystemRefusalTest {
    private static final int ENOSPC = 28;
    private static final String ADDRESS = "prices/1";

    private final TemporaryFabric fabric = new TemporaryFabric();
    private String refusedMethod = "";
    private String refusedPath = "";
    private String reason;

    private SoftwareDevice open() {
        final SharedFiles real = SystemEnvironment.instance().files();
        final SharedFiles files = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (proxy, method, arguments) -> {
                if (method.getName().equals(refusedMethod) && arguments[0].toString().contains(refusedPath)) {
                    throw new FileSystemException(arguments[0].toString(), null, reason);
                }
                try {
                    return method.invoke(real, arguments);
                } catch (final InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        return SoftwareDevice.open(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return files;
            }
        }, fabric.path());
    }

    private void refuse(final String method, final String path, final String newReason) {
        refusedMethod = method;
        refusedPath = path;
        reason = newReason;
    }

    @AfterEach
    void close() throws Exception {
        fabric.close();
    }

    @ParameterizedTest
    @CsvSource({
        "createDirectory, No space left on device, 28, df -i", "createDirectory, Read-only file system, 30, read-only",
        "tryLock, No space left on device, 28, df -i", "tryLock, Too many open files, 24, ulimit -n",
        "tryLock, Too many open files in system, 23, fs.file-max", "tryLock, Permission denied, 13, Permission"})
    void shouldTellWhatAFolderOrItsLockLacks(
        final String method, final String text, final int errno, final String remedy) {
        refuse(method, "", text);
        final VerbsException e = assertThrows(VerbsException.class, this::open);
        assertEquals(errno, e.errno(), e.getMessage());
        assertTrue(e.getMessage().contains(Errno.describe(errno)), e.getMessage());
        assertTrue(e.getMessage().contains(remedy), e.getMessage());
    }

    @Test
    void shouldTellWhatListeningLacks() {
        try (SoftwareDevice device = open()) {
            refuse("create", "/l/", "No space left on device");
            final VerbsException e = assertThrows(VerbsException.class, () -> device.listen(ADDRESS, 1));
            assertEquals(ENOSPC, e.errno(), e.getMessage());
            assertTrue(e.getMessage().contains("df -i"), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Too many open files", "Too many open files in system"})
    void shouldTakeNobodyForDeadWhomItLacksDescriptorsToLookAt(final String text) {
        try (SoftwareDevice device = open(); Listener listener = device.listen(ADDRESS, 1)) {
            refuse("view", "/l/", text);
            assertTrue(assertThrows(VerbsException.class, this::open).getMessage().contains(text));
            assertTrue(assertThrows(VerbsException.class, () -> device.listen(ADDRESS, 1)).getMessage().contains(text));
            refuse("", "", "");
            assertEquals(List.of(ADDRESS), device.listeners("prices").stream().toList());
            assertEquals(ADDRESS, listener.address());
        }
    }

    /** A process has as many descriptors as the limit allows, all in use. */
    @EnabledOnOs(OS.LINUX)
    @Test
    void shouldSayThatDescriptorsAreWhatIsMissing() throws IOException {
        try (ChildJvm child = ChildJvm.startAfter(
            "ulimit -n 256", WantingProgram.class, fabric.path().toString(), "descriptors")) {
            final String line = child.readLine();
            assertTrue(line.contains(Errno.describe(Errno.EMFILE)), line);
            assertTrue(line.contains("ulimit -n"), line);
        }
    }

    /** One for the file system itself, one for its folder of the fabric. */
    @EnabledOnOs(OS.LINUX)
    @Test
    void shouldSayThatInodesAreWhatIsMissing(@TempDir final Path directory) throws Exception {
        final String mount = "unshare -mpf --mount-proc sh -c 'mount -t tmpfs -o nr_inodes=2 none " + directory;
        final Process process = new ProcessBuilder("sh", "-c", mount + "'").redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes());
        assumeTrue(process.waitFor() == 0, "needs namespaces, which only root can make: " + text);
        try (ChildJvm child = ChildJvm.startAfter("set -- " + mount + " && exec \"$@\"' sh \"$@\"",
            WantingProgram.class, directory.resolve("sluice").toString(), "inodes")) {
            final String line = child.readLine();
            assertTrue(line.contains(Errno.describe(ENOSPC)), line);
            assertTrue(line.contains("df -i"), line);
        }
    }
}
