package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.Environment;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for the lock of the fabric, and for how long, on a clock that only waiting moves. */
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
        assertTrue(ex.getMessage().contains("for more than 5 s: look for a stopped process"), ex.getMessage());
        assertEquals(2, turns);
    }

    @Test
    void shouldNotNeedTheCountOfTurns() throws IOException {
        final Path count = fabric.path().resolve(FabricNames.TURNS);
        SystemEnvironment.instance().files().createDirectory(count);
        acquire().close();
        SystemEnvironment.instance().files().delete(count);
        SystemEnvironment.instance().files().create(count, 3).close();
        acquire().close();
    }

    /** As when the JVM has no memory for a thread: all processes of the user would wait for this one to end. */
    @Test
    void shouldLetGoOfTheLockWhenItCannotEvenFail() throws IOException {
        acquire().close();
        final SharedFiles real = SystemEnvironment.instance().files();
        final SharedFiles failing = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (method.getName().equals("open") && arguments[1].equals(true)) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return method.invoke(real, arguments);
            });
        final Environment environment = new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return failing;
            }
        };
        assertThrows(OutOfMemoryError.class, () -> FabricLock.acquire(environment, fabric.path(), CALL));
        held = FabricLock.tryAcquire(SystemEnvironment.instance(), fabric.path());
        assertNotNull(held, "nobody has it");
    }
}
