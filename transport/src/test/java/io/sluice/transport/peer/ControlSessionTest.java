package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session over a connection whose states come late: a connection manager may tell of several at once. */
class ControlSessionTest {
    private static final String ADDRESS = "late";
    private static final long SECOND_NS = 1_000_000_000L;
    private static final byte[] NOTHING = {};
    private static final int CREDIT_LENGTH = 8;

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final LiveCounters counters = new LiveCounters();
    private RdmaDevice device;
    private ProtectionDomain domain;
    private Conductor conductor;
    private TaskAgent callbacks;
    private Listener listener;
    private ControlConnection asking;
    private ControlConnection serving;
    private Connection accepted;

    @BeforeEach
    void connect() {
        device = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        domain = device.allocateProtectionDomain();
        final TransportParameters parameters = Parameters.of(SystemEnvironment.instance(), device, domain,
            counters, Parameters.all(SECOND_NS), PeerRules.EVERYBODY);
        callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
        conductor = new Conductor(parameters, new TaskAgent("set-up", Integer.MAX_VALUE, errors::add), callbacks,
            new Listeners(callbacks, counters, errors::add, change -> { }));
        listener = device.listen(ADDRESS, 1);
        asking = new ControlConnection(parameters);
        asking.connection(device.connect(ADDRESS, asking.queuePair(), NOTHING, SECOND_NS));
        serving = new ControlConnection(parameters);
        final ConnectionRequest[] request = {null};
        Await.until("a request", () -> {
            asking.state();
            request[0] = listener.poll();
            return request[0] != null;
        });
        accepted = request[0].accept(serving.queuePair(), NOTHING);
        serving.connection(new LateConnection(accepted, () -> Connection.State.DISCONNECTED));
        Await.until("a connection", () -> asking.state() == Connection.State.ESTABLISHED);
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(asking, serving, listener, device);
    }

    private ControlSession newSession() {
        return new ControlSession(SteppedConductor.peersOf(conductor).context(), (DeviceMedium) conductor.ipc(),
            serving, new PeerIdentity(serving, true, ADDRESS, null));
    }

    @Test
    void shouldNotBlameAPeerThatGreetedAndLeftBeforeItsConnectionWasLookedAt() {
        final ControlEncoder encoder = SteppedConductor.peersOf(conductor).context().encoder();
        asking.send(encoder.buffer(), encoder.hello(new TransportId(1, 2), conductor.services().parameters(), ADDRESS));
        final ControlSession session = newSession();

        session.doWork(0);
        callbacks.doWork();

        assertEquals(SessionState.CLOSED, session.state());
        assertEquals(List.of(), errors);
        assertEquals(0, counters.get(TransportCounter.CONTROL_MESSAGES_REJECTED));
        assertEquals(1, serving.poll((buffer, offset, length) -> true), "the hello had arrived");
    }

    /** Another thread may take the event of its end between the look at the state and that at the receives. */
    @Test
    void shouldTellNothingOfAStrangerWhoseEndIsSeenByItsReceivesFirst() {
        final Queue<Connection.State> states =
            new ArrayDeque<>(List.of(Connection.State.ESTABLISHED, Connection.State.ESTABLISHED));
        serving.connection(new LateConnection(
            accepted, () -> states.isEmpty() ? Connection.State.DISCONNECTED : states.remove()));
        final ControlSession session = newSession();
        session.doWork(0);
        assertEquals(SessionState.HANDSHAKING, session.state());
        serving.queuePair().fail();

        session.doWork(0);
        session.doWork(0);
        callbacks.doWork();

        assertEquals(SessionState.CLOSED, session.state());
        assertEquals(List.of(), errors);
    }

    /** The goodbye arrived before the send failed, and the failure is noticed before the goodbye is read. */
    @Test
    void shouldTellNothingOfASendThatFailedAfterThePeerHadSaidGoodbye() {
        serving.connection(accepted);
        final ControlSession session = newSession();
        final ControlEncoder encoder = SteppedConductor.peersOf(conductor).context().encoder();
        final byte[] unsubscribe = new ControlMessages(1, 2).unsubscribe(1);
        final UnsafeBuffer message = new UnsafeBuffer(unsubscribe);
        asking.send(encoder.buffer(), encoder.hello(new TransportId(1, 2), conductor.services().parameters(), ADDRESS));
        Await.until("a session", () -> {
            session.doWork(0);
            return session.isReady();
        });
        asking.send(message, unsubscribe.length);
        asking.send(encoder.buffer(), encoder.goodbye(GoodbyeReason.CLOSED, ""));
        asking.queuePair().close();
        Await.until("a send that fails", () -> {
            session.peer().send(message, unsubscribe.length);
            return serving.failure() != null;
        });

        session.doWork(0);
        callbacks.doWork();

        assertEquals(SessionState.CLOSED, session.state());
        assertEquals(List.of(), errors);
    }

    /** The peer minds no credit: whenever one of its messages has been read, there is another one. */
    @Test
    void shouldNotListenToAPeerThatSendsAllTheTimeAndToNobodyElse() {
        final MemoryRegion message = domain.allocateRegion(CREDIT_LENGTH + 1, AccessFlags.LOCAL_WRITE);
        final int[] told = {0};
        send(message);
        final int received = serving.poll((buffer, offset, length) -> {
            send(message);
            return ++told[0] < 10 * ControlConnection.DEPTH;
        });
        assertEquals(ControlConnection.DEPTH, received);
        assertEquals(ControlConnection.DEPTH, told[0]);
        message.close();
    }

    private void send(final MemoryRegion message) {
        assertEquals(Errno.OK, asking.queuePair().postSend(
            0, WorkFlags.SIGNALED, message.address(), message.localKey(), (int) message.length()));
        asking.poll((buffer, offset, length) -> true);
    }

    /** One whose states are told as a test wants. */
    private record LateConnection(Connection connection, Supplier<State> states) implements Connection {
        @Override
        public State poll() {
            connection.poll();
            return states.get();
        }

        @Override
        public byte[] privateData() {
            return connection.privateData();
        }

        @Override
        public String problem() {
            return connection.problem();
        }

        @Override
        public String peer() {
            return connection.peer();
        }

        @Override
        public byte[] peerAddress() {
            return connection.peerAddress();
        }

        @Override
        public byte[] binding() {
            return connection.binding();
        }

        @Override
        public boolean isPeerGone() {
            return connection.isPeerGone();
        }

        @Override
        public void disconnect() {
            connection.disconnect();
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
