package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.Publication;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FeedConsumerTest {
    private static final String CHANNEL = "sluice:ipc?endpoint=feeds|window=4k";
    private static final long WINDOW = 4096;
    private static final int STREAM_ID = 3;

    @TempDir
    private Path folder;

    /** All that the consumer knows; only its own thread touches it. */
    private final List<String> known = new ArrayList<>();
    private final MessageDispatcher dispatcher =
        new MessageDispatcher((buffer, offset, length, header) -> { }, LangUtil::rethrowUnchecked)
            .on(new TradeDecoder(), (trade, header) -> known.add("trade " + trade.tradeId()));
    private final FeedConsumer<List<String>> consumer =
        new FeedConsumer<>("test", dispatcher, () -> known.add("new feed"), () -> List.copyOf(known));

    @Test
    void shouldFollowTheNewestFeedAndPublishWhatItKnowsAtTheEnd() {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(consumer);
        try (Transport transport = Transport.launch(new Context().directory(folder.resolve("fabric")))) {
            transport.addSubscription(CHANNEL, STREAM_ID, graph);
            final Publication first = transport.addExclusivePublication(CHANNEL, STREAM_ID);
            final Publication second = transport.addExclusivePublication(CHANNEL, STREAM_ID);
            send(first, 1);
            send(second, 2);
            send(first, 3);
            send(second, 4);
        }
        assertEquals(List.of("new feed", "trade 1", "new feed", "trade 2", "trade 4"), consumer.snapshots().latest());
        assertEquals(1, consumer.foreign());
    }

    /** Offer, and wait until it was consumed: between two publications there is no other order. */
    private static void send(final Publication publication, final int tradeId) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        new TradeEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).tradeId(tradeId);
        while (publication.offer(message, 0, message.capacity()) < 0) {
            Thread.onSpinWait();
        }
        while (publication.positionLimit() < publication.position() + WINDOW) {
            Thread.onSpinWait();
        }
    }
}
