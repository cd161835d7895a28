package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.status.TransportCounter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody was stopped while holding the lock of the folder that all transports of {@code sluice:ipc} share. */
class StuckFabricTest {
    private static final int STREAM_ID = 1;
    /** Shorter than whoever waits for the lock waits for it. */
    private static final long LIVENESS_NS = TimeUnit.SECONDS.toNanos(3);

    @RegisterExtension
    private final Transports transports = new Transports();

    @Test
    @Tag("slow")
    void shouldKeepItsLinksWhileItCannotListenUnderANewName() throws Exception {
        TestMedium.assumeIpc();
        final Transport subscriber = launch();
        final Transport publisher = launch();
        final Subscription subscription = subscriber.addSubscription(transports.channel(""), STREAM_ID);
        final ExclusivePublication publication =
            publisher.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        final AutoCloseable stuck =
            SystemEnvironment.instance().files().tryLock(transports.fabric().directory().resolve("lock"));
        assertNotNull(stuck);
        try (stuck) {
            subscriber.addSubscription("sluice:ipc?endpoint=new", STREAM_ID);
            transports.awaitError("CONNECTION_FAILED", "look for a stopped process");
        }
        Transports.offer(publication, new byte[7]);
        assertEquals(7, Transports.receive(subscription, 1).getFirst().length);
        assertEquals(0, publisher.counters().get(TransportCounter.CONNECTIONS_LOST));
        assertEquals(0, subscriber.counters().get(TransportCounter.CONNECTIONS_LOST));
        Transports.awaitConnected(
            publisher.addExclusivePublication("sluice:ipc?endpoint=new", STREAM_ID),
            subscriber.addSubscription("sluice:ipc?endpoint=new", STREAM_ID));
    }

    private Transport launch() {
        return transports.launch(context -> context
            .timeouts(new Timeouts().heartbeatIntervalNs(LIVENESS_NS / 20).handshakeTimeoutNs(LIVENESS_NS)
                .resumeTimeoutNs(LIVENESS_NS).livenessTimeoutNs(LIVENESS_NS)));
    }
}
