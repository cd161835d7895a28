package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScarceMemoryTest {
    private final TemporaryFabric fabric = new TemporaryFabric();

    @AfterEach
    void close() {
        fabric.close();
    }

    /** Bytes of this one, and of all that may wait behind it, would take 32 MiB. */
    @Test
    void shouldForgetASendThatThereIsNoMemoryToKeep() throws IOException {
        try (ChildJvm child = ChildJvm.start(
            ScarceMemoryProgram.class, "-XX:MaxDirectMemorySize=16m", fabric.path().toString())) {
            assertEquals("no memory", child.readLine());
            assertEquals("slots: " + SoftwareLimits.MAX_WORK_REQUESTS, child.readLine());
            assertEquals("sent: [2, 3], received: 2", child.readLine());
        }
    }
}
