package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.os.CpuAffinity;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.PollerStatus;
import io.sluice.transport.Publication;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PollersTest {
    private static final int STREAM_ID = 6;
    private static final String DEDICATED = "mode=dedicated|";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    private Transport launch(final PollerOptions options) {
        return transports.launch(context -> context.pollers(options));
    }

    private static List<Integer> loads(final Transport transport) {
        return transport.pollers().stream().map(PollerStatus::subscriptions).toList();
    }

    @Test
    void shouldAssignSubscriptionsToTheLeastLoadedPoller() {
        final Transport transport = launch(new PollerOptions().count(3));
        transport.addSubscription(transports.channel(DEDICATED + "endpoint=a"), STREAM_ID);
        final Subscription second = transport.addSubscription(transports.channel(DEDICATED + "endpoint=b"), STREAM_ID);
        transport.addSubscription(transports.channel(DEDICATED + "endpoint=c"), STREAM_ID);
        transport.addSubscription(transports.channel(DEDICATED + "endpoint=d"), STREAM_ID);
        transport.addSubscription(transports.channel("mode=invoker|endpoint=e"), STREAM_ID);
        assertEquals(List.of(2, 1, 1), loads(transport));
        second.close();
        assertEquals(List.of(2, 0, 1), loads(transport));
        transport.addSubscription(transports.channel(DEDICATED + "endpoint=f"), STREAM_ID);
        assertEquals(List.of(2, 1, 1), loads(transport));
    }

    @Test
    void shouldAssignASubscriptionToThePollerThatItsChannelNames() {
        final Transport transport = launch(new PollerOptions().count(2));
        transport.addSubscription(transports.channel(DEDICATED + "poller=1"), STREAM_ID);
        transport.addSubscription(transports.channel(DEDICATED + "poller=1"), STREAM_ID + 1);
        assertEquals(List.of(0, 2), loads(transport));
        final Exception ex = assertThrows(
            IllegalArgumentException.class,
            () -> transport.addSubscription(transports.channel(DEDICATED + "poller=2"), STREAM_ID));
        assertTrue(ex.getMessage().contains("poller=2") && ex.getMessage().contains("maximum=1"), ex.getMessage());
    }

    /**
     * A subscription is polled by the next one after its release; a long-lived transport may have any number after each
     * other.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "|poller=0"})
    void shouldLetGoOfSubscriptionsThatWereClosed(final String named) {
        final Transport transport = launch(new PollerOptions());
        final String channel = transports.channel(DEDICATED + "ring=64" + named);
        final WeakReference<Subscription> closed = addAndClose(transport, channel);
        transport.addSubscription(channel, STREAM_ID);
        Await.until("the closed one to be garbage", () -> {
            System.gc();
            return closed.refersTo(null);
        });
        assertEquals(List.of(1), loads(transport));
    }

    private static WeakReference<Subscription> addAndClose(final Transport transport, final String channel) {
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID);
        subscription.close();
        Await.until("the end of the closed one", () -> States.isReleased(subscription));
        return new WeakReference<>(subscription);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy-spin", "yielding", "backoff", "sleeping"})
    void shouldDeliverWithEveryIdleStrategy(final String idleStrategy) {
        final Transport transport = launch(new PollerOptions().count(2).idleStrategy(idleStrategy));
        for (int poller = 0; poller < 2; poller++) {
            final String channel =
                transports.channel(DEDICATED + "poller=" + poller + "|endpoint=" + idleStrategy + poller);
            final Subscription subscription = transport.addSubscription(channel, STREAM_ID);
            final ExclusivePublication publication = transport.addExclusivePublication(channel, STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            Transports.offer(publication, new byte[] {(byte) poller});
            assertEquals(poller, Transports.receive(subscription, 1).getFirst()[0]);
        }
        assertEquals(idleStrategy, transport.pollers().getFirst().idleStrategy());
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldRefuseWrongOptionsAndNameThem() {
        shouldRefuse("pollers=0", new PollerOptions().count(0));
        shouldRefuse("pollers=65", new PollerOptions().count(65));
        shouldRefuse("known=busy-spin,yielding,backoff,sleeping", new PollerOptions().idleStrategy("lazy"));
        shouldRefuse("pollerCpus=[1, 2]", new PollerOptions().cpus(1, 2));
        shouldRefuse("pollerCpus=[1, 1]", new PollerOptions().count(2).cpus(1, 1));
        shouldRefuse("pollerCpus=-1", new PollerOptions().cpus(-1));
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> transports.launch(
            context -> context.threadingMode(ThreadingMode.INVOKER).pollers(new PollerOptions().cpus(0))));
        assertTrue(ex.getMessage().contains("threadingMode=INVOKER"), ex.getMessage());
    }

    private void shouldRefuse(final String named, final PollerOptions options) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> launch(options));
        assertTrue(ex.getMessage().contains(named), ex.getMessage());
    }

    @Test
    void shouldTakeDefaultsFromSystemProperties() {
        System.setProperty(Configuration.POLLERS_PROP, "3");
        System.setProperty(Configuration.POLLER_CPUS_PROP, "4, 2");
        System.setProperty(Configuration.POLLER_IDLE_STRATEGY_PROP, "busy-spin");
        try {
            final PollerOptions options = new Context().pollers();
            assertEquals(3, options.count());
            assertEquals(List.of(4, 2), options.cpus());
            assertEquals("busy-spin", options.idleStrategy());
        } finally {
            System.clearProperty(Configuration.POLLERS_PROP);
            System.clearProperty(Configuration.POLLER_CPUS_PROP);
            System.clearProperty(Configuration.POLLER_IDLE_STRATEGY_PROP);
        }
    }

    /** The callback thread and the caller start after a poller could have been pinned, and keep their processors. */
    @Test
    void shouldPinOnlyThePollerAndSayHowIsolatedItIs() {
        assumeTrue(CpuAffinity.isSupported());
        final int[] allowed = CpuAffinity.allowedCpus();
        assumeTrue(allowed.length > 1, "one processor only: nothing to tell apart");
        final int cpu = allowed[allowed.length - 1];
        final Transport transport = launch(new PollerOptions().cpus(cpu));
        transport.addSubscription(transports.channel(DEDICATED + "endpoint=first"), STREAM_ID);
        Await.until("the poller to be pinned", () -> transport.pollers().getFirst().pinning().startsWith("pinned"));
        assertTrue(transport.pollers().getFirst().pinning().contains("cpu " + cpu), transport.pollers().toString());
        assertTrue(transport.pollers().getFirst().pinning().contains("isolated"), transport.pollers().toString());

        final AtomicReference<int[]> ofCallbacks = new AtomicReference<>();
        final Subscription second = transport.addSubscription(
            transports.channel(DEDICATED + "endpoint=second"), STREAM_ID,
            image -> ofCallbacks.set(CpuAffinity.allowedCpus()), image -> { });
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel(DEDICATED + "endpoint=second"), STREAM_ID);
        Transports.awaitConnected(publication, second);
        assertEquals(Arrays.toString(allowed), Arrays.toString(ofCallbacks.get()));
        assertEquals(Arrays.toString(allowed), Arrays.toString(CpuAffinity.allowedCpus()));
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldRunUnpinnedAndSaySoWhenThereIsNoSuchProcessor() {
        assumeTrue(CpuAffinity.isSupported());
        final Transport transport = launch(new PollerOptions().cpus(8191));
        final Subscription subscription = transport.addSubscription(transports.channel("mode=dedicated"), STREAM_ID);
        final ExclusivePublication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        transports.awaitError("DEGRADED", "sluice-poller-0", "not pinned to cpu 8191");
        Transports.offer(publication, new byte[] {7});
        assertEquals(7, Transports.receive(subscription, 1).getFirst()[0]);
    }

    /** Many times the ring and the window go through the one, while the other's ring and window are full. */
    @Test
    void shouldServeASubscriptionWhoseNeighbourOnThePollerNeverConsumes() {
        final Transport transport = launch(new PollerOptions());
        final Subscription stuck =
            transport.addSubscription(transports.channel(DEDICATED + "endpoint=stuck|ring=4"), STREAM_ID);
        final Subscription live =
            transport.addSubscription(transports.channel(DEDICATED + "endpoint=live|ring=64"), STREAM_ID);
        final ExclusivePublication toStuck =
            transport.addExclusivePublication(transports.channel("endpoint=stuck|window=4k"), STREAM_ID);
        final ExclusivePublication toLive =
            transport.addExclusivePublication(transports.channel("endpoint=live|window=4k"), STREAM_ID);
        Transports.awaitConnected(toStuck, stuck);
        Transports.awaitConnected(toLive, live);
        Await.until("back-pressure", () -> toStuck.offer(buffer, 0, 8) == Publication.BACK_PRESSURED);
        final int messages = 20_000;
        final int[] state = new int[2];
        Await.until("all messages of the other", () -> {
            while (state[0] < messages) {
                buffer.putInt(0, state[0]);
                if (toLive.offer(buffer, 0, 8) < 0) {
                    break;
                }
                state[0]++;
            }
            live.poll((message, offset, length, header) -> assertEquals(state[1]++, message.getInt(offset)), 100);
            return state[1] == messages;
        });
        assertEquals(Publication.BACK_PRESSURED, toStuck.offer(buffer, 0, 8));
        assertEquals(List.of(), transports.errors());
        assertEquals(128, Transports.receive(stuck, 128).size(), "what was held back is all there");
    }

    /** Images as many as slots and more have an event each, in a ring that wraps; at the end all is reported. */
    @Test
    void shouldReportWhatManyImagesWithOneEventEachHaveConsumed() {
        final int images = 12;
        final Transport transport = launch(new PollerOptions());
        final Subscription subscription =
            transport.addSubscription(transports.channel(DEDICATED + "ring=8"), STREAM_ID);
        final List<ExclusivePublication> publications = new ArrayList<>();
        for (int i = 0; i < images; i++) {
            publications.add(transport.addExclusivePublication(
                transports.channel("window=4k|session-id=" + i), STREAM_ID));
            Transports.awaitConnected(publications.getLast(), subscription);
        }
        for (int round = 0; round < 5; round++) {
            for (final ExclusivePublication publication : publications) {
                Transports.offer(publication, new byte[] {(byte) publication.sessionId()});
            }
            final List<Integer> sessions = Transports.receive(subscription, images).stream()
                .map(message -> (int) message[0]).sorted().toList();
            assertEquals(IntStream.range(0, images).boxed().toList(), sessions);
            for (final ExclusivePublication publication : publications) {
                assertEquals(
                    publication.position(), subscription.imageBySessionId(publication.sessionId()).position());
            }
        }
        // the last message of each is an aborted claim: no event says that it was passed
        for (final ExclusivePublication publication : publications) {
            final BufferClaim claim = new BufferClaim();
            assertTrue(publication.tryClaim(8, claim) > 0);
            claim.abort();
        }
        for (final ExclusivePublication publication : publications) {
            Await.until("the report of session " + publication.sessionId(),
                () -> publication.availableWindow() == 4096);
            assertEquals(
                publication.position(), subscription.imageBySessionId(publication.sessionId()).position());
        }
        assertEquals(0, subscription.poll((message, offset, length, header) -> { }, 1));
    }
}
