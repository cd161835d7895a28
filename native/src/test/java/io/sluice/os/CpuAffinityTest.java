package io.sluice.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ChildJvm;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuAffinityTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldPinTheCallingThreadAndRestoreIt() throws Exception {
        onThreadOfItsOwn(() -> {
            final int[] before = CpuAffinity.allowedCpus();
            final int cpu = before[before.length - 1];
            final String notice = CpuAffinity.pin(cpu);
            assertEquals("pinned; " + CpuIsolation.describe(cpu), notice);
            assertArrayEquals(new int[] {cpu}, CpuAffinity.allowedCpus());
            assertEquals(cpu, CpuAffinity.currentCpu());
            CpuAffinity.restore(before);
            assertArrayEquals(before, CpuAffinity.allowedCpus());
            return null;
        });
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldPinNoOtherThread() throws Exception {
        final int[] before = CpuAffinity.allowedCpus();
        onThreadOfItsOwn(() -> CpuAffinity.pin(before[0]));
        assertArrayEquals(before, CpuAffinity.allowedCpus());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldBeInheritedByThreadsStartedWhilePinned() throws Exception {
        final int[] inherited = onThreadOfItsOwn(() -> {
            CpuAffinity.pin(CpuAffinity.allowedCpus()[0]);
            return onThreadOfItsOwn(CpuAffinity::allowedCpus);
        });
        assertEquals(1, inherited.length);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNameTheCpusThatMayBeUsedWhenOneMayNot() throws Exception {
        onThreadOfItsOwn(() -> {
            final int[] before = CpuAffinity.allowedCpus();
            CpuAffinity.pin(before[0]);
            final String message =
                assertThrows(IllegalArgumentException.class, () -> CpuAffinity.pin(8191)).getMessage();
            assertTrue(message.contains("cpus=8191 ") && message.contains("choose one of them"), message);
            assertTrue(message.contains("allowed=" + CpuList.format(before)), message);
            assertArrayEquals(new int[] {before[0]}, CpuAffinity.allowedCpus(), "left as it was");
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 8192, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseANumberThatNoCpuHas(final int cpu) {
        final String message = assertThrows(IllegalArgumentException.class, () -> CpuAffinity.pin(cpu)).getMessage();
        assertTrue(message.contains("cpu=" + cpu + " must be from 0 to 8191"), message);
    }

    @Test
    void shouldRefuseToRestoreAnEmptySet() {
        assertThrows(IllegalArgumentException.class, CpuAffinity::restore);
    }

    @Test
    void shouldRefuseVirtualThreads() throws Exception {
        final FutureTask<Void> refused = new FutureTask<>(() -> {
            assertThrows(IllegalStateException.class, () -> CpuAffinity.pin(0));
            assertThrows(IllegalStateException.class, CpuAffinity::allowedCpus);
            assertThrows(IllegalStateException.class, () -> CpuAffinity.restore(0));
            return null;
        });
        Thread.ofVirtual().start(refused);
        refused.get();
    }

    @Test
    void shouldSayThatItDidNotPinWhereAffinityIsNotSupported() throws IOException {
        try (ChildJvm child = ChildJvm.start(ElsewhereMain.class, "-Dos.name=Elsewhere")) {
            assertEquals("false", child.readLine());
            assertEquals("not pinned to cpu 0: no processor affinity on Elsewhere", child.readLine());
            assertEquals("unknown cpu: true, allowed: true", child.readLine());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNameTheFlagWhenNativeAccessIsDenied() throws IOException {
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(DeniedMain.class)) {
            final String message = child.readLine();
            assertTrue(message.contains("--enable-native-access=ALL-UNNAMED"), message);
        }
    }

    private static <T> T onThreadOfItsOwn(final Callable<T> action) throws Exception {
        final FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    /** Uses affinity on a system that is said not to have it. */
    static final class ElsewhereMain {
        public static void main(final String[] arguments) {
            System.out.println(CpuAffinity.isSupported());
            System.out.println(CpuAffinity.pin(0));
            CpuAffinity.restore(0);
            System.out.println("unknown cpu: " + (CpuAffinity.currentCpu() == CpuAffinity.UNKNOWN_CPU)
                + ", allowed: " + (CpuAffinity.allowedCpus().length > 0));
        }
    }

    /** Pins without being allowed to call native code. */
    static final class DeniedMain {
        public static void main(final String[] arguments) {
            System.out.println(assertThrows(IllegalStateException.class, () -> CpuAffinity.pin(0)).getMessage());
        }
    }
}
