package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.KeyFile;
import io.sluice.verbs.Listener;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger that listens at one of the addresses of a transport's channels, holds no key, and takes the name of
 * another one.
 */
class HostileListenerTest {
    private static final int STREAM_ID = 5;
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";
    private static final String GOOD = "10.0.0.1:40123";
    private static final String BAD = "10.0.0.9:40123";
    /** Digits of each of an id's two numbers. */
    private static final int ID_HALF = 16;

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private HostilePeer peer;
    private Listener listener;
    private HostilePeer.Session asking;
    private HostilePeer.Session lying;

    @BeforeEach
    void listen() {
        peer = new HostilePeer(
            SoftwareDevice.open(SystemEnvironment.instance(), transports.fabric().directory()), _ -> List.of());
        listener = peer.listen(BAD);
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(asking, lying, listener, peer);
    }

    private Transport launch() {
        return transports.launch(context -> context
            .preSharedKeyFile(KeyFile.of(folder, KEY))
            .timeouts(new Timeouts().handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1)))
            .rdmaProvider((environment, options) -> SoftwareDevice.open(environment, transports.fabric().directory())));
    }

    private static String channel(final String address) {
        return "sluice:rdma?endpoint=" + address;
    }

    /** The words of the good one, whose id is told to everybody who connects. */
    private ControlMessages inTheNameOfTheGoodOne() {
        asking = peer.connect(GOOD, new ControlMessages(1, 2).privateData());
        final String id = asking.acceptorId();
        return new ControlMessages(
            Long.parseUnsignedLong(id.substring(0, ID_HALF), 16), Long.parseUnsignedLong(id.substring(ID_HALF), 16));
    }

    private void answerWith(final byte[] acceptance) {
        lying = peer.accept(listener, acceptance);
        Await.until("a greeting", () -> !lying.received().isEmpty());
    }

    @Test
    void shouldNotKeepATransportFromTheOneWhoseNameItTakes() {
        final Subscription subscription = launch().addSubscription(channel(GOOD), STREAM_ID);
        final byte[] acceptance = inTheNameOfTheGoodOne().acceptance();
        final Transport publisher = launch();
        final Publication bad = publisher.addPublication(channel(BAD), STREAM_ID);
        answerWith(acceptance);
        final Publication good = publisher.addPublication(channel(GOOD), STREAM_ID);
        Transports.awaitConnected(good, subscription);
        for (int i = 0; i < 100; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertFalse(bad.isConnected());
        assertTrue(lying.isEstablished());
    }
}
