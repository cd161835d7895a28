package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.samples.marketdata.TradeDecoder;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandlerGraphTest {
    private final HandlerGraph graph = new HandlerGraph();

    private static MessageEventHandler named(final String name) {
        return MessageEventHandler.named(name, (event, sequence, endOfBatch) -> { });
    }

    private static List<String> names(final List<HandlerGraph.Node> nodes) {
        return nodes.stream().map(HandlerGraph.Node::name).toList();
    }

    private static MessageDispatcher dispatcher(final String name) {
        return new MessageDispatcher(name, (buffer, offset, length, header) -> { }, error -> { });
    }

    @Test
    void shouldTakeNoneOfSeveralHandlersWhenOneOfThemIsRefused() {
        final MessageEventHandler first = named("first");
        final MessageEventHandler book = named("book");
        final HandlerGraph.Group group = graph.handleEventsWith(first);

        assertThrows(NullPointerException.class, () -> graph.handleEventsWith(book, null));
        assertThrows(IllegalArgumentException.class, () -> graph.handleEventsWith(book, first));
        assertThrows(IllegalArgumentException.class, () -> graph.handleEventsWith(book, book));
        assertThrows(IllegalArgumentException.class, () -> group.then(book, named("first")));
        assertThrows(IllegalArgumentException.class, () -> group.handleEventsWith(named(""), named("1")));
        assertEquals(List.of("first"), names(graph.usable()));

        group.then(named(""), book);
        assertEquals(List.of("first", "1", "book"), names(graph.usable()));
        assertEquals("HandlerGraph{handlers=[first, 1 after [first], book after [first]] waitStrategy=null used=false}",
            graph.toString());
    }

    /** Handlers that wait for each other are refused, too: they are at different messages at once. */
    @Test
    void shouldRefuseAGroupOfAnotherGraph() {
        final HandlerGraph.Group group = graph.handleEventsWith(named("own"));
        final HandlerGraph.Group other = new HandlerGraph().handleEventsWith(named("foreign"));

        assertEquals("not a handler of this graph: handler=foreign",
            assertThrows(IllegalArgumentException.class, () -> group.and(other)).getMessage());
    }

    @Test
    void shouldRefuseADecoderThatTwoDispatchersOfAGraphHave() {
        final TradeDecoder shared = new TradeDecoder();
        final MessageDispatcher books = dispatcher("books").on(shared, (message, header) -> { });
        final MessageDispatcher journal = dispatcher("journal");
        graph.handleEventsWith(MessageEventHandler.named("renamed", books)).then(journal);
        assertEquals(List.of("renamed", "journal"), names(graph.usable()));

        journal.on(shared, (message, header) -> { });
        assertEquals("a decoder is in a graph once: decoder=" + TradeDecoder.class.getName()
            + " handlers=[renamed, journal]; each runs on a thread of its own, and they would wrap it at the same time",
            assertThrows(IllegalArgumentException.class, graph::usable).getMessage());
    }

    @Test
    void shouldRefuseADispatcherUnderTwoNames() {
        final MessageDispatcher books = dispatcher("books").on(new TradeDecoder(), (message, header) -> { });
        graph.handleEventsWith(books, MessageEventHandler.named("again", books));
        assertThrows(IllegalArgumentException.class, graph::usable);
    }

    @Test
    void shouldTakeDispatchersWithDecodersOfTheirOwn() {
        graph.handleEventsWith(
            dispatcher("books").on(new TradeDecoder(), (message, header) -> { }),
            dispatcher("journal").on(new TradeDecoder(), (message, header) -> { }));
        assertEquals(List.of("books", "journal"), names(graph.usable()));
    }
}
