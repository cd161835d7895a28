package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The header of a region that somebody has removed is made anew while the device is used. */
class RestoredHeaderTest {
    private static final int LENGTH = 4096;
    private static final int DEADLINE_SECONDS = 20;

    @TempDir
    private Path directory;
    private SoftwareDevice device;
    private SoftwareProtectionDomain domain;
    private SoftwareRegion region;
    private Path header;
    /** Runs when the header's file is there and nothing is in it. */
    private Runnable onceCreated = () -> { };

    @BeforeEach
    void open() throws IOException {
        device = SoftwareDevice.open(new Watched(), directory.resolve("f"));
        domain = (SoftwareProtectionDomain) device.allocateProtectionDomain();
        region = (SoftwareRegion) domain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        header = device.context().folder().resolve(FabricNames.regionHeader(region.localKey()));
        Files.delete(header);
    }

    @AfterEach
    void close() {
        region.close();
        domain.close();
        device.close();
    }

    @Test
    void shouldFindRegionsWhileAHeaderIsMade() throws IOException {
        final CompletableFuture<SoftwareRegion> found = new CompletableFuture<>();
        onceCreated = () -> {
            // what a post does on another thread
            CompletableFuture.supplyAsync(() -> domain.contents().region(region.localKey()))
                .thenAccept(found::complete);
            found.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
        };
        domain.restoreFiles();
        assertSame(region, found.join());
        assertTrue(Files.exists(header));
        assertNull(domain.missing());
    }

    @Test
    void shouldLeaveNoHeaderOfARegionThatIsClosedMeanwhile() throws IOException {
        onceCreated = region::close;
        domain.restoreFiles();
        assertFalse(Files.exists(header));
    }

    private final class Watched extends ForwardingEnvironment {
        Watched() {
            super(SystemEnvironment.instance());
        }

        @Override
        public SharedFiles files() {
            final SharedFiles real = super.files();
            return (SharedFiles) Proxy.newProxyInstance(
                SharedFiles.class.getClassLoader(), new Class<?>[] {SharedFiles.class}, (proxy, method, arguments) -> {
                    try {
                        final Object result = method.invoke(real, arguments);
                        if (method.getName().equals("create") && header != null && arguments[0].equals(header)) {
                            onceCreated.run();
                        }
                        return result;
                    } catch (final InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
        }
    }
}
