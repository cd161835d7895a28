package io.sluice.transport.behaviour.message;

import static io.sluice.transport.harness.MarketMessages.definition;
import static io.sluice.transport.harness.MarketMessages.quote;
import static io.sluice.transport.harness.MarketMessages.trade;
import static io.sluice.transport.harness.MarketMessages.version;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.samples.marketdata.InstrumentDefinitionDecoder;
import io.sluice.samples.marketdata.QuoteDecoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.ControlledMessageDispatcher;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Typed handlers behind a ring, as consumers of a graph, and in a controlled poll.
 */
class DispatchFromRingTest {
    private static final int STREAM_ID = 6;
    private static final int HEADER = MessageDispatcher.HEADER_LENGTH;
    private static final int FIRST_TRADE_BLOCK = TradeDecoder.orderCountEncodingOffset();

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private Subscription subscription;
    private ExclusivePublication publication;

    static Stream<String> parameters() {
        return Transports.parameters();
    }

    static Stream<String> logs() {
        return Stream.of("log=shared", "log=shared|completion=queue", "log=copied");
    }

    private MessageDispatcher dispatcher() {
        return new MessageDispatcher((message, offset, length, header) -> seen.add("default " + length), errors::add)
            .on(new TradeDecoder(), (trade, header) -> seen.add(text(trade)))
            .on(new QuoteDecoder(), (quote, header) -> seen.add("quote " + quote.instrumentId()))
            .on(new InstrumentDefinitionDecoder(), (definition, header) ->
                seen.add("definition " + definition.symbol()));
    }

    private static String text(final TradeDecoder trade) {
        return "trade " + trade.tradeId() + " v" + trade.actingVersion()
            + (trade.orderCount() == TradeDecoder.orderCountNullValue() ? "" : " orders " + trade.orderCount());
    }

    /** Messages of every kind: old, today's and new versions, foreign, unknown, malformed. */
    private static List<byte[]> messages() {
        final byte[] broken = definition("broken");
        broken[HEADER + InstrumentDefinitionDecoder.BLOCK_LENGTH] = (byte) 0xFF;
        final byte[] unknown = trade(1);
        unknown[2] = IncrementalBookRefreshDecoder.TEMPLATE_ID;
        final byte[] newer = Arrays.copyOf(trade(3), HEADER + TradeDecoder.BLOCK_LENGTH + 9);
        return List.of(
            version(Arrays.copyOf(trade(1), HEADER + FIRST_TRADE_BLOCK), 1, FIRST_TRADE_BLOCK),
            trade(2),
            version(newer, 3, TradeDecoder.BLOCK_LENGTH + 9),
            new byte[3], new byte[0], new byte[20], unknown,
            version(trade(4), 2, TradeDecoder.BLOCK_LENGTH - 1),
            broken, quote(5), definition("EURUSD"));
    }

    private static List<String> expected() {
        return List.of("trade 1 v1", "trade 2 v2 orders 3", "trade 3 v3 orders 3", "default 3", "default 0",
            "default 20", "default 46", "default 46", "quote 5", "definition EURUSD");
    }

    private static void assertCounts(final MessageDispatcher dispatcher) {
        assertEquals(List.of(6L, 3L, 1L, 2L), List.of(dispatcher.dispatchedCount(), dispatcher.foreignCount(),
            dispatcher.unknownTemplateCount(), dispatcher.malformedCount()));
    }

    private void connect(final String parameters, final HandlerGraph graph) {
        final Transport transport = transports.launch();
        subscription = graph == null
            ? transport.addSubscription(transports.channel(parameters), STREAM_ID)
            : transport.addSubscription(transports.channel("ring=8|" + parameters), STREAM_ID, graph);
        publication = transport.addExclusivePublication(transports.channel("window=4k|" + parameters), STREAM_ID);
        Await.until("an image", () -> {
            if (graph == null) {
                subscription.poll((message, offset, length, header) -> { }, 1);
            }
            return subscription.imageCount() == 1 && publication.isConnected();
        });
    }

