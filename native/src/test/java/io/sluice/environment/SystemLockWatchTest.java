package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner is dead while a child that it has forked keeps its lock: only the name in the file tells. */
class SystemLockWatchTest {
    /** The bound that the decision on locks (028) tells. */
    private static final int LOOKS = 8;
    /** The id of no process, so that only the file can tell. */
    private static final long NOBODY = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    private final StubLockFile file = new StubLockFile(LockOwner.current());

    /** Looks until the owner is found dead, which is at most as often as is told. */
    private static int looksUntilDead(final LockWatch watch) {
        int looks = 1;
        while (watch.isHeld() && looks <= LOOKS) {
            looks++;
        }
        return looks;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldNoticeADeadOwnerWithinEightLooksWheneverItDies(final int looksBefore) {
        try (LockWatch watch = new SystemLockWatch(file)) {
            for (int i = 0; i < looksBefore; i++) {
                assertTrue(watch.isHeld());
            }
            file.ownerDies();
            final int looks = looksUntilDead(watch);
            assertTrue(looks <= LOOKS, () -> "looks=" + looks);
        }
    }

    @Test
    void shouldReadWhoOwnsTheLockAtOneOfEightLooksOnly() {
        try (LockWatch watch = new SystemLockWatch(file)) {
            for (int i = 0; i < 10 * LOOKS; i++) {
                assertTrue(watch.isHeld());
            }
            assertEquals(10, file.reads);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNoticeAKilledProcessWhoseForkedChildHasItsLock() throws Exception {
        final Path lockFile = directory.resolve("lock");
        long forked = 0;
        try (ChildJvm child = ChildJvm.start(SystemLocksTest.ForkingMain.class, lockFile.toString())) {
            forked = Long.parseLong(child.readLine());
            try (LockWatch watch = SystemEnvironment.instance().files().watch(lockFile, NOBODY)) {
                assertTrue(watch.isHeld());
                child.kill();
                final int looks = looksUntilDead(watch);
                assertTrue(looks <= LOOKS, () -> "looks=" + looks);
                assertTrue(ProcessHandle.of(forked).isPresent(), "the child has kept the lock all the while");
            }
        } finally {
            if (forked > 0) {
                ProcessHandle.of(forked).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** A file whose lock is held all the time, whoever is named in it. */
    private static final class StubLockFile implements LockFile {
        private LockOwner owner;
        private int reads;

        StubLockFile(final LockOwner owner) {
            this.owner = owner;
        }

        /** Names a process of the same id and another start: this one has the id now, so that that one is dead. */
        void ownerDies() {
            owner = new LockOwner(owner.pid(), owner.start() - 1, owner.placement());
            assertEquals(LockOwner.State.DEAD, owner.state(null));
        }

        @Override
        public boolean tryLock(final long index) {
            return false;
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public boolean isContended() {
            return false;
        }

        @Override
        public LockOwner owner() {
            reads++;
            return owner;
        }

        @Override
        public void name(final LockOwner next) {
            owner = next;
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    }
}
