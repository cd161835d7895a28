package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Context;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Quotas;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The texts of objects of the API, as logs show them. */
class DescribeTest {
    private static final int STREAM_ID = 5;

    @RegisterExtension
    private final Transports transports = new Transports();

    @Test
    void shouldDescribeATransport() {
        final Transport transport = transports.launch(context -> context.clientName("prices"));
        final String directory = " directory=" + transport.context().directory() + "}";
        assertEquals("Transport{clientName=prices threadingMode=DEDICATED" + directory, transport.toString());
        transport.close();
        assertEquals("Transport{clientName=prices threadingMode=DEDICATED closed" + directory, transport.toString());
    }

    @ParameterizedTest
    @MethodSource("io.sluice.transport.harness.Transports#parameters")
    void shouldDescribeBothEndsOfAStream(final String parameters) {
        final Transport transport = transports.launch();
        final String channel = transports.channel(parameters);
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID);
        assertEquals("Subscription{streamId=5 images=0 channel=" + channel + "}", subscription.toString());
        final String session = transports.channel("session-id=7|" + parameters);
        final ExclusivePublication publication = transport.addExclusivePublication(session, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        assertEquals("Subscription{streamId=5 images=1 channel=" + channel + "}", subscription.toString());
        final BufferClaim claim = new BufferClaim();
        assertEquals("BufferClaim{}", claim.toString());
        assertTrue(publication.tryClaim(40, claim) > 0);
        assertEquals("BufferClaim{sessionId=7 streamId=5 position=0 length=40 reservedValue=9}",
            claim.reservedValue(9).toString());
        claim.commit();
        assertEquals("BufferClaim{}", claim.toString());
        assertEquals("ExclusivePublication{sessionId=7 streamId=5 position=64 channel=" + session + "}",
            publication.toString());
        final List<String> headers = new ArrayList<>();
        Await.until("the message", () -> subscription.poll(
            (message, offset, length, header) -> headers.add(header.toString()), 1) == 1);
        assertEquals(List.of("Header{sessionId=7 streamId=5 position=64 receiveTimestampNs=-1}"), headers.stream()
            .map(text -> text.replaceAll("receiveTimestampNs=-?[0-9]+", "receiveTimestampNs=-1")).toList());
        publication.close();
        subscription.close();
        assertEquals("ExclusivePublication{sessionId=7 streamId=5 position=closed channel=" + session + "}",
            publication.toString());
        assertEquals("Subscription{streamId=5 images=closed channel=" + channel + "}", subscription.toString());
    }

    @Test
    void shouldDescribeAHandleOfASharedPublication() {
        final Transport transport = transports.launch();
        final String channel = transports.channel("session-id=7");
        final Publication publication = transport.addPublication(channel, STREAM_ID);
        assertEquals("ConcurrentPublication{sessionId=7 streamId=5 position=0 channel=" + channel + "}",
            publication.toString());
    }

    @Test
    void shouldDescribeAContextWithAllItsValues() {
        final String text = new Context().clientName("prices").directory(Path.of("/here")).windowLength(8192)
            .preSharedKeyFile(Path.of("/key")).allowedPeers("10.0.0.0/24")
            .timeouts(new Timeouts().lingerTimeoutNs(17)).links(new LinkOptions().sendQueueLength(19))
            .eviction(new EvictionOptions().evictBehindPercent(23)).quotas(new Quotas().linksPerHost(29))
            .pollers(new PollerOptions().count(2).cpus(3, 5)).toString();
        for (final String part : List.of("clientName=prices", "directory=/here", "windowLength=8192",
            "threadingMode=DEDICATED", "subscriptionMode=INVOKER", "preSharedKeyFile=/key", "10.0.0.0/24",
            "lingerTimeoutNs=17 ", "sendQueueLength=19 ", "evictBehindPercent=23 ", "linksPerHost=29 ",
            "count=2 cpus=[3, 5] ")) {
            assertTrue(text.contains(part), () -> part + " in " + text);
        }
    }

    @Test
    void shouldNameADispatcherAsAConsumer() {
        final MessageDispatcher dispatcher =
            new MessageDispatcher("trades", (message, offset, length, header) -> { }, Throwable::printStackTrace);
        assertEquals("trades", dispatcher.name());
        assertEquals("MessageDispatcher{name=trades}", dispatcher.toString());
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(dispatcher);
        transports.launch().addSubscription(transports.channel("mode=dedicated"), STREAM_ID, graph);
        final String thread = "sluice-consumer-" + STREAM_ID + "-trades";
        Await.until("the consumer's thread", () -> Thread.getAllStackTraces().keySet().stream()
            .anyMatch(one -> one.getName().equals(thread)));
    }
}
