package io.sluice.transport.connection;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Connection;
import org.agrona.DirectBuffer;

/**
 * One peer transport as the conductor sees it over one control connection: handshake, heartbeats, liveness, and the
 * way of its messages to the links. Conductor only.
 */
final class ControlSession {
    /** Where the session stands. */
    enum State {
        /** The connection manager is at work. */
        CONNECTING,
        /** Connected; the peer's Hello is awaited. */
        GREETING,
        /** Links can be made. */
        READY,
        /** Over; the connection is to be closed. */
        CLOSED
    }

    private final Conductor conductor;
    private final Medium medium;
    private final ControlConnection connection;
    private final boolean acceptor;
    private final String endpoint;
    private final ControlMessageReader reader;
    private State state = State.CONNECTING;
    private TransportId peerId;
    private String peerName = "";
    private String clientName = "";
    private String problem = "";
    private boolean wasReady;
    private long deadlineNs;
    private long lastReceivedNs;
    private long nextHeartbeatNs;
    private long heartbeats;

    ControlSession(
        final Conductor conductor,
        final Medium medium,
        final ControlConnection connection,
        final boolean acceptor,
        final String endpoint,
        final TransportId expectedPeerId) {
        this.conductor = conductor;
        this.medium = medium;
        this.connection = connection;
        this.acceptor = acceptor;
        this.endpoint = endpoint;
        peerId = expectedPeerId;
        reader = new ControlMessageReader(new SessionMessages(this, conductor));
        deadlineNs = conductor.nowNs() + conductor.parameters().handshakeTimeoutNs();
    }

    int doWork(final long nowNs) {
        if (state == State.CLOSED) {
            return 0;
        }
        final Connection.State connected = connection.state();
        int work = 0;
        if (connected == Connection.State.ESTABLISHED) {
            if (state == State.CONNECTING) {
                onConnected(nowNs);
                work++;
            }
            final int received = state == State.CLOSED ? 0 : connection.poll(this::onMessage);
            if (received > 0) {
                lastReceivedNs = nowNs;
                work += received;
            }
        } else if (connected != Connection.State.CONNECTING) {
            if (connected == Connection.State.REJECTED) {
                problem = "rejected: " + PrivateData.rejection(connection.connection().privateData());
            } else if (connected == Connection.State.UNREACHABLE) {
                problem = connection.connection().problem();
            }
            // what the peer said before it left, its goodbye for one, has arrived and still counts; not so when nobody
            // has looked at the connection while it lasted
            while (isGreeted() && connection.failure() == null && connection.poll(this::onMessage) > 0) {
                work++;
            }
            close();
        }
        if (connection.failure() != null) {
            fail(connection.failure());
        }
        return work + keepAlive(nowNs);
    }

    private boolean isGreeted() {
        return state == State.GREETING || state == State.READY;
    }

    /** Who was connected to by an address is known by its answer. */
    private void onConnected(final long nowNs) {
        if (peerId == null && !acceptor) {
            peerId = PrivateData.acceptor(connection.connection().privateData());
        }
        if (peerId == null && !acceptor) {
            problem = "rejected: who listens there is no Sluice";
            close();
        } else if (medium.isWanted(this)) {
            greet(nowNs);
        } else {
            close();
        }
    }

    private void greet(final long nowNs) {
        state = State.GREETING;
        lastReceivedNs = nowNs;
        final ControlEncoder encoder = conductor.encoder();
        connection.send(encoder.buffer(), encoder.hello(conductor.id(), conductor.parameters(), endpoint));
    }

    private int keepAlive(final long nowNs) {
        if (state == State.READY) {
            if (nowNs - lastReceivedNs > conductor.parameters().livenessTimeoutNs()) {
                fail("silent for " + (nowNs - lastReceivedNs) + " ns");
            } else if (nowNs - nextHeartbeatNs >= 0) {
                nextHeartbeatNs = nowNs + conductor.parameters().heartbeatIntervalNs();
                conductor.publications().sendHeartbeats(this);
                return 1;
            }
        } else if (state == State.CONNECTING && !acceptor && peerId == null && nowNs - deadlineNs > 0) {
            // nobody at the address yet
            close();
        } else if (state != State.CLOSED && nowNs - deadlineNs > 0) {
            fail("handshake timed out");
        }
        return 0;
    }

