package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.Image;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A publication that breaks and resumes its link again and again while nobody consumes: each epoch has a ring. */
class HostileResumeTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 16 * 1024;
    private static final int FRAME_LENGTH = 64;
    private static final long LINK_ID = 77;
    private static final int EPOCHS = 60;
    /** Rings that are kept for one link: those of earlier epochs, and the current one. */
    private static final int MAX_RINGS = 16 + 1;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final ControlMessages messages = new ControlMessages(0x0101_0101_0101_0101L, 1);
    private final List<AutoCloseable> resources = new ArrayList<>();
    private HostilePeer peer;
    private Subscription subscription;
    private Session session;
    private MemoryRegion cell;
    private MemoryRegion log;
    private long subscriptionId;
    private long position;
    private long epoch;

    @BeforeEach
    void launch() {
        final Transport victim = transports.launch();
        subscription = victim.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        peer = new HostilePeer(transports.fabric());
        cell = peer.region(FRAME_LENGTH);
        log = peer.region(FRAME_LENGTH);
        session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        session.send(messages.hello());
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.subscriptionOf(STREAM_ID) != null);
        subscriptionId = heard.subscriptionOf(STREAM_ID);
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(resources);
        CloseHelper.closeAll(log, cell, session, peer);
    }

    /** Begin the next epoch, with a message or without; null when it was accepted. */
    private RefuseReason begin(final boolean withMessage) {
        final QueuePair pair = peer.queuePair();
        resources.add(pair);
        session.received().clear();
        session.send(messages.setup(LINK_ID, subscriptionId, STREAM_ID, pair, WINDOW, cell, position, epoch + 1));
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.accepted() != null || heard.refusal() != null);
        if (heard.accepted() != null) {
            epoch++;
            session.send(messages.established(LINK_ID, 0, epoch));
            if (withMessage) {
                write(pair, heard.accepted());
            }
        }
        return heard.refusal();
    }

    private void write(final QueuePair pair, final CapturedMessages.Accepted ring) {
        pair.readyToReceive(ring.queuePairAddress());
        pair.readyToSend();
        final int offset = (int) position & WINDOW - 1;
        log.buffer().putLong(FrameDescriptor.LAP_WORD_OFFSET, FrameDescriptor.lapAndChecksumWord(
            position, FrameDescriptor.NO_CHECKSUM, messages.frameKey()));
        log.buffer().putLongRelease(0, FrameDescriptor.lengthWord(FRAME_LENGTH, 0, FrameDescriptor.DATA_TYPE));
        position += FRAME_LENGTH;
        assertEquals(Errno.OK, pair.postWriteWithImmediate(0, WorkFlags.NONE, log.address(), log.localKey(),
            FRAME_LENGTH, ring.ringAddress() + offset, ring.ringKey(), ImmediatePosition.immediate(position)));
    }

    private void awaitWalked() {
        Await.until("an image", () -> subscription.imageCount() == 1);
        final Image image = subscription.images().getFirst();
        Await.until("the poller", () -> States.walked(image) == position);
    }

    @Test
    void shouldKeepARingOnlyWhileSomebodyMayReadIt() {
        assertEquals(null, begin(true));
        awaitWalked();
        for (int i = 1; i < EPOCHS; i++) {
            assertEquals(null, begin(false));
        }
        Await.until("all rings to go but the current one and that of the message", () ->
            transports.fabric().regions(WINDOW) == 2);
        assertEquals(1, Transports.receive(subscription, 1).size());
        Await.until("the ring of the message to go", () -> transports.fabric().regions(WINDOW) == 1);
    }

    @Test
    void shouldNotResumeALinkWithTooManyRingsUntilTheyHaveBeenRead() {
        RefuseReason refusal = null;
        int begun = 0;
        while (refusal == null && begun < EPOCHS) {
            refusal = begin(true);
            if (refusal == null) {
                begun++;
                awaitWalked();
            }
        }
        assertEquals(RefuseReason.RESOURCES, refusal);
        assertEquals(MAX_RINGS, begun);
        assertTrue(transports.fabric().regions(WINDOW) <= MAX_RINGS);
        assertEquals(begun, Transports.receive(subscription, begun).size());
        Await.until("the link to be resumed", () -> begin(true) == null);
        assertEquals(1, Transports.receive(subscription, 1).size());
        assertEquals(1, subscription.imageCount());
    }
}
