package io.sluice.transport.behaviour.message;

import static io.sluice.transport.harness.MarketMessages.definition;
import static io.sluice.transport.harness.MarketMessages.quote;
import static io.sluice.transport.harness.MarketMessages.trade;
import static io.sluice.transport.harness.MarketMessages.version;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.samples.marketdata.InstrumentDefinitionDecoder;
import io.sluice.samples.marketdata.QuoteDecoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ControlledMessageDispatcher;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.ReentrantCallException;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDispatcherTest {
    private static final int STREAM_ID = 6;
    private static final int HEADER = MessageDispatcher.HEADER_LENGTH;
    /** Block length of a trade as it was before version 2 added the order count. */
    private static final int FIRST_TRADE_BLOCK = TradeDecoder.orderCountEncodingOffset();

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<String> seen = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final MessageDispatcher dispatcher = new MessageDispatcher(
        (message, offset, length, from) -> seen.add("default " + length), errors::add)
        .on(new TradeDecoder(), (trade, from) -> seen.add(
            "trade " + trade.tradeId() + " x" + trade.quantity() + " v" + trade.actingVersion() + " orders "
                + (trade.orderCount() == TradeDecoder.orderCountNullValue() ? "null" : trade.orderCount())))
        .on(new QuoteDecoder(), (quote, from) -> seen.add("quote " + quote.instrumentId()))
        .on(new InstrumentDefinitionDecoder(), (definition, from) -> seen.add("definition " + definition.symbol()));

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    @Test
    void shouldRefuseNullAtOnce() {
        final FragmentHandler handler = (buffer, offset, length, header) -> { };
        final ControlledFragmentHandler controlled = (buffer, offset, length, header) -> null;
        final ErrorHandler errors = error -> { };

        assertThrows(NullPointerException.class, () -> new MessageDispatcher(null, errors));
        assertThrows(NullPointerException.class, () -> new MessageDispatcher(handler, null));
        assertThrows(NullPointerException.class, () -> new ControlledMessageDispatcher(null, errors));
        assertThrows(NullPointerException.class, () -> new ControlledMessageDispatcher(controlled, null));
        assertThrows(NullPointerException.class, () -> dispatcher.on(new TradeDecoder(), null));
        assertThrows(NullPointerException.class, () -> dispatcher.on((TradeDecoder) null, (trade, header) -> { }));
        assertThrows(NullPointerException.class,
            () -> new HandlerGraph().handleEventsWith((MessageEventHandler) null));
    }

    @Test
    void shouldHandEachTemplateToItsHandler() {
        dispatch(trade(1));
        dispatch(quote(2));
        dispatch(definition("EURUSD"));
        assertEquals(List.of("trade 1 x10 v2 orders 3", "quote 2", "definition EURUSD"), seen);
        assertCounts(3, 0, 0, 0);
    }

    @Test
    void shouldDispatchFromTheMiddleOfABuffer() {
        final byte[] trade = trade(7);
        final UnsafeBuffer around = new UnsafeBuffer(new byte[trade.length + 50]);
        around.setMemory(0, around.capacity(), (byte) 0xFF);
        around.putBytes(13, trade);
        dispatcher.onFragment(around, 13, trade.length, null);
        assertEquals(List.of("trade 7 x10 v2 orders 3"), seen);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void shouldTakeAPayloadWithoutRoomForAHeaderAsForeign(final int length) {
        assertEquals(MessageDispatcher.NO_TEMPLATE_ID, MessageDispatcher.templateId(buffer, 0, length));
        dispatch(Arrays.copyOf(trade(1), length));
        assertEquals(List.of("default " + length), seen);
        assertCounts(0, 1, 0, 0);
    }

    @Test
    void shouldTellTheTemplateIdOfAnyPayloadWithAHeader() {
        final byte[] quote = quote(1);
        assertEquals(QuoteDecoder.TEMPLATE_ID, MessageDispatcher.templateId(new UnsafeBuffer(quote), 0, HEADER));
        buffer.putShort(2, (short) 0xFFFE, ByteOrder.LITTLE_ENDIAN);
        assertEquals(0xFFFE, MessageDispatcher.templateId(buffer, 0, HEADER));
    }

    @Test
    void shouldDeliverAndCountAnotherSchemaAsForeign() {
        final byte[] trade = trade(1);
        trade[4]++;
        dispatch(trade);
        assertEquals(List.of("default " + trade.length), seen);
        assertCounts(0, 1, 0, 0);
    }

    @Test
    void shouldDeliverAndCountAnUnknownTemplate() {
        final byte[] trade = trade(1);
        trade[2] = IncrementalBookRefreshDecoder.TEMPLATE_ID;
        dispatch(trade);
        trade[2] = 0;
        trade[3] = 1;
        dispatch(trade);
        assertEquals(List.of("default " + trade.length, "default " + trade.length), seen);
        assertCounts(0, 0, 2, 0);
    }

    @Test
    void shouldHandleOlderAndNewerVersionsSideBySide() {
        dispatch(version(Arrays.copyOf(trade(1), HEADER + FIRST_TRADE_BLOCK), 1, FIRST_TRADE_BLOCK));
        dispatch(trade(2));
        final byte[] newer = Arrays.copyOf(trade(3), HEADER + TradeDecoder.BLOCK_LENGTH + 9);
        dispatch(version(newer, 3, TradeDecoder.BLOCK_LENGTH + 9));
        dispatch(version(newer, 0xFFFF, TradeDecoder.BLOCK_LENGTH));
        assertEquals(List.of("trade 1 x10 v1 orders null", "trade 2 x10 v2 orders 3", "trade 3 x10 v3 orders 3",
            "trade 3 x10 v65535 orders 3"), seen);
        assertCounts(4, 0, 0, 0);
    }

    @Test
    void shouldDeliverAndCountABlockThatIsShorterThanItsVersion() {
        dispatch(version(trade(1), 2, TradeDecoder.BLOCK_LENGTH - 1));
        dispatch(version(trade(1), 3, TradeDecoder.BLOCK_LENGTH - 1));
        dispatch(version(trade(1), 1, FIRST_TRADE_BLOCK - 1));
        dispatch(version(trade(1), 0, 0));
        assertEquals(List.of("default 46", "default 46", "default 46", "default 46"), seen);
        assertCounts(0, 0, 0, 4);
    }

    @Test
    void shouldDeliverAndCountABlockThatIsLongerThanTheMessage() {
        final byte[] trade = trade(1);
        for (int length = HEADER; length < trade.length; length++) {
            dispatch(Arrays.copyOf(trade, length));
        }
        assertEquals("default " + HEADER, seen.getFirst());
        assertCounts(0, 0, 0, trade.length - HEADER);
        assertEquals(trade.length - HEADER, seen.size());
    }

    @Test
    void shouldTellTheErrorHandlerWhenATextIsLongerThanItsMessage() {
        final byte[] definition = definition("EURUSD");
        definition[HEADER + InstrumentDefinitionDecoder.BLOCK_LENGTH] = (byte) 0xFF;
        dispatch(definition);
        assertEquals(List.of(), seen);
        assertEquals(1, errors.size());
        assertInstanceOf(IndexOutOfBoundsException.class, errors.getFirst().getCause());
        assertTrue(errors.getFirst().getMessage().contains("schemaId=7702 templateId=4 version=2 length="),
            errors::toString);
        assertCounts(1, 0, 0, 1);
    }

    @Test
    void shouldNotTakeAHandlersOwnArrayIndexForAMalformedMessage() {
        final MessageDispatcher throwing = new MessageDispatcher((message, offset, length, from) -> { }, errors::add)
            .on(new TradeDecoder(), (trade, from) -> {
                throw new ArrayIndexOutOfBoundsException("handler");
            });
        final byte[] trade = trade(1);
        assertThrows(ArrayIndexOutOfBoundsException.class,
            () -> throwing.onFragment(new UnsafeBuffer(trade), 0, trade.length, null));
        assertEquals(0, throwing.malformedCount());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldLetOtherExceptionsOfAHandlerThrough() {
        final MessageDispatcher throwing = new MessageDispatcher((message, offset, length, from) -> { }, errors::add)
            .on(new TradeDecoder(), (trade, from) -> {
                throw new IllegalStateException("handler");
            });
        final byte[] trade = trade(1);
        assertThrows(IllegalStateException.class,
            () -> throwing.onFragment(new UnsafeBuffer(trade), 0, trade.length, null));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldRefuseASecondHandlerOfATemplate() {
        final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
            () -> dispatcher.on(new TradeDecoder(), (trade, from) -> { }));
        assertEquals("the template already has a handler: schemaId=7702 templateId=1", refusal.getMessage());
        dispatch(trade(1));
        assertEquals(1, seen.size());
    }

    @Test
    void shouldRefuseASubscriptionOfDispatchersWithADecoderInCommon() {
        final TradeDecoder shared = new TradeDecoder();
        final HandlerGraph graph = new HandlerGraph();
        for (final String name : List.of("books", "journal")) {
            graph.handleEventsWith(new MessageDispatcher(name, (message, offset, length, from) -> { }, errors::add)
                .on(shared, (trade, from) -> { }));
        }
        final Transport transport = transports.launch();
        final String refusal = assertThrows(IllegalArgumentException.class,
            () -> transport.addSubscription(transports.channel(""), STREAM_ID, graph)).getMessage();
        assertTrue(refusal.contains("decoder=" + TradeDecoder.class.getName() + " handlers=[books, journal]"), refusal);
        // the refused one has left nothing behind
        transport.addSubscription(transports.channel(""), STREAM_ID).close();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDispatchWhatASubscriptionPolls(final String parameters) {
        final Transport transport = transports.launch();
        final Subscription subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        final Publication publication = transport.addExclusivePublication(transports.channel(parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final byte[] broken = definition("broken");
        broken[HEADER + InstrumentDefinitionDecoder.BLOCK_LENGTH] = (byte) 0xFF;
        for (final byte[] message : List.of(trade(1), new byte[3], broken, quote(2), new byte[20], trade(3))) {
            assertTrue(publication.offer(new UnsafeBuffer(message), 0, message.length) > 0);
        }
        Await.until("all messages", () -> {
            subscription.poll(dispatcher, 10);
            return seen.size() + errors.size() == 6;
        });
        assertEquals(List.of("trade 1 x10 v2 orders 3", "default 3", "quote 2", "default 20",
            "trade 3 x10 v2 orders 3"), seen);
        assertCounts(4, 2, 0, 1);
        assertEquals(List.of(), transports.errors());
    }

    /** The definition's text is read after the other message was: its decoder must still be where it was. */
    @Test
    void shouldKeepTheMessageOfAHandlerThatDispatchesAnother() {
        final MessageDispatcher nesting = new MessageDispatcher((message, offset, length, from) -> { }, errors::add);
        nesting.on(new InstrumentDefinitionDecoder(), (outer, from) -> {
            final boolean isOutermost = seen.isEmpty();
            seen.add("before");
            if (isOutermost) {
                dispatch(nesting, definition("inner"));
                dispatch(nesting, trade(4));
            }
            seen.add(outer.symbol());
        }).on(new TradeDecoder(), (trade, from) -> seen.add("trade " + trade.tradeId()));
        dispatch(nesting, definition("outer"));
        dispatch(nesting, trade(5));
        assertEquals(List.of("before", "before", "inner", "trade 4", "outer", "trade 5"), seen);
        assertEquals(4, nesting.dispatchedCount());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldKeepTheMessageWhenAnInnerHandlerThrows() {
        final ControlledMessageDispatcher nesting = new ControlledMessageDispatcher(
            (message, offset, length, from) -> ControlledFragmentHandler.Action.CONTINUE, errors::add);
        nesting.on(new TradeDecoder(), (trade, from) -> {
            if (trade.tradeId() == 2) {
                throw new IllegalStateException("handler");
            }
            final byte[] inner = trade(2);
            assertThrows(IllegalStateException.class,
                () -> nesting.onFragment(new UnsafeBuffer(inner), 0, inner.length, null));
            seen.add("trade " + trade.tradeId());
            return ControlledFragmentHandler.Action.BREAK;
        });
        for (int i = 0; i < 2; i++) {
            final byte[] outer = trade(1);
            assertEquals(ControlledFragmentHandler.Action.BREAK,
                nesting.onFragment(new UnsafeBuffer(outer), 0, outer.length, null));
        }
        assertEquals(List.of("trade 1", "trade 1"), seen);
    }

    @Test
    void shouldRefuseByNameToDispatchInsideAHandlerWithADecoderThatIsTheOnlyOne() {
        final MessageDispatcher nesting = new MessageDispatcher((message, offset, length, from) -> { }, errors::add);
        final TradeDecoder decoder = new TradeDecoder();
        final MessageDecoderFlyweight only = (MessageDecoderFlyweight) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {MessageDecoderFlyweight.class},
            (proxy, method, arguments) -> method.invoke(decoder, arguments));
        nesting.on(only, (trade, from) -> {
            seen.add(assertThrows(ReentrantCallException.class, () -> dispatch(nesting, trade(2))).getMessage());
            seen.add("trade " + decoder.tradeId());
        });
        dispatch(nesting, trade(1));
        assertTrue(seen.getFirst().contains("decoder=" + only.getClass().getName()), seen::toString);
        assertEquals("trade 1", seen.getLast());
        assertEquals(1, nesting.dispatchedCount());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutAnotherSubscriptionsMessagesInsideAHandler(final String parameters) {
        final Transport transport = transports.launch();
        final Subscription outer = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        final Subscription inner = transport.addSubscription(transports.channel(parameters), STREAM_ID + 1);
        final Publication toOuter = transport.addExclusivePublication(transports.channel(parameters), STREAM_ID);
        final Publication toInner = transport.addExclusivePublication(transports.channel(parameters), STREAM_ID + 1);
        Transports.awaitImages(outer, 1);
        Transports.awaitImages(inner, 1);
        final MessageDispatcher nesting = new MessageDispatcher((message, offset, length, from) -> { }, errors::add);
        nesting.on(new TradeDecoder(), (trade, from) -> {
            if (seen.isEmpty()) {
                seen.add("begin");
                Await.until("the inner message", () -> inner.poll(nesting, 1) == 1);
            }
            seen.add("trade " + trade.tradeId());
        });
        Transports.offer(toInner, trade(2));
        Transports.offer(toOuter, trade(1));
        Await.until("the outer message", () -> outer.poll(nesting, 1) == 1);
        assertEquals(List.of("begin", "trade 2", "trade 1"), seen);
        assertEquals(List.of(), transports.errors());
    }

    private static void dispatch(final MessageDispatcher to, final byte[] message) {
        to.onFragment(new UnsafeBuffer(message), 0, message.length, null);
    }

    private void assertCounts(final int dispatched, final int foreign, final int unknown, final int malformed) {
        assertEquals(List.of((long) dispatched, (long) foreign, (long) unknown, (long) malformed), List.of(
            dispatcher.dispatchedCount(), dispatcher.foreignCount(), dispatcher.unknownTemplateCount(),
            dispatcher.malformedCount()));
    }

    private void dispatch(final byte[] message) {
        dispatcher.onFragment(new UnsafeBuffer(message), 0, message.length, null);
    }
}
