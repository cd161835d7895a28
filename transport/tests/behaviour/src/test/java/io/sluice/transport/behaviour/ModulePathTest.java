package io.sluice.transport.behaviour;

import io.sluice.transport.behaviour.host.WantOfDescriptorsTest;
import io.sluice.transport.harness.ModulePathRun;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests of this module and the transport's own, once more on the module path: see {@link ModulePathRun}.
 */
@Tag("long")
@Timeout(600)
class ModulePathTest {
    private static final Set<String> NEED_MORE = Set.of(
        // leaves its process no descriptor, and with it no class that is still in a folder: modules here are folders
        WantOfDescriptorsTest.class.getName(),
        // look at sources, which are beside the transport's classes
        "io.sluice.transport.ToStringTest", "io.sluice.transport.agent.FailureNewsTest",
        // has its stub in a package of another module
        "io.sluice.transport.behaviour.device.RpmaCompletionPollerTest");

    @TempDir
    private static Path folder;

    private static ModulePathRun run;

    @BeforeAll
    static void gatherTests() throws Exception {
        TestMedium.assumeIpc();
        run = new ModulePathRun(folder, ModulePathTest.class);
    }

    private static Stream<String> packages() throws IOException, URISyntaxException {
        return Stream.concat(
            ModulePathRun.packages(Await.class).stream(), ModulePathRun.packages(ModulePathTest.class).stream())
            .filter(name -> !name.equals(ModulePathTest.class.getPackageName()));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void shouldPassWithSluiceOnTheModulePath(final String tested) throws Exception {
        run.assertPass(tested, NEED_MORE);
    }
}
