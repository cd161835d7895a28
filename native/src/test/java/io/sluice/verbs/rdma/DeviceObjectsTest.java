package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.DeviceObjects.Kind;
import org.junit.jupiter.api.Test;

class DeviceObjectsTest {
    private final DeviceObjects objects = new DeviceObjects();

    @Test
    void shouldNameWhatIsLeftUntilNothingIs() {
        objects.checkNone("rxe0");
        objects.onCreated(Kind.MEMORY_REGION);
        objects.onCreated(Kind.PROTECTION_DOMAIN);
        objects.onCreated(Kind.MEMORY_REGION);

        final VerbsException e = assertThrows(VerbsException.class, () -> objects.checkNone("rxe0"));

        assertEquals(Errno.EBUSY, e.errno());
        assertTrue(e.getMessage().contains("rxe0") && e.getMessage().contains(
            "1 protection domain(s), 2 memory region(s)"), e.getMessage());
        objects.onDestroyed(Kind.MEMORY_REGION);
        objects.onDestroyed(Kind.PROTECTION_DOMAIN);
        assertThrows(VerbsException.class, () -> objects.checkNone("rxe0"));
        objects.onDestroyed(Kind.MEMORY_REGION);
        assertDoesNotThrow(() -> objects.checkNone("rxe0"));
    }
}
