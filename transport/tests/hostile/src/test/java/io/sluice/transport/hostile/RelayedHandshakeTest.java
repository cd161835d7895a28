package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.Publication;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Front;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process without the key between two that hold it: one of them dials it, it dials the other one, and passes on what
 * each says under the other's name. Or between one and itself: it dials the listener of the one that dials it.
 */
class RelayedHandshakeTest {
    private static final int STREAM_ID = 5;
    private static final String ITSELF = "itself";
    private static final byte[] ONE_FOR_ALL = {1};
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private HostilePeer relay;
    /** Dials the relay, in whose eyes it is the dialled one. */
    private Transport dialling;
    private Transport dialled;
    /** The address at which the dialled one listens, under its own name. */
    private String address;
    private ControlMessages asDialling;
    private ControlMessages asDialled;
    /** The address at which the relay listens under the dialled one's name. */
    private String meeting;

    @BeforeEach
    void launch() {
        final Transport one = launch("one");
        final Transport two = launch("two");
        relay = new HostilePeer(transports.fabric());
        final String addressOfOne = addressOf("one");
        final String addressOfTwo = addressOf("two");
        final String idOfOne = idAt(addressOfOne);
        final String idOfTwo = idAt(addressOfTwo);
        // on ipc the one of the greater id dials whom it finds
        final boolean isOneDialling = TestMedium.isRdma() || idOfOne.compareTo(idOfTwo) > 0;
        dialling = isOneDialling ? one : two;
        dialled = isOneDialling ? two : one;
        address = isOneDialling ? addressOfTwo : addressOfOne;
        asDialling = named(isOneDialling ? idOfOne : idOfTwo);
        asDialled = named(isOneDialling ? idOfTwo : idOfOne);
        meeting = TestMedium.isRdma() ? addressOf("meeting") : "ipc/meeting/" + (isOneDialling ? idOfTwo : idOfOne);
    }

    private String addressOf(final String name) {
        return TestMedium.isRdma()
            ? transports.channel("endpoint=" + name).replaceAll(".*[?|]endpoint=([^|]*).*", "$1")
            : relay.awaitListener("ipc/" + name);
    }

    /** The id of the transport that listens there: by its address on ipc, by its answer over rdma. */
    private String idAt(final String listening) {
        if (!TestMedium.isRdma()) {
            return listening.substring(listening.lastIndexOf('/') + 1);
        }
        try (Session session = relay.connect(listening, new ControlMessages(1, 2).privateData())) {
            return session.acceptorId();
        }
    }

    private Transport launch(final String name) {
        return launch(name, UnaryOperator.identity());
    }

