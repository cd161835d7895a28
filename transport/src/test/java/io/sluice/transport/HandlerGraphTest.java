package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
