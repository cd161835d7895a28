package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.HostilePublication;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A peer that was let in, and has come by the address and key of memory that another peer was given. */
class ForeignKeyTest {
    private static final int STREAM_ID = 5;
    private static final int RECEIVE_DEPTH = 16;
    private static final int LENGTH = 8;

    @RegisterExtension
    private final Transports transports = new Transports();

    private HostilePeer peer;
    private Transport victim;
    private Subscription subscription;
    private long nextId = 1;

    @BeforeEach
    void launch() {
        victim = transports.launch();
        subscription = victim.addSubscription(transports.channel(""), STREAM_ID);
        peer = new HostilePeer(transports.fabric());
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private Session greet(final ControlMessages messages) {
        final Session session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        session.send(messages.hello());
        return session;
    }

    private HostilePublication publication(final Session session, final ControlMessages messages) {
        return new HostilePublication(peer, session, messages, STREAM_ID, false);
    }

    @Test
    void shouldNotLetAPublisherWriteIntoTheRingOfAnother() {
        final ControlMessages messages = new ControlMessages(1, nextId++);
        final ControlMessages others = new ControlMessages(1, nextId++);
        try (Session session = greet(messages); Session othersSession = greet(others);
            HostilePublication publication = publication(session, messages);
            HostilePublication other = publication(othersSession, others)) {
            final long offset = HostilePublication.WINDOW - LENGTH;
            final CapturedMessages.Accepted own = other.ring();
            assertEquals(WorkStatus.SUCCESS,
                peer.write(other.queuePair(), LENGTH, own.ringAddress() + offset, own.ringKey()));

            final CapturedMessages.Accepted ring = publication.ring();
            final int status = peer.write(other.queuePair(), LENGTH, ring.ringAddress() + offset, ring.ringKey());

            assertEquals("REM_ACCESS_ERR", WorkStatus.name(status));
            publication.write();
            assertEquals(1, Transports.receive(subscription, 1).size());
        }
    }

    @Test
    void shouldNotLetASubscriberWriteIntoTheFeedbackOfAnother() {
        final Publication publication = victim.addPublication(transports.channel("window=64k"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        final ControlMessages messages = new ControlMessages(1, nextId++);
        final ControlMessages others = new ControlMessages(1, nextId++);
        try (Session session = greet(messages); Session othersSession = greet(others);
            QueuePair pair = peer.queuePair()) {
            final CapturedMessages.Offered cell = subscribe(session, messages);
            final CapturedMessages.Offered own = subscribe(othersSession, others);
            othersSession.received().clear();
            othersSession.send(others.accept(own.linkId(), 1, RECEIVE_DEPTH, pair.localAddress()));
            pair.readyToReceive(own.queuePairAddress());
            pair.readyToSend();
            final CapturedMessages heard = new CapturedMessages();
            othersSession.awaitMessage(heard, () -> heard.names().contains("Established"));
            assertEquals(WorkStatus.SUCCESS, peer.write(pair, LENGTH, own.feedbackAddress(), own.feedbackKey()));

            final int status = peer.write(pair, LENGTH, cell.feedbackAddress(), cell.feedbackKey());

            assertEquals("REM_ACCESS_ERR", WorkStatus.name(status));
        }
    }

    private CapturedMessages.Offered subscribe(final Session session, final ControlMessages messages) {
        session.send(messages.subscribe(7, STREAM_ID, transports.channel("")));
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.offered() != null);
        return heard.offered();
    }
}
