package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The program and the flags of a second JVM; {@link PingPongProcessTest} starts one. */
class PongProcessTest {
    /** Flags of a manifest are not in the list of the JVM's arguments: only {@code -jar} reads them again. */
    @Test
    void shouldRunTheOneJarAsAJar() {
        assertEquals(List.of("-jar", "sluice-tools.jar"), PongProcess.program("sluice-tools.jar"));
    }

    @Test
    void shouldRunAClassOfAClassPath() {
        final String path = "samples/target/classes" + File.pathSeparator + "agrona.jar";
        assertEquals(List.of("-cp", path, "io.sluice.samples.SluiceCommand"), PongProcess.program(path));
    }
}
