package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.CompletionMode;
import io.sluice.transport.Configuration;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.PollerStatus;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompletionModeTest {
    private static final int STREAM_ID = 12;
    private static final String DEDICATED = "sluice:ipc?mode=dedicated|endpoint=modes";
    private static final long SPIN_TIME_NS = 1_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport launch(final CompletionMode... modes) {
        return transports.launch(context -> context.pollers(
            new PollerOptions().count(modes.length).completionModes(modes).spinTimeNs(SPIN_TIME_NS)));
    }

    /** One by one, so that the poller is on its way to sleep, or asleep, when the next one comes. */
    @ParameterizedTest
    @CsvSource({"EVENT,shared", "EVENT,copied", "ADAPTIVE,shared", "ADAPTIVE,copied"})
    void shouldDeliverEachMessageToAPollerThatMaySleep(final CompletionMode mode, final String log) {
        final String channel = "|log=" + log;
        final Subscription subscription = launch(mode).addSubscription(DEDICATED + channel, STREAM_ID);
        final Publication publication = launch(mode).addPublication(DEDICATED + channel, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        for (int i = 0; i < 300; i++) {
            Transports.offer(publication, new byte[] {(byte) i});
            assertEquals((byte) i, Transports.receive(subscription, 1).getFirst()[0]);
        }
        assertEquals(List.of(), transports.errors());
    }

    /** Events within the publisher's own process go past the socket. */
    @ParameterizedTest
    @EnumSource(names = "SPIN", mode = EnumSource.Mode.EXCLUDE)
    void shouldDeliverThroughATinyRingAndWindow(final CompletionMode mode) {
        final Transport transport = launch(mode);
        final String channel = DEDICATED + "|window=4k|ring=4";
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID);
        final Publication publication = transport.addExclusivePublication(channel, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        final Thread publisher = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 2_000; i++) {
                Transports.offer(publication, new byte[] {(byte) i, (byte) (i >> 8)});
            }
        });
        final List<byte[]> messages = Transports.receive(subscription, 2_000);
        Await.end(publisher);
        for (int i = 0; i < messages.size(); i++) {
            assertEquals((byte) i, messages.get(i)[0]);
            assertEquals((byte) (i >> 8), messages.get(i)[1]);
        }
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldDeliverToHandlersOfAGraph() {
        final Transport transport = launch(CompletionMode.EVENT);
        final List<Integer> lengths = new ArrayList<>();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            synchronized (lengths) {
                lengths.add(event.length());
            }
        });
        transport.addSubscription(DEDICATED, STREAM_ID, graph);
        final Publication publication = transport.addExclusivePublication(DEDICATED, STREAM_ID);
        for (int i = 1; i <= 20; i++) {
            Transports.offer(publication, new byte[i]);
            final int count = i;
            Await.until("the message", () -> {
                synchronized (lengths) {
                    return lengths.size() == count && lengths.getLast() == count;
                }
            });
        }
        assertEquals(List.of(), transports.errors());
    }

    /** Their queues are destroyed when all events are acknowledged, while the poller waits for those of others. */
    @Test
    void shouldLetSubscriptionsComeAndGoWhileThePollerSleeps() {
        final Transport transport = launch(CompletionMode.EVENT);
        final Subscription lasting = transport.addSubscription(DEDICATED, STREAM_ID);
        final Publication publication = launch(CompletionMode.SPIN).addPublication(DEDICATED, STREAM_ID);
        Transports.awaitConnected(publication, lasting);
        for (int i = 0; i < 20; i++) {
            final Subscription guest = transport.addSubscription(DEDICATED, STREAM_ID);
            Transports.awaitConnected(publication, guest);
            Transports.offer(publication, new byte[] {(byte) i});
            assertEquals(i, Transports.receive(guest, 1).getFirst()[0]);
            assertEquals(i, Transports.receive(lasting, 1).getFirst()[0]);
            guest.close();
        }
        Await.until("end of the guests", () -> transport.pollers().getFirst().subscriptions() == 1);
        assertEquals(List.of(), transports.errors());
        transport.close();
        assertEquals(List.of(), transports.errors(), "closing wakes the poller, too");
    }

    /** The conductor wakes up a hundred times in a second at least; a poller that spins runs a million times. */
    @ParameterizedTest
    @EnumSource(names = "SPIN", mode = EnumSource.Mode.EXCLUDE)
    void shouldHardlyRunWhileNothingComes(final CompletionMode mode) {
        final Transport transport = launch(mode);
        final Subscription subscription = transport.addSubscription(DEDICATED, STREAM_ID);
        final Publication publication = transport.addExclusivePublication(DEDICATED, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[1]);
        Transports.receive(subscription, 1);
        Await.until("everything reported", () -> publication.availableWindow() == Configuration.WINDOW_DEFAULT);
        final long begin = cycles("conductor");
        Await.until("the counters to be of now", () -> cycles("conductor") >= begin + 20);
        final long conductor = cycles("conductor");
        final long poller = cycles("poller");
        // a conductor at rest runs 20 times a second, a poller that looks by itself 100 times
        final int rests = 100;
        Await.until("cycles of the conductor", () -> cycles("conductor") >= conductor + rests);
        final long ran = cycles("poller") - poller;
        assertTrue(ran < 4 * rests, "cycles of the poller: " + ran);
        Transports.offer(publication, new byte[1]);
        Transports.receive(subscription, 1);
    }

    private long cycles(final String agent) {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory()).read(problem -> {
                throw new AssertionError(problem);
            }).stream().flatMap(status -> status.counters().stream())
                .filter(reading -> reading.type() == CounterType.AGENT_CYCLES && reading.label().contains(agent))
                .mapToLong(reading -> reading.value()).sum();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldServeEachSubscriptionInTheModeOfItsPoller() {
        final Transport transport = launch(CompletionMode.SPIN, CompletionMode.EVENT);
        assertEquals(List.of(CompletionMode.SPIN, CompletionMode.EVENT),
            transport.pollers().stream().map(PollerStatus::completionMode).toList());
        for (final String poller : List.of("|poller=0|completion=memory", "|poller=1")) {
            final Subscription subscription = transport.addSubscription(DEDICATED + poller, STREAM_ID);
            final Publication publication = transport.addExclusivePublication(DEDICATED, STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            Transports.offer(publication, new byte[] {7});
            assertEquals(7, Transports.receive(subscription, 1).getFirst()[0]);
            publication.close();
            subscription.close();
        }
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldRefuseMemoryCompletionWhereThePollerWaitsForEvents() {
        final Transport transport = launch(CompletionMode.ADAPTIVE);
        final Exception ex = assertThrows(IllegalArgumentException.class,
            () -> transport.addSubscription(DEDICATED + "|completion=memory", STREAM_ID));
        assertTrue(ex.getMessage().contains("completion=memory completionMode=ADAPTIVE"), ex.getMessage());
        transport.addSubscription("sluice:ipc?mode=invoker|completion=memory", STREAM_ID);
    }

    @Test
    void shouldRefuseWrongOptionsAndNameThem() {
        shouldRefuse("pollerCompletionModes=[]", new PollerOptions().completionModes(new CompletionMode[0]));
        shouldRefuse("pollerCompletionModes=[EVENT, SPIN] pollers=1",
            new PollerOptions().completionModes(CompletionMode.EVENT, CompletionMode.SPIN));
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> transports.launch(
            context -> context.threadingMode(ThreadingMode.INVOKER)
                .pollers(new PollerOptions().completionModes(CompletionMode.EVENT))));
        assertTrue(ex.getMessage().contains("pollerCompletionModes=[EVENT] threadingMode=INVOKER"), ex.getMessage());
        final Exception negative =
            assertThrows(IllegalArgumentException.class, () -> new PollerOptions().spinTimeNs(-1));
        assertTrue(negative.getMessage().contains("pollerSpinTimeNs=-1 minimum=0"), negative.getMessage());
    }

    private void shouldRefuse(final String named, final PollerOptions options) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> transports.launch(context -> context.pollers(options)));
        assertTrue(ex.getMessage().contains(named), ex.getMessage());
    }
}
