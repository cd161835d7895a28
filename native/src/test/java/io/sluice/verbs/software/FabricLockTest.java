package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.Environment;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for the lock of the fabric: whose, and for how long, on a clock that only waiting moves. */
class FabricLockTest {
    private static final String CALL = "ibv_open_device";
    private static final long HELD_NS = SoftwareLimits.FABRIC_LOCK_TIMEOUT_NS * 3 / 4;

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SteppedEnvironment waiting = new SteppedEnvironment();
    private FabricLock held;
    private int turns;

    @BeforeEach
    void makeFabric() throws IOException {
        SystemEnvironment.instance().files().createDirectory(fabric.path());
    }

    @AfterEach
    void delete() throws IOException {
        if (held != null) {
            held.close();
        }
        fabric.close();
    }

    private FabricLock acquire() throws IOException {
        return FabricLock.acquire(SystemEnvironment.instance(), fabric.path(), CALL);
    }

    /** The holder lets go, and the next one is quicker than the one that waits. */
    private void passOn(final int most) {
        waiting.advance(HELD_NS);
        try {
            held.close();
            held = null;
            if (turns++ < most) {
                held = acquire();
            }
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldWaitAsLongAsTheLockGoesFromHandToHand() throws IOException {
        held = acquire();
        waiting.onPark(() -> passOn(10));
        FabricLock.acquire(waiting, fabric.path(), CALL).close();
        assertEquals(11, turns, "it came last");
    }

    @Test
    void shouldGiveUpWhenOneHolderKeepsTheLock() throws IOException {
        acquire().close();
        held = acquire();
        waiting.onPark(() -> {
            waiting.advance(HELD_NS);
            turns++;
        });
        final VerbsException ex =
            assertThrows(VerbsException.class, () -> FabricLock.acquire(waiting, fabric.path(), CALL));
        assertEquals(Errno.EBUSY, ex.errno());
        assertTrue(ex.getMessage().contains("for more than 20 s: look for a stopped process"), ex.getMessage());
        assertEquals(2, turns);
    }

    @Test
    void shouldNotNeedTheCountOfTurns() throws IOException {
        final Environment full = environment(new IOException("no space left"), "create", false);
        FabricLock.acquire(full, fabric.path(), CALL).close();
        assertFalse(Files.exists(count()));
    }

    /** Else one who waits takes a lock that goes from hand to hand for a stuck one, for ever. */
    @Test
    void shouldMakeTheCountOfTurnsAnewWhereItIsNone() throws IOException {
        SystemEnvironment.instance().files().create(count(), 3).close();
        assertCountsAnew();
        try (RandomAccessFile stretched = new RandomAccessFile(count().toFile(), "rw")) {
            stretched.setLength(1L << 40);
        }
        assertCountsAnew();
        Files.setPosixFilePermissions(count(), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertCountsAnew();
        Files.delete(count());
        Files.createDirectory(count());
        assertCountsAnew();
    }

    private void assertCountsAnew() throws IOException {
        acquire().close();
        assertEquals(1, turnsCounted());
        acquire().close();
        assertEquals(2, turnsCounted());
    }

    private long turnsCounted() throws IOException {
        try (MappedMemory memory = SystemEnvironment.instance().files().view(count(), Long.BYTES)) {
            assertEquals(Long.BYTES, memory.length());
            return UnsafeApi.getLong(memory.address());
        }
    }

    private Path count() {
        return fabric.path().resolve(FabricNames.TURNS);
    }

    /** An environment whose files fail where one is created, or opened to be written to. */
    private static Environment environment(final Throwable failure, final String call, final boolean isForWriting) {
        final SharedFiles real = SystemEnvironment.instance().files();
        final SharedFiles files = (SharedFiles) Proxy.newProxyInstance(
            FabricLockTest.class.getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (method.getName().equals(call) && (!isForWriting || arguments[1].equals(true))) {
                    throw failure;
                }
                try {
                    return method.invoke(real, arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });
        return new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return files;
            }
        };
    }

    /** The JVM may have no memory for a thread: all processes of the user would wait for this one to end. */
    @Test
    void shouldLetGoOfTheLockWhenItCannotEvenFail() throws IOException {
        acquire().close();
        final Environment failing =
            environment(new OutOfMemoryError("unable to create native thread"), "open", true);
        assertThrows(OutOfMemoryError.class, () -> FabricLock.acquire(failing, fabric.path(), CALL));
        held = FabricLock.tryAcquire(SystemEnvironment.instance(), fabric.path());
        assertNotNull(held, "nobody has it");
    }
}
