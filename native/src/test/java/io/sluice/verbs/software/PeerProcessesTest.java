package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes that count as dead when nothing is connected to them any more. */
class PeerProcessesTest {
    private static final String LIVING = ProcessHandle.current().pid() + "-0123456789abcdef";
    private static final String OWN = ProcessHandle.current().pid() + "-00000000000000ff";
    /** Larger than Linux gives. */
    private static final String DEAD = (1 << 22) + 1 + "-0123456789abcdef";

    private final SharedFiles files = SystemEnvironment.instance().files();

    @TempDir
    private Path directory;
    private Path fabric;
    private PeerProcesses peers;

    @BeforeEach
    void make() throws IOException {
        fabric = directory.resolve("fabric");
        files.createDirectory(fabric);
        peers = new PeerProcesses(files, fabric, OWN);
    }

    @Test
    void shouldNotLookWhetherItsOwnProcessLives() throws Exception {
        files.tryLock(lock(OWN)).close();
        files.tryLock(lock(LIVING)).close();
        final PeerProcess own = peers.join(OWN);
        final PeerProcess other = peers.join(LIVING);

        assertEquals(1, peers.examine());
        assertFalse(own.isGone());
        assertTrue(other.isGone());
        peers.leave(own);
        peers.leave(other);
    }

    private Path lock(final String folder) throws IOException {
        files.createDirectory(fabric.resolve(folder));
        return fabric.resolve(folder).resolve(FabricNames.LOCK);
    }

    @Test
    void shouldTakeForDeadWhoseLockIsThereAndFree() throws IOException {
        Files.createFile(lock(DEAD));

        assertTrue(peers.isGone(DEAD));
    }

    /** The id says nothing: it may be of another process by now, or of one in another namespace. */
    @Test
    void shouldTakeForDeadWhoHasLostItsLockWhateverProcessHasItsId() throws Exception {
        final Path lock = lock(LIVING);
        files.tryLock(lock).close();

        assertTrue(peers.isGone(LIVING));
    }

    @Test
    void shouldTakeNobodyForDeadWhoseFolderSomebodyHasRemoved() {
        assertFalse(peers.isGone(LIVING));
        assertFalse(peers.isGone(DEAD), "of another namespace of processes, perhaps");
    }

    @Test
    void shouldTakeNobodyForDeadWhoMakesItsLockAnew() throws Exception {
        final Path lock = lock(LIVING);
        Files.createFile(lock);
        assertFalse(peers.isGone(LIVING), "before it is taken");

        try (AutoCloseable held = files.tryLock(lock)) {
            assertFalse(peers.isGone(LIVING), held::toString);
        }
    }
}
