package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.PrivateDataDescriptor;
import io.sluice.codec.control.ConnectPrivateDataEncoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.QueuePair;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A peer that says what no transport would say: the transport hangs up, says why, and its other streams go on.
 */
class HostilePeerTest {
    private static final int STREAM_ID = 5;
    private static final long SEED = 20_261_121;
    /** The messages of one connection: enough for the other side to return credit. */
    private static final int MESSAGES = 64;
    private static final long ID_HIGH = 0x0101_0101_0101_0101L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final SplittableRandom random = new SplittableRandom(SEED);
    private HostilePeer peer;
    private Transport victim;
    private ExclusivePublication publication;
    private Subscription subscription;
    private long nextId = 1;

    @BeforeEach
    void launch() {
        victim = transports.launch(context -> context
            .timeouts(new Timeouts().heartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(100))
                .handshakeTimeoutNs(TimeUnit.SECONDS.toNanos(1))
                .resumeTimeoutNs(TimeUnit.SECONDS.toNanos(1))
                .livenessTimeoutNs(TimeUnit.SECONDS.toNanos(2))));
        subscription = victim.addSubscription(transports.channel("log=copied"), STREAM_ID);
        publication = victim.addExclusivePublication(transports.channel("window=64k|log=copied"), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        peer = new HostilePeer(transports.fabric());
    }

    @AfterEach
    void close() {
        peer.close();
    }

    /** The streams of the victim have noticed nothing, and new ones can be added. */
    private void assertOthersGoOn() {
        final Image image = subscription.images().getFirst();
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertFalse(image.isClosed());
        assertEquals(1, subscription.imageCount());
        final Subscription fresh = victim.addSubscription(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, fresh);
        fresh.close();
    }

    private long rejected() {
        return victim.counters().get(TransportCounter.CONTROL_MESSAGES_REJECTED);
    }

    private String address() {
        return peer.address();
    }

    private ControlMessages newcomer() {
        return new ControlMessages(ID_HIGH, nextId++);
    }

    private Session connect() {
        final Session session = peer.connect(address(), newcomer().privateData());
        Await.until("a connection", session::isEstablished);
        return session;
    }

