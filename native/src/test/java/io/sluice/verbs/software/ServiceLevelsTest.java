package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The levels of addresses, which go with the last address in them. */
class ServiceLevelsTest {
    private static final String LEVEL = "ipc/prices";
    private static final int BACKLOG = 4;
    private static final int THREADS = 2;
    private static final int ROUNDS = 200;

    @TempDir
    private Path directory;

    private SoftwareDevice open() {
        return SoftwareDevice.open(SystemEnvironment.instance(), directory.resolve("f"));
    }

    private List<Path> levels() throws IOException {
        final Path root = directory.resolve("f").resolve(FabricNames.SERVICES);
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> !path.equals(root)).toList();
        }
    }

    @Test
    void shouldRemoveLevelsWithTheLastAddressInThem() throws IOException {
        try (SoftwareDevice device = open(); SoftwareDevice other = open()) {
            final Listener first = device.listen(LEVEL + "/1", BACKLOG);
            final Listener second = other.listen(LEVEL + "/2", BACKLOG);
            first.close();
            assertEquals(List.of(LEVEL + "/2"), device.listeners("ipc"));
            second.close();
            assertEquals(List.of(), levels());
        }
    }

    @Test
    void shouldMakeTheAddressesOfALevelAnewOnlyWhenItHasChanged() throws IOException {
        try (SoftwareDevice device = open(); SoftwareDevice other = open();
            Listener first = device.listen(LEVEL + "/1", BACKLOG)) {
            // rested for longer than a tick of the file system's clock
            Files.setLastModifiedTime(
                directory.resolve("f").resolve(FabricNames.SERVICES).resolve("ipc=/prices="), FileTime.fromMillis(1));
            final List<String> listed = other.listeners(LEVEL);
            assertEquals(List.of(first.address()), listed);
            assertEquals(listed, other.listeners(LEVEL));
            assertSame(other.listeners(LEVEL), other.listeners(LEVEL));
            final Listener second = device.listen(LEVEL + "/2", BACKLOG);
            assertEquals(List.of(first.address(), second.address()), other.listeners(LEVEL));
            second.close();
            assertEquals(List.of(first.address()), other.listeners(LEVEL));
        }
    }

    @Test
    void shouldRemoveLevelsThatOthersHaveLeftBehind() throws IOException {
        open().close();
        SystemEnvironment.instance().files().createDirectory(
            directory.resolve("f").resolve(FabricNames.SERVICES).resolve("ipc=/prices="));
        open().close();
        assertEquals(List.of(), levels());
    }

    /** One makes the level in which the other has just closed the last address. */
    @Test
    void shouldListenWhileOthersRemoveTheSameLevel() throws Exception {
        final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            final List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                final String address = LEVEL + "/" + i;
                all.add(threads.submit((Callable<Void>) () -> {
                    try (SoftwareDevice device = open()) {
                        for (int round = 0; round < ROUNDS; round++) {
                            try (Listener _ = device.listen(address, BACKLOG)) {
                                assertNull(device.missing());
                            }
                        }
                    }
                    return null;
                }));
            }
            for (final Future<Void> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(List.of(), levels());
    }
}
