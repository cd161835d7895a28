package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AsyncEventType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncEventsTest {
    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());

    @AfterEach
    void close() {
        link.close();
        fabric.close();
    }

    @Test
    void shouldLoseNoEventButTheOneWhoseHandlerThrows() {
        final SoftwareQueuePair one = (SoftwareQueuePair) link.leftPair;
        final SoftwareQueuePair other =
            (SoftwareQueuePair) link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        one.raise(AsyncEventType.QP_FATAL);
        one.raise(AsyncEventType.QP_ACCESS_ERR);
        other.raise(AsyncEventType.QP_FATAL);
        assertThrows(IllegalStateException.class, () -> link.left.poll((type, queue, pair) -> {
            throw new IllegalStateException(type + " of " + pair);
        }));

        link.duties();

        assertEquals(List.of(AsyncEventType.QP_ACCESS_ERR, AsyncEventType.QP_FATAL), link.events);
    }
}
