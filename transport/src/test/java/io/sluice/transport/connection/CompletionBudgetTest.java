package io.sluice.transport.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionBudgetTest {
    private static final int PER_LINK = 10;

    @TempDir
    private Path folder;

    @Test
    void shouldHaveRoomForTwoEpochsOfEachLinkAndForAllThatIsBeingSetUp() {
        try (SoftwareDevice device = SoftwareDevice.open(SystemEnvironment.instance(), folder.resolve("fabric"));
            CompletionBudget budget = new CompletionBudget(device, 0, PER_LINK)) {
            final int atTheStart = budget.queue().capacity();
            assertEquals(atTheStart, budget.reserve(4, 0).capacity(), "four links fit from the start");
            assertTrue(budget.reserve(4, 30).capacity() >= (2 * 4 + 30) * PER_LINK);
            assertTrue(budget.reserve(100, 3).capacity() >= (2 * 100 + 3) * PER_LINK);
        }
    }
}
