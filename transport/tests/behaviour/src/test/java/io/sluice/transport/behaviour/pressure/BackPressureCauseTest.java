package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.PressureChanges;
import io.sluice.transport.harness.TestCard;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.harness.UndersizedQueues;
import io.sluice.transport.harness.UndersizedQueues.Kind;
import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every stage between a publisher and a program that reads can be what holds up, and is named. */
class BackPressureCauseTest {
    private static final int STREAM_ID = 1;
    private static final byte[] MESSAGE = new byte[8];

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<BackPressure> heard = new CopyOnWriteArrayList<>();
    private UndersizedQueues queues;
    private ExclusivePublication publication;

    private Transport launch(
        final UnaryOperator<Context> settings, final Kind kind, final Manner manner, final int capacity) {
        return transports.launch(settings, device -> {
            queues = new UndersizedQueues(device, kind, manner, capacity, 1);
            return queues;
        });
    }

    private String channel() {
        return transports.channel("log=copied|mode=invoker");
    }

    private void publish(final Transport transport, final Subscription subscription) {
        publication = transport.addExclusivePublication(channel(), STREAM_ID);
        publication.backPressureListener(PressureChanges.into(heard));
        Transports.awaitConnected(publication, subscription);
    }

    private void offer(final int count) {
        for (int i = 0; i < count; i++) {
            Transports.offer(publication, MESSAGE);
        }
    }

    private void awaitPressure(final BackPressureCause cause) {
        Await.until(() -> cause + " instead of " + heard, () -> !heard.isEmpty(), Await.DEADLINE_SECONDS);
        assertEquals(PressureState.PRESSURED, heard.getFirst().state(), heard::toString);
        assertEquals(cause, heard.getFirst().cause(), heard::toString);
        assertEquals(STREAM_ID, heard.getFirst().streamId());
    }

    private void awaitClear(final Subscription subscription, final int count, final BackPressureCause cause) {
        assertEquals(count, Transports.receive(subscription, count).size());
        Await.until(() -> "CLEAR instead of " + heard,
            () -> !heard.isEmpty() && heard.getLast().state() == PressureState.CLEAR, Await.DEADLINE_SECONDS);
        assertEquals(2, heard.size(), heard::toString);
        assertEquals(cause, heard.getLast().cause(), heard::toString);
    }

    @Test
    void shouldNameTheSendQueueThatIsFull() {
        final int slots = 8;
        final Subscription subscription = transports.launch().addSubscription(channel(), STREAM_ID);
        publish(launch(context -> context.links(new LinkOptions().sendQueueLength(slots)),
            Kind.WRITES, Manner.HELD, 0), subscription);
        offer(2 * slots);
        awaitPressure(BackPressureCause.SEND_QUEUE_FULL);
        queues.release();
        awaitClear(subscription, 2 * slots, BackPressureCause.SEND_QUEUE_FULL);
    }

    @Test
    void shouldNameTheReceiverThatIsNotReady() {
        final int writes = 4;
        final Subscription subscription = transports.launch().addSubscription(channel(), STREAM_ID);
        publish(transports.launch(context -> context.links(new LinkOptions().writesInFlight(writes))), subscription);
        offer(2 * writes);
        awaitPressure(BackPressureCause.RECEIVER_NOT_READY);
        assertTrue(heard.getFirst().bytesBehind() > 0, heard::toString);
        awaitClear(subscription, 2 * writes, BackPressureCause.RECEIVER_NOT_READY);
    }

    @Test
    void shouldNameTheQueueThatWasNearlyFullWhenTheSubscriberDrainedIt() {
        final int depth = 40;
        final Subscription subscription =
            launch(context -> context.links(new LinkOptions().receiveDepth(depth).writesInFlight(depth)),
                Kind.RECEIVES, Manner.HONEST, depth)
                .addSubscription(channel(), STREAM_ID);
        publish(transports.launch(
            context -> context.links(new LinkOptions().receiveDepth(depth).writesInFlight(depth))), subscription);
        heard.clear();
        subscription.backPressureListener(heard::add);
        publication.backPressureListener(change -> { });
        offer(depth);
        awaitClear(subscription, depth, BackPressureCause.CQ_NEAR_FULL);
        awaitPressure(BackPressureCause.CQ_NEAR_FULL);
    }

    @Test
    void shouldNameTheQueueThatWasNearlyFullWhenThePublisherReapedIt() {
        TestCard.assumeResizing();
        final int slots = 64;
        final Subscription subscription = transports.launch().addSubscription(channel(), STREAM_ID);
        publish(launch(context -> context.links(new LinkOptions().sendQueueLength(slots).signalInterval(1)),
            Kind.WRITES, Manner.HONEST,
            slots / 2 + 1), subscription);
        offer(slots / 2 + 1);
        awaitPressure(BackPressureCause.CQ_NEAR_FULL);
        awaitClear(subscription, slots / 2 + 1, BackPressureCause.CQ_NEAR_FULL);
    }
}
