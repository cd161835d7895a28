package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.Publication;
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
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A subscriber breaks an epoch that it has accepted before the publication is connected there: another one follows. */
class BrokenAcceptTest {
    private static final int STREAM_ID = 5;
    private static final int DEPTH = 64;
    /** A subscriber that has broken so many says nothing else. */
    private static final int EPOCHS = 4;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final ControlMessages messages = new ControlMessages(1, 1);
    private final List<QueuePair> queuePairs = new ArrayList<>();

    /** The epochs that were asked for so far. */
    private static int setups(final Session session) {
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> true);
        return heard.linkIds().size();
    }

    private byte[] nextQueuePair(final HostilePeer peer) {
        queuePairs.add(peer.queuePair());
        return queuePairs.getLast().localAddress();
    }

    @Test
    void shouldBeginAnotherEpochWhenThePeerHasBrokenTheOneThatIsBeingConnected() {
        TestMedium.assumeIpc();
        final Transport transport = transports.launch();
        final Publication publication = transport.addPublication(transports.channel("log=copied"), STREAM_ID);
        try (HostilePeer peer = new HostilePeer(transports.fabric());
            Session session = peer.connect(peer.address(), messages.privateData())) {
            Await.until("a connection", session::isEstablished);
            session.send(messages.hello());
            session.send(messages.subscribe(7, STREAM_ID, transports.channel("")));
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> !heard.linkIds().isEmpty());
            final long linkId = heard.linkIds().getFirst();
            session.send(messages.accept(linkId, 1, DEPTH, nextQueuePair(peer)));
            Await.until("the first epoch", publication::isConnected);
            for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                final int next = epoch + 1;
                if (epoch > 1) {
                    session.send(messages.acceptResumed(linkId, epoch, 0, nextQueuePair(peer)));
                }
                session.send(messages.linkBroken(linkId, Role.SUBSCRIPTION, epoch, LinkBrokenReason.DEVICE));
                Await.until(() -> "epoch " + next + " " + transport.counters(),
                    () -> setups(session) >= next, Await.DEADLINE_SECONDS);
            }
            assertEquals(0, transport.counters().get(TransportCounter.LINKS_GONE));
            CloseHelper.closeAll(queuePairs);
        }
    }
}
