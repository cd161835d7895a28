package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageEventHandlerTest {
    /** All of them, so that none is forgotten when the interface gets one more. */
    @Test
    void shouldPassEveryCallOnFromAHandlerThatWasGivenAName() throws ReflectiveOperationException {
        final List<String> passed = new ArrayList<>();
        final MessageEventHandler handler = (MessageEventHandler) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {MessageEventHandler.class}, (proxy, method, arguments) -> {
                passed.add(method.getName() + (arguments == null ? "" : Arrays.toString(arguments)));
                return null;
            });
        final MessageEventHandler named = MessageEventHandler.named("books", handler);
        final List<String> called = new ArrayList<>();
        for (final Method method : MessageEventHandler.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || method.getName().equals("name")) {
                continue;
            }
            final Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                final Class<?> type = method.getParameterTypes()[i];
                arguments[i] = type == long.class ? Long.valueOf(i + 7) : type == boolean.class ? true : null;
            }
            method.invoke(named, arguments);
            called.add(method.getName() + (arguments.length == 0 ? "" : Arrays.toString(arguments)));
        }
        assertEquals(List.of(), called.stream().filter(call -> !passed.contains(call)).toList());
        assertEquals(called.size(), passed.size());
        assertEquals("books", named.name());
    }

    @Test
    void shouldNameALambdaInTheGraphThatHasIt() {
        final HandlerGraph graph = new HandlerGraph();
        final MessageEventHandler named = MessageEventHandler.named("books", (event, sequence, endOfBatch) -> { });
        graph.handleEventsWith(named, (event, sequence, endOfBatch) -> { });
        graph.after(named).then(MessageEventHandler.named("", (event, sequence, endOfBatch) -> { }));
        assertEquals(List.of("books", "1", "2"), graph.usable().stream().map(HandlerGraph.Node::name).toList());
    }

    @Test
    void shouldRefuseNoNameAndNoHandler() {
        assertThrows(NullPointerException.class, () -> MessageEventHandler.named("books", null));
        assertThrows(NullPointerException.class,
            () -> MessageEventHandler.named(null, (event, sequence, endOfBatch) -> { }));
    }
}