    private void awaitSeen(final int count) {
        final Supplier<String> what = () -> count + " instead of " + seen + errors;
        Await.until(what, () -> seen.size() + errors.size() == count, Await.DEADLINE_SECONDS);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void shouldDispatchTheEventsOfAHandlerGraph(final String log) {
        final MessageDispatcher dispatcher = dispatcher();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(dispatcher);
        connect(log, graph);
        messages().forEach(message -> Transports.offer(publication, message));
        awaitSeen(expected().size() + 1);
        Await.until("all bytes to be given back", () -> publication.availableWindow() == 4096);
        subscription.close();
        assertEquals(expected(), seen);
        assertCounts(dispatcher);
        assertEquals(1, errors.size());
        assertTrue(errors.getFirst().getMessage().contains("templateId=4 version=2 length="), errors::toString);
        assertEquals(List.of(), transports.errors());
    }

    /** A handler of its own beside and behind the typed ones: what it needs of the event, and two decoders at once. */
    @Test
    void shouldDispatchFromAHandlersOwnMethodToEachConsumerApart() {
        final List<String> ends = new CopyOnWriteArrayList<>();
        final List<Long> positions = new CopyOnWriteArrayList<>();
        final MessageDispatcher first = dispatcher();
        final MessageDispatcher second = new MessageDispatcher((message, offset, length, header) -> { }, errors::add)
            .on(new TradeDecoder(), (trade, header) -> {
                positions.add(header.position());
                ends.add(header.sessionId() + " " + header.streamId() + " " + header.reservedValue() + " "
                    + header.image().joinPosition());
            });
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(first).then((event, sequence, endOfBatch) -> {
            second.onEvent(event, sequence, endOfBatch);
            assertEquals(event.position(), event.header().position());
        });
        connect("log=shared", graph);
        final List<Long> offered = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            offered.add(Transports.offer(publication, trade(i)));
        }
        awaitSeen(100);
        Await.until("the second handler", () -> positions.size() == 100);
        assertEquals(offered, positions);
        assertEquals(List.of(publication.sessionId() + " 6 0 0"), ends.stream().distinct().toList());
        assertEquals(List.of(), transports.errors());
    }

    private ControlledMessageDispatcher controlled() {
        final List<Long> aborted = new ArrayList<>();
        return new ControlledMessageDispatcher((message, offset, length, header) -> {
            seen.add("default " + length);
            return Action.BREAK;
        }, errors::add)
            .on(new TradeDecoder(), (trade, header) -> {
                if (!aborted.contains(trade.tradeId())) {
                    aborted.add(trade.tradeId());
                    return Action.ABORT;
                }
                seen.add(text(trade));
                return Action.COMMIT;
            })
            .on(new QuoteDecoder(), (quote, header) -> {
                seen.add("quote " + quote.instrumentId());
                return null;
            })
            .on(new InstrumentDefinitionDecoder(), (definition, header) -> {
                seen.add("definition " + definition.symbol());
                return Action.CONTINUE;
            });
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldLetTypedHandlersDirectTheControlledPoll(final String parameters) {
        connect(parameters, null);
        final ControlledMessageDispatcher dispatcher = controlled();
        messages().forEach(message -> Transports.offer(publication, message));
        final int[] counted = new int[1];
        Await.until(() -> "all messages instead of " + seen, () -> {
            counted[0] += subscription.controlledPoll(dispatcher, 100);
            return seen.size() + errors.size() == expected().size() + 1;
        }, Await.DEADLINE_SECONDS);
        assertEquals(expected(), seen);
        assertEquals(List.of(9L, 3L, 1L, 2L), List.of(dispatcher.dispatchedCount(), dispatcher.foreignCount(),
            dispatcher.unknownTemplateCount(), dispatcher.malformedCount()), "three trades come twice");
        assertEquals(messages().size(), counted[0], "aborted ones are not counted");
        assertEquals(1, errors.size());
        assertEquals(List.of(), transports.errors());
    }
}
