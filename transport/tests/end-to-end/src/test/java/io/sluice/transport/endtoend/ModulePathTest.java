package io.sluice.transport.endtoend;

import io.sluice.transport.harness.ModulePathRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tests of this module once more on the module path: see {@link ModulePathRun}. */
@Tag("long")
@Timeout(900)
class ModulePathTest {
    @Test
    void shouldPassWithSluiceOnTheModulePath(@TempDir final Path folder) throws Exception {
        ModulePathRun.assertNeighboursPass(folder, ModulePathTest.class);
    }
}
