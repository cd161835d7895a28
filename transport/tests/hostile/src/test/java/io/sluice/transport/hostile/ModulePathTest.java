package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.harness.ModulePathRun;
import io.sluice.transport.harness.TestMedium;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tests of this module once more on the module path: see {@link ModulePathRun}. */
@Tag("long")
@Timeout(900)
class ModulePathTest {
    private static final String TESTED = ModulePathTest.class.getPackageName();

    @TempDir
    private Path folder;

    @Test
    void shouldPassWithSluiceOnTheModulePath() throws Exception {
        TestMedium.assumeIpc();
        final ModulePathRun run = new ModulePathRun(folder, ModulePathTest.class);
        assertEquals(0, run.run(TESTED, Set.of(ModulePathTest.class.getName())), () -> run.text(TESTED));
    }
}
