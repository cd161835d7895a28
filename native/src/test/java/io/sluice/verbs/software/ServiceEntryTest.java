package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An address that is found among the services is one to connect to, from its first moment on. */
class ServiceEntryTest {
    private static final String SERVICE = "prices";
    private static final int ROUNDS = 1000;
    private static final int DEPTH = 4;
    private static final long TIMEOUT_NS = 10_000_000_000L;

    @TempDir
    private Path directory;

    private SoftwareDevice open() {
        return SoftwareDevice.open(SystemEnvironment.instance(), directory.resolve("f"));
    }

    @Test
    void shouldReachAListenerAsSoonAsItIsListed() throws Exception {
        try (SoftwareDevice listening = open();
            SoftwareDevice connecting = open();
            ProtectionDomain domain = connecting.allocateProtectionDomain();
            CompletionQueue queue = connecting.createCompletionQueue(
                new CompletionQueueAttributes(DEPTH, CompletionField.BYTE_LENGTH, null));
            ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                final String address = SERVICE + "/" + round;
                final Future<Listener> listen = other.submit(() -> listening.listen(address, DEPTH));
                while (connecting.listeners(SERVICE).isEmpty()) {
                    Thread.onSpinWait();
                }
                try (QueuePair pair = domain.createQueuePair(
                    new QueuePairAttributes(queue, queue, DEPTH, DEPTH, 0, 0, 12, 6, 14))) {
                    pair.initialise(0);
                    try (Connection connection = connecting.connect(address, pair, new byte[0], TIMEOUT_NS)) {
                        assertEquals(Connection.State.CONNECTING, connection.poll(), "round=" + round);
                    }
                }
                listen.get().close();
            }
        }
    }
}
