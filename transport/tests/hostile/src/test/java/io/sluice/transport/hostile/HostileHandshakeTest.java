package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.status.TransportCounter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A peer that has seen handshakes but has no key, against a transport that asks for one. The handshakes it has seen are
 * made here, of the bytes that the schema of the control messages describes.
 */
class HostileHandshakeTest {
    private static final int STREAM_ID = 5;
    private static final String NAME = "victim";
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";
    private static final long ID_HIGH = 0x0101_0101_0101_0101L;
    private static final long ID_LOW = 7;
    private static final byte[] NONCE = "a nonce of thirty-two characters".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_UNPROVED_OF_A_HOST = 64;
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[1000]);
    private static final Set<String> ALLOWED_BEFORE = Set.of("Hello", "Challenge", "Answer", "Goodbye");

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private final ControlMessages messages = new ControlMessages(ID_HIGH, ID_LOW);
    private HostilePeer peer;
    private Transport victim;
    private Publication publication;
    private Subscription subscription;

    @BeforeEach
    void launch() {
        victim = transports.launch(context -> context
            .clientName(NAME)
            .preSharedKeyFile(KeyFile.of(folder, KEY))
            .timeouts(new Timeouts().handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1))));
        subscription = victim.addSubscription(transports.channel(""), STREAM_ID);
        publication = victim.addPublication(transports.channel("window=64k"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        peer = new HostilePeer(transports.fabric());
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private Session connect() {
        final Session session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        return session;
    }

    private static CapturedMessages hear(final Session session) {
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.nonce() != null);
        return heard;
    }

    private static void send(final Session session, final byte[]... messages) {
        for (final byte[] message : messages) {
            session.send(message);
        }
    }

    private byte[] proof(final Session session) {
        return messages.proof(KEY, hear(session), NONCE, session.binding());
    }

    private void assertOthersGoOn() {
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertEquals(1, subscription.imageCount());
        assertEquals(0, victim.counters().get(TransportCounter.LINKS_BROKEN));
    }

    /** Assert that nothing but what a handshake needs has been told, and that then it was over. */
    private void assertRefused(final Session session, final long times) {
        assertOthersGoOn();
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.goodbye() != null);
        session.awaitOver();
        assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, heard.goodbye());
        assertFalse(heard.text().contains(KEY), heard.text());
        assertTrue(ALLOWED_BEFORE.containsAll(heard.names()), heard.names()::toString);
        assertEquals(times, victim.counters().get(TransportCounter.PEERS_REFUSED));
        transports.awaitError("PEER_REFUSED", "peer refused", "AUTHENTICATION_FAILED");
        assertEquals(1, transports.errors().stream().filter(error -> error.getMessage().contains("refused")).count(),
            transports.errors()::toString);
    }

    /** Send what a peer sends that holds the key, and return it; the victim takes the sender for a peer then. */
    private List<byte[]> handshake(final Session session) {
        final byte[] hello = messages.helloWithAuthentication();
        final byte[] challenge = messages.challenge(NONCE);
        final byte[] answer = messages.answer(proof(session));
        send(session, hello, challenge, answer);
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.subscriptionOf(STREAM_ID) != null);
        assertTrue(heard.names().indexOf("Answer") < heard.names().indexOf("Subscribe"), heard.names()::toString);
        return List.of(hello, challenge, answer);
    }

    @Test
    void shouldRefuseAHandshakeThatWasRecorded() {
        final List<byte[]> recorded;
        try (Session session = connect()) {
            recorded = handshake(session);
        }
        for (int times = 1; times <= 3; times++) {
            try (Session session = connect()) {
                send(session, recorded.toArray(byte[][]::new));
                assertRefused(session, times);
            }
        }
        assertOthersGoOn();
    }

    /** An answer would give anybody who comes something to try keys against at home. */
    @Test
    void shouldAnswerNobodyWhoHasNotProvedItself() {
        try (Session session = connect()) {
            final byte[] nonce = hear(session).nonce();
            send(session, messages.helloWithAuthentication(), messages.challenge(nonce), messages.answer());
            assertRefused(session, 1);
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> heard.goodbye() != null);
            assertEquals(List.of("Hello", "Challenge", "Goodbye"), heard.names());
        }
        assertOthersGoOn();
    }

    @Test
    void shouldTellItsNamesAfterTheProofOnly() {
        try (Session session = connect()) {
            final CapturedMessages before = hear(session);
            assertEquals(0, before.processId());
            assertEquals("", before.helloTexts());
            assertEquals(0, session.acceptedBy());
            handshake(session);
            final CapturedMessages after = new CapturedMessages();
            session.awaitMessage(after, () -> after.introducedName() != null);
            assertEquals(ProcessHandle.current().pid(), after.processId());
            assertEquals(NAME, after.introducedName());
            assertTrue(after.names().indexOf("Answer") < after.names().indexOf("Introduction"),
                after.names()::toString);
        }
    }

    /** A transport connects to itself, too; of another connection it knows that it is not at the other end. */
    @Test
    void shouldRefuseAPeerThatTakesItsName() {
        try (Session session = connect()) {
            final CapturedMessages asked = hear(session);
            final ControlMessages named = new ControlMessages(asked.idHigh(), asked.idLow());
            send(session, named.helloWithAuthentication(), named.challenge(asked.nonce()));
            assertRefused(session, 1);
        }
        transports.awaitError("the peer says the id of this transport, and is another one");
        assertOthersGoOn();
    }

    /** One of the same id and the same nonces, over another connection. */
    @Test
    void shouldRefuseAProofThatIsBoundToAnotherConnection() {
        try (Session session = connect(); Session other = connect()) {
            send(session, messages.helloWithAuthentication(), messages.challenge(NONCE),
                messages.answer(messages.proof(KEY, hear(session), NONCE, other.binding())));
            assertRefused(session, 1);
        }
        assertOthersGoOn();
    }

    @Test
    void shouldRefuseAnAnswerThatDiffersInOneBit() {
        try (Session session = connect()) {
            final byte[] digest = proof(session);
            digest[digest.length - 1] ^= 1;
            send(session, messages.helloWithAuthentication(), messages.challenge(NONCE), messages.answer(digest));
            assertRefused(session, 1);
        }
        assertOthersGoOn();
    }

    @Test
    void shouldRefuseAPeerThatAsksForNoKey() {
        try (Session session = connect()) {
            send(session, messages.hello());
            assertRefused(session, 1);
        }
        assertOthersGoOn();
    }

    @Test
    void shouldTellAndTakeNothingBeforeThePeerHasProvedItself() {
        final List<byte[]> all = messages.all(1, 1, STREAM_ID);
        for (int i = 0; i < all.size(); i++) {
            try (Session session = connect()) {
                send(session, messages.helloWithAuthentication(), messages.challenge(NONCE), all.get(i));
                session.awaitOver();
                final CapturedMessages heard = new CapturedMessages();
                session.awaitMessage(heard, () -> true);
                assertTrue(ALLOWED_BEFORE.containsAll(heard.names()), heard.names()::toString);
            }
        }
        assertOthersGoOn();
    }

    /** Links are no secret: every Hello tells an id. The transport is linked to itself, over a connection. */
    @Test
    void shouldKeepItsLinksWhateverAStrangerSaysUnderTheNameOfALinkedPeer() {
        final Image image = subscription.images().getFirst();
        for (final GoodbyeReason reason : GoodbyeReason.values()) {
            if (reason != GoodbyeReason.NULL_VAL) {
                sayUnderItsOwnName(named -> new byte[][] {named.goodbye(reason)});
                sayUnderItsOwnName(named -> new byte[][] {named.helloWithAuthentication(), named.goodbye(reason)});
                sayUnderItsOwnName(named -> new byte[][] {
                    named.helloWithAuthentication(), named.challenge(NONCE), named.goodbye(reason)});
            }
        }
        sayUnderItsOwnName(named -> new byte[][] {named.helloWithAuthentication(), named.answer()});
        sayUnderItsOwnName(
            named -> new byte[][] {named.helloWithAuthentication(), named.challenge(NONCE), named.answer()});
        assertFalse(image.isClosed());
        assertEquals(0, victim.counters().get(TransportCounter.LINKS_BROKEN));
        assertEquals(0, victim.counters().get(TransportCounter.LINKS_GONE));
        assertOthersGoOn();
    }

    /** Say something with a full window under way, all of which then arrives. */
    private void sayUnderItsOwnName(final Function<ControlMessages, byte[][]> sayings) {
        int offered = 0;
        while (publication.offer(MESSAGE) > 0) {
            offered++;
        }
        try (Session session = connect()) {
            final CapturedMessages asked = hear(session);
            send(session, sayings.apply(new ControlMessages(asked.idHigh(), asked.idLow())));
            session.awaitOver();
        }
        assertEquals(offered, Transports.receive(subscription, offered).size());
    }

    @Test
    void shouldCountWhatStrangersSayEachTimeAndTellOfItOncePerReason() {
        final List<Consumer<Session>> sayings = List.of(
            session -> session.send(new byte[] {1, 2, 3}),
            session -> session.sendRaw(new byte[] {1, 2, 3}),
            session -> session.send(1_000_000, messages.helloWithAuthentication()),
            session -> session.send(messages.unsubscribe(1)),
            session -> send(session, messages.helloWithAuthentication(), messages.goodbye(GoodbyeReason.RESOURCES)));
        final int rejected = sayings.size() - 1;
        for (int times = 1; times <= 4; times++) {
            for (final Consumer<Session> saying : sayings) {
                try (Session session = connect()) {
                    saying.accept(session);
                    session.awaitOver();
                }
            }
            assertEquals((long) times * rejected, victim.counters().get(TransportCounter.CONTROL_MESSAGES_REJECTED));
        }
        transports.awaitError("closed: PROTOCOL_ERROR");
        transports.awaitError("lost");
        transports.awaitError("closed by the peer: RESOURCES");
        assertOthersGoOn();
        assertEquals(3, transports.errors().size(), transports.errors()::toString);
    }

    /** So many that are silent leave room for others; who is turned away may come back when one of them has gone. */
    @Test
    void shouldTurnAwayWhoComesTooOftenWithoutAProof() {
        final List<Session> silent = new ArrayList<>();
        for (int i = 0; i < MAX_UNPROVED_OF_A_HOST; i++) {
            silent.add(connect());
        }
        for (int i = 0; i < 3; i++) {
            try (Session session = peer.connect(peer.address(), messages.privateData())) {
                assertTrue(session.isRejected());
            }
        }
        assertEquals(3, victim.counters().get(TransportCounter.CONTROL_MESSAGES_REJECTED));
        transports.awaitError("RESOURCES", "rejected: RESOURCES");
        assertEquals(1, transports.errors().size(), transports.errors()::toString);
        assertOthersGoOn();
        silent.removeFirst().close();
        Await.until("a place", () -> {
            final Session session = peer.connect(peer.address(), messages.privateData());
            silent.add(session);
            return session.isEstablished();
        });
        CloseHelper.closeAll(silent);
    }

    @Test
    void shouldHangUpOnAnAnswerBeforeTheChallenge() {
        try (Session session = connect()) {
            send(session, messages.helloWithAuthentication(), messages.answer());
            session.awaitOver();
        }
        transports.awaitError("CONNECTION_FAILED", "unexpected Answer");
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnTheChallengeOfAnother() {
        try (Session session = connect()) {
            send(session, messages.helloWithAuthentication(),
                new ControlMessages(ID_HIGH, ID_LOW + 1).challenge(NONCE));
            session.awaitOver();
        }
        transports.awaitError("a Challenge of another transport");
        assertOthersGoOn();
    }
}
