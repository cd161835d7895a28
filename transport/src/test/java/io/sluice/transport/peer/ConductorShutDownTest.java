package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conductor that shuts down while a peer is being let in, stepped: its agents run when the test says so. */
class ConductorShutDownTest {
    private static final String RENDEZVOUS = "closing";
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final TaskAgent setup = new TaskAgent("set-up", Integer.MAX_VALUE, errors::add);
    private final TaskAgent callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
    private RdmaDevice device;
    private ProtectionDomain domain;
    private RdmaDevice peer;
    private ControlConnection asking;
    private Conductor conductor;

    @BeforeEach
    void open() {
        device = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        domain = device.allocateProtectionDomain();
        peer = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        final TransportParameters parameters = parameters(device, domain);
        conductor =
            new Conductor(parameters, setup, callbacks,
                new Listeners(callbacks, parameters.counters(), errors::add, change -> { }));
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(asking, peer, device);
    }

    private TransportParameters parameters(final RdmaDevice of, final ProtectionDomain in) {
        return Parameters.of(SystemEnvironment.instance(), of, in, new LiveCounters(),
            Parameters.all(SECOND_NS), PeerRules.EVERYBODY);
    }

    /** A peer asks to be let in; its request is taken, and what it needs is about to be set up. */
    private Connection ask() {
        conductor.ipc().use(new Medium.Party(RENDEZVOUS, false, null));
        while (peer.listeners(RENDEZVOUS).isEmpty()) {
            setup.doWork();
            conductor.doWork();
        }
        asking = new ControlConnection(parameters(peer, peer.allocateProtectionDomain()));
        final TransportId id = new TransportId(1, 2);
        final Connection connection = peer.connect(
            peer.listeners(RENDEZVOUS).getFirst(), asking.queuePair(), PrivateData.connect(id, 1), SECOND_NS);
        asking.connection(connection);
        while (setup.isIdle()) {
            conductor.doWork();
        }
        return connection;
    }

    @Test
    void shouldTurnAwayAPeerThatIsLetInAsItCloses() {
        final Connection connection = ask();
        conductor.execute(conductor::shutDown);
        conductor.doWork();
        assertFalse(conductor.isShutDown());
        for (int i = 0; i < 10 && !conductor.isShutDown(); i++) {
            setup.doWork();
            conductor.doWork();
        }
        assertTrue(conductor.isShutDown());
        assertTrue(setup.isIdle(), "everything is released");
        assertEquals(List.of(), errors);
        Connection.State state;
        do {
            state = connection.poll();
        } while (state == Connection.State.CONNECTING);
        assertEquals(Connection.State.REJECTED, state);
        assertEquals(List.of(), device.listeners(RENDEZVOUS));
        domain.close();
    }
}
