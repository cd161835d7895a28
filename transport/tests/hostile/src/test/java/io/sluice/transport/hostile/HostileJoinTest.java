package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A publication whose link is to join where it cannot: that ends, nothing is left of it, and nobody waits for it. */
class HostileJoinTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 4096;
    private static final long LINK_ID = 77;
    private static final int CELL_LENGTH = 64;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final ControlMessages messages = new ControlMessages(0x0101_0101_0101_0101L, 1);
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final AtomicInteger available = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();
    private HostilePeer peer;
    private Transport victim;
    private Subscription innocent;
    private ExclusivePublication good;
    private Subscription subscription;
    private Session session;
    private MemoryRegion cell;
    private long subscriptionId;

    @BeforeEach
    void launch() {
        victim = transports.launch();
        innocent = victim.addSubscription(transports.channel("mode=dedicated"), STREAM_ID + 1);
        good = victim.addExclusivePublication(transports.channel("window=64k"), STREAM_ID + 1);
        Transports.awaitImages(innocent, 1);
        peer = new HostilePeer(transports.fabric());
        cell = peer.region(CELL_LENGTH);
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(resources);
        CloseHelper.closeAll(cell, session, peer);
    }

    private void greet(final String mode) {
        subscription = victim.addSubscription(transports.channel("log=copied|mode=" + mode), STREAM_ID,
            image -> available.incrementAndGet(), image -> unavailable.incrementAndGet());
        session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        session.send(messages.hello());
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.subscriptionOf(STREAM_ID) != null);
        subscriptionId = heard.subscriptionOf(STREAM_ID);
    }

    private QueuePair queuePair() {
        final QueuePair pair = peer.queuePair();
        resources.add(pair);
        return pair;
    }

    private byte[] setup(final QueuePair pair, final long position, final long epoch) {
        return messages.setup(LINK_ID, subscriptionId, STREAM_ID, pair, WINDOW, cell, position, epoch);
    }

    /** Ask for a link from a position on, until there is none by the same name any more. */
    private CapturedMessages.Accepted link(final QueuePair pair, final long position) {
        final CapturedMessages[] heard = new CapturedMessages[1];
        Await.until("the link by this name to go", () -> {
            heard[0] = new CapturedMessages();
            session.received().clear();
            session.send(setup(pair, position, 1));
            awaitMessage(heard[0], () -> heard[0].accepted() != null || heard[0].refusal() != null);
            return heard[0].accepted() != null;
        });
        return heard[0].accepted();
    }

    private void awaitMessage(final CapturedMessages heard, final BooleanSupplier condition) {
        session.awaitMessage(heard, () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return condition.getAsBoolean();
        });
    }

    /** Write where only the second window has room, before the link joins, and see to it that it is received. */
    private void writeBeforeTheRunBegins(final QueuePair pair, final CapturedMessages.Accepted ring, final long end) {
        final MemoryRegion log = peer.region(FrameDescriptor.FRAME_ALIGNMENT);
        resources.add(log);
        pair.readyToReceive(ring.queuePairAddress());
        pair.readyToSend();
        assertEquals(Errno.OK, pair.postWriteWithImmediate(0, WorkFlags.NONE, log.address(), log.localKey(),
            FrameDescriptor.FRAME_ALIGNMENT, ring.ringAddress(), ring.ringKey(), ImmediatePosition.immediate(end)));
        exchange(2);
        for (int i = 0; i < 2; i++) {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
        }
    }

    /**
     * Exchanges messages of another stream: when the second has come, its poller has gone round since the first one
     * came.
     */
    private void exchange(final int count) {
        for (int i = 0; i < count; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(innocent, 1).getFirst().length);
        }
    }

    private void assertGivenUpAndForgotten(final int images) {
        final CapturedMessages heard = new CapturedMessages();
        awaitMessage(heard, () -> heard.breaks().contains(LinkBrokenReason.BAD_POSITION));
        transports.awaitError("BAD_POSITION", "streamId=" + STREAM_ID);
        Await.until("the image to go", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return unavailable.get() == images && subscription.imageCount() == 0;
        });
        assertEquals(images, available.get());
        assertEquals(1, victim.counters().get(TransportCounter.LINKS_BROKEN));
        assertOthersGoOn();
        final QueuePair pair = queuePair();
        link(pair, 0);
        session.send(messages.established(LINK_ID, 0));
        Transports.awaitImages(subscription, 1);
        assertEquals(images + 1, available.get());
    }

    private void assertOthersGoOn() {
        exchange(100);
        assertEquals(1, innocent.imageCount());
        assertFalse(session.isOver(), "its connection goes on, too");
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldGiveUpALinkThatBeginsBeforeWhatItsPublicationHasSaid(final String mode) {
        greet(mode);
        link(queuePair(), 1L << 40);
        session.send(messages.established(LINK_ID, (1L << 40) - FrameDescriptor.FRAME_ALIGNMENT));
        assertGivenUpAndForgotten(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldEndALinkWhoseRunCannotBeginForWhatHasBeenWritten(final String mode) {
        greet(mode);
        final QueuePair pair = queuePair();
        writeBeforeTheRunBegins(pair, link(pair, 0), 2 * WINDOW);
        session.send(messages.established(LINK_ID, 0));
        assertGivenUpAndForgotten(1);
    }

    /** The finding arrives when the epoch is over already: the next one must not go on from there. */
    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldEndALinkWhoseRunCannotBeginAlsoWhenItIsResumedAtOnce(final String mode) {
        greet(mode);
        final QueuePair pair = queuePair();
        final QueuePair next = queuePair();
        final long last = FrameDescriptor.MAX_POSITION;
        writeBeforeTheRunBegins(pair, link(pair, last), last + 2 * WINDOW);
        session.send(messages.established(LINK_ID, last));
        session.send(setup(next, last, 2));
        assertGivenUpAndForgotten(1);
    }

    /** The poller would copy the bytes of four exbibytes if it took that for a link to be resumed. */
    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldNotResumeALinkThatHasNotBegun(final String mode) {
        greet(mode);
        final QueuePair pair = queuePair();
        final QueuePair next = queuePair();
        link(pair, FrameDescriptor.MAX_POSITION);
        session.send(messages.established(LINK_ID, 0));
        session.send(setup(next, FrameDescriptor.MAX_POSITION, 2));
        final CapturedMessages heard = new CapturedMessages();
        awaitMessage(heard, () -> heard.refusal() != null);
        assertEquals(RefuseReason.UNKNOWN_SESSION, heard.refusal());
        assertGivenUpAndForgotten(0);
    }
}
