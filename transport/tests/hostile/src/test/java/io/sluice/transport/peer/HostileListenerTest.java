package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Publication;
import io.sluice.transport.RdmaProviders;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
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
    private static final long SECOND_NS = 1_000_000_000L;

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private RdmaDevice device;
    private Listener listener;
    private ControlConnection asking;
    private ControlConnection lying;

    @BeforeEach
    void listen() {
        device = SoftwareDevice.open(SystemEnvironment.instance(), transports.fabric().directory());
        final TransportParameters parameters = Parameters.of(SystemEnvironment.instance(), device,
            device.allocateProtectionDomain(), new LiveCounters(), Parameters.all(SECOND_NS), PeerRules.EVERYBODY);
        listener = device.listen(BAD, 1);
        asking = new ControlConnection(parameters);
        lying = new ControlConnection(parameters);
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(asking, lying, listener, device);
    }

    private Transport launch() {
        return transports.launch(context -> RdmaProviders.set(context
            .preSharedKeyFile(KeyFile.of(folder, KEY))
                .timeouts(new Timeouts().handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1))),
            (environment, options) -> SoftwareDevice.open(environment, transports.fabric().directory())));
    }

    private static String channel(final String address) {
        return "sluice:rdma?endpoint=" + address;
    }

    /** The id of the good one, which is told to everybody who connects. */
    private TransportId idOfTheGoodOne() {
        asking.connection(device.connect(
            GOOD, asking.queuePair(), PrivateData.connect(new TransportId(1, 2), 4242), SECOND_NS));
        Await.until("an answer", () -> asking.state() == Connection.State.ESTABLISHED);
        return PrivateData.acceptor(asking.connection().privateData());
    }

    private void answerAs(final TransportId id) {
        final ConnectionRequest[] request = {null};
        Await.until("a request", () -> {
            request[0] = listener.poll();
            return request[0] != null;
        });
        lying.connection(request[0].accept(lying.queuePair(), PrivateData.accept(id, 4242)));
        Await.until("a greeting", () -> lying.state() == Connection.State.ESTABLISHED
            && lying.poll((buffer, offset, length) -> true) > 0);
    }

    @Test
    void shouldNotKeepATransportFromTheOneWhoseNameItTakes() {
        final Subscription subscription = launch().addSubscription(channel(GOOD), STREAM_ID);
        final TransportId id = idOfTheGoodOne();
        final Transport publisher = launch();
        final Publication bad = publisher.addPublication(channel(BAD), STREAM_ID);
        answerAs(id);
        final Publication good = publisher.addPublication(channel(GOOD), STREAM_ID);
        Transports.awaitConnected(good, subscription);
        for (int i = 0; i < 100; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertFalse(bad.isConnected());
        assertEquals(Connection.State.ESTABLISHED, lying.state());
    }
}
