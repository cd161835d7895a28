package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchLockTest {
    @TempDir
    private Path directory;

    /** The machine's files, in another folder for everybody. */
    private SharedFiles files() {
        return (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                try {
                    return method.getName().equals("sharedDirectory")
                        ? directory : method.invoke(SystemEnvironment.instance().files(), arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });
    }

    @Test
    void shouldWaitInAFolderOfTheUsersOwn() throws IOException {
        final Path folder = BenchLock.file(files()).getParent();
        assertEquals(directory, folder.getParent());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThrows(IOException.class, () -> BenchLock.file(files()), "somebody else may have made it");
    }

    /** Users without an entry in the password file are all called "?" by the JDK. */
    @Test
    void shouldTellUsersWithoutANameApart() throws IOException {
        final String name = System.getProperty("user.name");
        try {
            System.setProperty("user.name", "?");
            assertEquals("sluice-bench-" + Files.getAttribute(directory, "unix:uid"),
                BenchLock.file(files()).getParent().getFileName().toString());
        } finally {
            System.setProperty("user.name", name);
        }
    }
}