    private Transport launch(final String name, final UnaryOperator<RdmaDevice> front) {
        final Transport transport = transports.launch(context -> context
            .preSharedKeyFile(KeyFile.of(folder, KEY))
            .timeouts(new Timeouts().handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1))), front);
        transport.addSubscription(transports.channel("endpoint=" + name), STREAM_ID);
        return transport;
    }

    @AfterEach
    void close() {
        CloseHelper.close(relay);
    }

    private static ControlMessages named(final String id) {
        return new ControlMessages(
            Long.parseUnsignedLong(id.substring(0, 16), 16), Long.parseUnsignedLong(id.substring(16), 16));
    }

    @Test
    void shouldNotBeProvedByAnAnswerToAnotherConnection() {
        try (Listener listener = relay.listen(meeting)) {
            final Publication publication =
                dialling.addPublication(transports.channel("endpoint=meeting"), STREAM_ID);
            try (Session ofDialling = relay.accept(listener, asDialled.acceptance());
                Session ofDialled = relay.connect(address, asDialling.privateData())) {
                passAll(ofDialling, ofDialled);
                // who has dialled begins; who was dialled answers nobody who has not proved itself
                assertEquals(List.of("Hello", "Challenge", "Answer"), said(ofDialling).names());
                assertEquals(List.of("Hello", "Challenge", "Goodbye"), said(ofDialled).names());
                assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(ofDialled).goodbye());
            }
            assertFalse(publication.isConnected());
        }
        assertTrue(dialling.counters().get(TransportCounter.PEERS_REFUSED)
            + dialled.counters().get(TransportCounter.PEERS_REFUSED) > 0);
        transports.awaitError("peer refused", "AUTHENTICATION_FAILED");
    }

    private static void passAll(final Session one, final Session other) {
        final int[] passed = {0, 0};
        Await.until("both to hang up", () -> {
            passed[0] = pass(one, other, passed[0]);
            passed[1] = pass(other, one, passed[1]);
            return one.isOver() && other.isOver();
        });
    }

    private static int pass(final Session from, final Session to, final int passed) {
        final List<byte[]> received = from.received();
        for (int i = passed; i < received.size(); i++) {
            to.send(received.get(i));
        }
        return received.size();
    }

    /** The transport hears its own id on connections that it is not at the other end of. */
    @Test
    void shouldNotBeRelayedToItsOwnListener() {
        final Transport itself = launch(ITSELF, RelayedHandshakeTest::findingTheRelayFirst);
        relayToItself(itself, (ofDialling, ofListening) -> {
            for (final Session session : List.of(ofDialling, ofListening)) {
                assertEquals(List.of("Hello", "Challenge", "Goodbye"), said(session).names());
                assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(session).goodbye());
            }
        });
        assertEquals(2, itself.counters().get(TransportCounter.PEERS_REFUSED));
        transports.awaitError(
            "peer refused", "AUTHENTICATION_FAILED", "the peer says the id of this transport, and is another one");
    }

    /** A transport that believed to be at both ends would give challenges and answers to pass across. */
    @Test
    void shouldNotBeProvedByItsOwnAnswerAtItsOwnListener() {
        final Transport itself = launch(ITSELF, device -> believingToBeAtBothEnds(findingTheRelayFirst(device)));
        relayToItself(itself, (ofDialling, ofListening) -> {
            assertEquals(List.of("Hello", "Challenge", "Answer"), said(ofDialling).names());
            assertEquals(List.of("Hello", "Challenge", "Goodbye"), said(ofListening).names());
            assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(ofListening).goodbye());
        });
        transports.awaitError(
            "peer refused", "AUTHENTICATION_FAILED", "the peer does not hold the pre-shared key of this transport");
    }

    /** Pass on what a transport says over a connection that it has made, and over one to its own listener. */
    private void relayToItself(final Transport itself, final BiConsumer<Session, Session> check) {
        final String ownAddress = addressOf(ITSELF);
        final String id = idAt(ownAddress);
        final ControlMessages asItself = named(id);
        try (Listener listener = relay.listen(TestMedium.isRdma() ? meeting : "ipc/meeting/" + id)) {
            final Publication publication =
                itself.addPublication(transports.channel("endpoint=meeting"), STREAM_ID);
            try (Session ofDialling = relay.accept(listener, asItself.acceptance());
                Session ofListening = relay.connect(ownAddress, asItself.privateData())) {
                passAll(ofDialling, ofListening);
                check.accept(ofDialling, ofListening);
            }
            assertFalse(publication.isConnected());
        }
        assertEquals(0, itself.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
        assertTrue(itself.counters().get(TransportCounter.PEERS_REFUSED) > 0);
    }

    /**
     * A device that finds the relay first: over ipc a transport has one connection to itself, by whichever listener it
     * finds first.
     */
    private static RdmaDevice findingTheRelayFirst(final RdmaDevice device) {
        return Front.of(RdmaDevice.class, device, (name, arguments, call) ->
            name.equals("listeners") && arguments[0].equals("ipc/" + ITSELF) ? List.of() : call.result());
    }

    /**
     * A device by which all connections seem to be made of one thing, after the digests have been given what they are
     * made of.
     */
    private static RdmaDevice believingToBeAtBothEnds(final RdmaDevice device) {
        return Front.of(RdmaDevice.class, device, (name, arguments, call) -> switch (name) {
            case "connect" -> seenOnce((Connection) call.result());
            case "listen" -> Front.of(Listener.class, (Listener) call.result(), (method, ignored, inner) ->
                method.equals("poll") ? seenOnce((ConnectionRequest) inner.result()) : inner.result());
            default -> call.result();
        });
    }

    private static ConnectionRequest seenOnce(final ConnectionRequest request) {
        return request == null ? null : Front.of(ConnectionRequest.class, request, (name, arguments, call) ->
            name.equals("accept") ? seenOnce((Connection) call.result()) : call.result());
    }

    private static Connection seenOnce(final Connection connection) {
        final AtomicBoolean isSeen = new AtomicBoolean();
        return Front.of(Connection.class, connection, (name, arguments, call) ->
            name.equals("binding") && isSeen.getAndSet(true) ? ONE_FOR_ALL : call.result());
    }

    /** A transport's own proof is none of the one that it has dialled. */
    @Test
    void shouldNotBeProvedByItsOwnAnswer() {
        try (Listener listener = relay.listen(meeting)) {
            final Publication publication =
                dialling.addPublication(transports.channel("endpoint=meeting"), STREAM_ID);
            try (Session session = relay.accept(listener, asDialled.acceptance())) {
                Await.until("a challenge", () -> said(session).nonce() != null);
                session.send(asDialled.helloWithAuthentication());
                session.send(asDialled.challenge(said(session).nonce()));
                Await.until("an answer", () -> said(session).digest() != null);
                session.send(asDialled.answer(said(session).digest()));
                session.awaitOver();
                assertEquals(List.of("Hello", "Challenge", "Answer", "Goodbye"), said(session).names());
                assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(session).goodbye());
            }
            assertFalse(publication.isConnected());
        }
        assertTrue(dialling.counters().get(TransportCounter.PEERS_REFUSED) > 0);
        transports.awaitError("peer refused", "AUTHENTICATION_FAILED");
    }

    private static CapturedMessages said(final Session session) {
        final CapturedMessages heard = new CapturedMessages();
        final ControlMessageReader reader = new ControlMessageReader(heard);
        for (final byte[] message : session.received()) {
            reader.read(new UnsafeBuffer(message), 0, message.length);
        }
        return heard;
    }
}