    HeartbeatEncoder beginHeartbeat() {
        final ControlEncoder encoder = conductor.encoder();
        final HeartbeatEncoder heartbeat =
            new HeartbeatEncoder().wrapAndApplyHeader(encoder.buffer(), 0, new MessageHeaderEncoder());
        return heartbeat.sequence(heartbeats++).timeNs(conductor.nowNs());
    }

    void sendHeartbeat(final HeartbeatEncoder heartbeat) {
        send(MessageHeaderEncoder.ENCODED_LENGTH + heartbeat.encodedLength());
    }

    private boolean onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final int result = reader.read(buffer, offset, length);
        if (result == ControlMessageReader.UNKNOWN_TEMPLATE) {
            // a newer peer says something that this version does not know: the protocol allows to ignore it
            conductor.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        } else if (result != ControlMessageReader.OK) {
            protocolError(
                "malformed control message: " + ControlMessageReader.resultString(result) + " length=" + length);
        }
        return state != State.CLOSED;
    }

    void onHello(final HelloDecoder hello) {
        if (state != State.GREETING) {
            protocolError("unexpected Hello");
            return;
        }
        final TransportId id = new TransportId(hello.transportId().high(), hello.transportId().low());
        if (peerId != null && !peerId.equals(id)) {
            protocolError("another transport answered: expected=" + peerId + " found=" + id);
        } else if (hello.oldestProtocolVersion() > ControlDescriptor.PROTOCOL_VERSION
            || hello.protocolVersion() < ControlDescriptor.OLDEST_PROTOCOL_VERSION) {
            goodbye(GoodbyeReason.VERSION_MISMATCH, "no common protocol version: peer=" + hello.oldestProtocolVersion()
                + ".." + hello.protocolVersion() + " own=" + ControlDescriptor.OLDEST_PROTOCOL_VERSION + ".."
                + ControlDescriptor.PROTOCOL_VERSION);
        } else if (hello.authentication() != Authentication.NONE) {
            goodbye(GoodbyeReason.AUTHENTICATION_FAILED,
                "the peer asks for authentication, and this transport holds no key: authentication="
                    + hello.authentication());
        } else {
            peerId = id;
            peerName = connection.peer();
            clientName = ControlText.printable(hello.clientName());
            state = State.READY;
            conductor.onSessionReady(this);
        }
    }

    /** Whether the peer may send what only a ready session may. */
    boolean checkReady(final String messageName) {
        if (state != State.READY) {
            protocolError("unexpected " + messageName + " before Hello");
            return false;
        }
        return true;
    }

    void protocolError(final String text) {
        conductor.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        goodbye(GoodbyeReason.PROTOCOL_ERROR, text);
    }

    void goodbye(final GoodbyeReason reason, final String text) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.CONNECTING) {
            send(conductor.encoder().goodbye(reason, text));
        }
        if (reason != GoodbyeReason.CLOSED) {
            conductor.reportError("control connection to " + connection.peer() + " closed: " + reason + ", " + text);
        }
        close();
    }

    /** Close for a reason that the application must hear of. */
    private void fail(final String reason) {
        if (state != State.CLOSED) {
            conductor.reportError("control connection to " + connection.peer() + " lost: " + reason);
            close();
        }
    }

    void close() {
        if (state != State.CLOSED) {
            wasReady = state == State.READY;
            state = State.CLOSED;
            if (wasReady) {
                conductor.onSessionLost(this);
            }
        }
    }

    /** Send what is encoded in the conductor's buffer. */
    void send(final int length) {
        connection.send(conductor.encoder().buffer(), length);
    }

    State state() {
        return state;
    }

    boolean isReady() {
        return state == State.READY;
    }

    /** The medium whose device the connection uses. */
    Medium medium() {
        return medium;
    }

    /** The address that was connected to. */
    String endpoint() {
        return endpoint;
    }

    /** What keeps the peer from being connected to, or nothing. */
    String problem() {
        return problem;
    }

    /** Whether there was an answer and nothing came of it, so that to try again at once is in vain. */
    boolean isFutile() {
        return state == State.CLOSED && peerId != null && !wasReady;
    }

    boolean isPeerGone() {
        return connection.isPeerGone();
    }

    TransportId peerId() {
        return peerId;
    }

    String peerName() {
        return peerName;
    }

    /** The name that the peer gave itself, for people. */
    String clientName() {
        return clientName;
    }

    boolean isAcceptor() {
        return acceptor;
    }

    ControlConnection connection() {
        return connection;
    }
}
