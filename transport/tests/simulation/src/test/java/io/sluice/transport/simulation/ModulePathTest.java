package io.sluice.transport.simulation;

import io.sluice.transport.harness.ModulePathRun;
import io.sluice.transport.harness.TestMedium;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of this package, but for the thousand seeds, which take minutes, once more on the module path: see
 * {@link ModulePathRun}.
 */
@Tag("long")
@Timeout(900)
class ModulePathTest {
    @Test
    void shouldPassWithSluiceOnTheModulePath(@TempDir final Path folder) throws Exception {
        TestMedium.assumeIpc();
        // the simulation looks at fields of the software device that nobody else is shown
        new ModulePathRun(folder, ModulePathTest.class).assertPass(
            ModulePathTest.class.getPackageName(),
            Set.of(ModulePathTest.class.getName(), SimulationTest.class.getName()),
            "--add-opens=io.sluice.verbs/io.sluice.verbs.software=io.sluice.transport");
    }
}