    private Session greet(final ControlMessages messages) {
        final Session session = connect();
        assertTrue(session.send(messages.hello()));
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> !heard.subscriptionIds().isEmpty());
        return session;
    }

    @Test
    void shouldRejectConnectionsWhosePrivateDataIsNotSluices() {
        final ControlMessages messages = newcomer();
        final int length = ConnectPrivateDataEncoder.ENCODED_LENGTH;
        final byte[] noise = new byte[PrivateDataDescriptor.MAX_CONNECT_LENGTH];
        random.nextBytes(noise);
        final List<byte[]> wrong = List.of(
            new byte[0],
            new byte[1],
            noise,
            messages.privateData(0x12345678, 1, length, 0),
            messages.privateData(PrivateDataDescriptor.MAGIC, 0, length, 0),
            messages.privateData(PrivateDataDescriptor.MAGIC, 1, length - 1, 0),
            messages.privateData(PrivateDataDescriptor.MAGIC, 1, 65535, 0),
            messages.privateData(PrivateDataDescriptor.MAGIC, 1, length, 1),
            messages.privateData(PrivateDataDescriptor.MAGIC, 1, length, 2));
        final long before = rejected();
        for (final byte[] bytes : wrong) {
            try (Session session = peer.connect(address(), bytes)) {
                assertTrue(session.isRejected(), () -> Arrays.toString(bytes));
            }
        }
        assertEquals(before + wrong.size(), rejected());
        transports.awaitError("rejected", "PROTOCOL_ERROR");
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnAPeerOfAnotherVersionAndSayWhich() {
        try (Session session = connect()) {
            session.send(newcomer().hello(50, 99));
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> heard.goodbye() != null);
            assertEquals(GoodbyeReason.VERSION_MISMATCH, heard.goodbye());
            assertTrue(heard.text().contains("peer=50..99"), heard.text());
            session.awaitOver();
        }
        transports.awaitError("VERSION_MISMATCH", "peer=50..99");
        try (Session newer = connect()) {
            newer.send(newcomer().hello(2, 99));
            final CapturedMessages heard = new CapturedMessages();
            newer.awaitMessage(heard, () -> !heard.subscriptionIds().isEmpty());
            assertFalse(newer.isOver(), "it speaks our version too");
        }
        assertOthersGoOn();
    }

    /** The proof of version one is good on other connections, too. */
    @Test
    void shouldHangUpOnAPeerThatSpeaksVersionOneOnly() {
        try (Session session = connect()) {
            session.send(newcomer().hello(1, 1));
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> heard.goodbye() != null);
            assertEquals(GoodbyeReason.VERSION_MISMATCH, heard.goodbye());
        }
        transports.awaitError("VERSION_MISMATCH", "peer=1..1 own=2..2");
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnAPeerThatAsksForAKey() {
        try (Session session = connect()) {
            session.send(newcomer().helloWithAuthentication());
            session.awaitOver();
        }
        transports.awaitError("AUTHENTICATION_FAILED");
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnWhoeverSpeaksBeforeTheGreetingOrTwice() {
        final List<byte[]> messages = newcomer().all(1, 1, STREAM_ID);
        for (int i = 1; i < messages.size(); i++) {
            try (Session session = connect()) {
                session.send(messages.get(i));
                session.awaitOver();
            }
        }
        try (Session session = greet(newcomer())) {
            session.send(newcomer().hello());
            session.awaitOver();
        }
        transports.awaitError("unexpected Hello");
        assertTrue(rejected() >= messages.size() / 2);
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnAPeerThatNeverGreets() {
        try (Session session = connect()) {
            session.awaitOver();
        }
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnMessagesThatAreCutShortOrTooLong() {
        for (final byte[] message : newcomer().all(1, 1, STREAM_ID)) {
            final int end = message.length;
            for (final int length : new int[] {0, 1, 7, 8, end / 2, end - 1, end + 1}) {
                final long before = rejected();
                try (Session session = greet(newcomer())) {
                    session.send(Arrays.copyOf(message, length));
                    if (length > 0) {
                        session.awaitOver();
                        assertTrue(rejected() > before);
                    }
                }
            }
        }
        transports.awaitError("malformed control message", "TRUNCATED");
        transports.awaitError("malformed control message", "TRAILING_BYTES");
        assertOthersGoOn();
    }

    @Test
    void shouldHangUpOnFramingThatDoesNotAddUp() {
        final byte[] heartbeat = newcomer().heartbeat(1);
        for (final long credit : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_000}) {
            try (Session session = greet(newcomer())) {
                session.send(credit, heartbeat);
                session.awaitOver();
            }
        }
        for (int length = 0; length < 8; length++) {
            try (Session session = greet(newcomer())) {
                session.sendRaw(new byte[length]);
                session.awaitOver();
            }
        }
        assertOthersGoOn();
    }

    @Test
    void shouldCountAndIgnoreAMessageItDoesNotKnow() {
        try (Session session = greet(newcomer())) {
            final byte[] message = newcomer().heartbeat(1);
            message[2] = 99;
            final long before = rejected();
            session.send(message);
            Await.until("the count", () -> rejected() == before + 1);
            assertFalse(session.isOver());
        }
        assertOthersGoOn();
    }

    @Test
    void shouldRefuseALinkThatMakesNoSense() {
        try (Session session = greet(newcomer())) {
            final CapturedMessages first = new CapturedMessages();
            session.awaitMessage(first, () -> first.subscriptionOf(STREAM_ID) != null);
            final long subscriptionId = first.subscriptionOf(STREAM_ID);
            final ControlMessages messages = newcomer();
            final long before = victim.counters().get(TransportCounter.LINKS_REFUSED);
            assertRefused(session, RefuseReason.NO_SUBSCRIPTION,
                messages.setup(1, subscriptionId + 1000, STREAM_ID, 65536, false, 1));
            assertRefused(session, RefuseReason.PROTOCOL,
                messages.setup(2, subscriptionId, STREAM_ID + 1, 65536, false, 1));
            assertRefused(session, RefuseReason.WINDOW_MISMATCH,
                messages.setup(3, subscriptionId, STREAM_ID, 65537, false, 1));
            assertRefused(session, RefuseReason.WINDOW_MISMATCH,
                messages.setup(4, subscriptionId, STREAM_ID, 2048, false, 1));
            assertRefused(session, RefuseReason.WINDOW_MISMATCH,
                messages.setup(5, subscriptionId, STREAM_ID, Integer.MAX_VALUE, false, 1));
            assertRefused(session, RefuseReason.UNKNOWN_SESSION,
                messages.setup(6, subscriptionId, STREAM_ID, 65536, true, 2));
            assertRefused(session, RefuseReason.RESOURCES,
                messages.setup(7, subscriptionId, STREAM_ID, 65536, false, 1));
            assertEquals(before + 7, victim.counters().get(TransportCounter.LINKS_REFUSED));
        }
        assertOthersGoOn();
    }

    private static void assertRefused(final Session session, final RefuseReason reason, final byte[] setup) {
        session.received().clear();
        assertTrue(session.send(setup));
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.refusal() != null);
        assertEquals(reason, heard.refusal());
    }

    /** A peer that accepts with nonsense, and never consumes, may hold the publication up, but not for ever. */
    @Test
    void shouldGoOnWithoutASubscriberThatAcceptsNonsense() {
        final byte[] noise = new byte[200];
        random.nextBytes(noise);
        final QueuePair pair = peer.queuePair();
        for (final byte[] address : List.of(new byte[0], noise, pair.localAddress())) {
            for (final int depth : new int[] {1, Integer.MAX_VALUE}) {
                final ControlMessages messages = newcomer();
                try (Session session = greet(messages)) {
                    session.received().clear();
                    session.send(messages.subscribe(7, STREAM_ID, transports.channel("")));
                    final CapturedMessages heard = new CapturedMessages();
                    session.awaitMessage(heard, () -> !heard.linkIds().isEmpty());
                    session.send(messages.accept(heard.linkIds().getFirst(), 1, depth, address));
                    session.send(messages.endOfStreamReceived(heard.linkIds().getFirst(), 1L << 40));
                    for (int i = 0; i < 100; i++) {
                        Transports.offer(publication, new byte[8000]);
                        Transports.receive(subscription, 1);
                    }
                }
            }
        }
        pair.close();
        assertOthersGoOn();
    }

    /** A subscription is not tried again after its link was given up; one that comes after it is another one. */
    @Test
    void shouldForgetASubscriptionThatItDoesNotTryAgainWhenThatOrItsPeerIsGone() {
        final ControlMessages messages = newcomer();
        for (int i = 0; i < 3; i++) {
            try (Session session = greet(messages)) {
                giveUpALink(session, messages);
                session.send(messages.unsubscribe(7));
                giveUpALink(session, messages);
            }
        }
        assertOthersGoOn();
    }

    private void giveUpALink(final Session session, final ControlMessages messages) {
        session.received().clear();
        session.send(messages.subscribe(7, STREAM_ID, transports.channel("")));
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> !heard.linkIds().isEmpty());
        session.send(messages.linkBroken(heard.linkIds().getLast(), Role.SUBSCRIPTION));
    }

    /** A peer claims to be the transport that it talks to, whose connection to itself is then taken for an old one. */
    @Test
    void shouldGoOnWhenAPeerTakesItsName() {
        TestMedium.assumeIpc();
        final String id = address().substring(address().lastIndexOf('/') + 1);
        final ControlMessages messages = new ControlMessages(
            Long.parseUnsignedLong(id.substring(0, 16), 16), Long.parseUnsignedLong(id.substring(16), 16));
        for (int i = 0; i < 5; i++) {
            try (Session session = connect()) {
                session.send(messages.hello());
                session.send(messages.closeLink(1, Role.PUBLICATION));
                session.send(messages.linkBroken(1, Role.SUBSCRIPTION));
                session.send(messages.unsubscribe(1));
                for (int j = 0; j < 100; j++) {
                    Transports.offer(publication, new byte[j]);
                    assertEquals(j, Transports.receive(subscription, 1).getFirst().length);
                }
            }
        }
        assertOthersGoOn();
    }

    @Test
    @Tag("slow")
    void shouldSurviveAnyMessages() {
        for (int connection = 0; connection < 150; connection++) {
            final ControlMessages messages = newcomer();
            try (Session session = greet(messages)) {
                final CapturedMessages heard = new CapturedMessages();
                session.awaitMessage(heard, () -> heard.subscriptionOf(STREAM_ID) != null);
                final List<byte[]> templates = messages.all(
                    1 + random.nextInt(4), heard.subscriptionOf(STREAM_ID), STREAM_ID);
                boolean isSent = true;
                for (int i = 0; i < MESSAGES && isSent; i++) {
                    final byte[] message = templates.get(random.nextInt(templates.size() - 1)).clone();
                    mutate(message);
                    isSent = session.send(message);
                }
                Await.until("all to be read", () -> session.isOver() || session.acknowledged() >= MESSAGES / 2);
            }
            if (connection % 25 == 0) {
                assertOthersGoOn();
            }
        }
        assertTrue(rejected() > 50, "rejected=" + rejected());
        assertOthersGoOn();
    }

    private void mutate(final byte[] message) {
        final int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            final int index = random.nextInt(message.length);
            message[index] = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> (byte) 0xFF;
                case 2 -> (byte) (message[index] ^ 1 << random.nextInt(8));
                default -> (byte) random.nextInt(256);
            };
        }
    }
}
