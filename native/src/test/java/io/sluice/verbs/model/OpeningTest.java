package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.verbs.foreign.PresentLibraries;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Whether a device is opened in a process whose environment breaks its provider. */
class OpeningTest {
    @Test
    void shouldOpenNoDeviceWhoseProviderTakesNoLocks() throws IOException {
        PresentLibraries.assume();
        try (ChildJvm child = ChildJvm.startAfter("export MLX5_SINGLE_THREADED=1", OpeningProgram.class,
            "-Dsluice.verbs.critical=false", "mlx5", "irdma")) {
            final String line = child.readLine();
            assertTrue(line.contains("MLX5_SINGLE_THREADED=1"), line);
            assertEquals("opened", child.readLine());
        }
    }
}
