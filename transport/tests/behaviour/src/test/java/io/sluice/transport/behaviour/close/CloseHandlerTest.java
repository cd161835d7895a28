package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.status.StatusReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that the application is told by that its transport was closed. */
class CloseHandlerTest {
    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<String> events = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void shouldCallEveryHandlerOnceInOrder(final ThreadingMode mode) {
        final Runnable first = () -> events.add("first");
        final Transport transport =
            transports.launch(context -> context.threadingMode(mode).closeHandler(first));
        assertSame(first, transport.context().closeHandler());
        final Subscription subscription = transport.addSubscription(transports.channel(""), 1);
        transport.addCloseHandler(() -> {
            events.add("second, closed=" + transport.isClosed() + " " + subscription.isClosed());
            transport.close();
        });
        assertFalse(transport.isClosed());
        assertEquals(List.of(), events);
        transport.close();
        transport.close();
        assertTrue(transport.isClosed());
        assertEquals(List.of("first", "second, closed=true true"), events);
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldCallNoHandlerThatWasRemoved() {
        final Transport transport = transports.launch();
        assertNull(transport.context().closeHandler());
        final Runnable twice = () -> events.add("twice");
        final long id = transport.addCloseHandler(() -> events.add("by number"));
        transport.addCloseHandler(twice);
        transport.addCloseHandler(twice);
        assertTrue(transport.removeCloseHandler(id));
        assertFalse(transport.removeCloseHandler(id));
        assertTrue(transport.removeCloseHandler(twice));
        assertFalse(transport.removeCloseHandler(() -> { }));
        transport.close();
        assertEquals(List.of("twice"), events);
    }

    @Test
    void shouldTellTheErrorHandlerWhatAHandlerThrowsAndCallTheOthers() {
        final Transport transport = transports.launch();
        transport.addCloseHandler(() -> {
            throw new IllegalStateException("planted");
        });
        transport.addCloseHandler(() -> events.add("the other"));
        transport.close();
        assertEquals(List.of("the other"), events);
        transports.awaitError("planted");
        assertEquals(1, transports.errors().size());
    }

    @Test
    void shouldCloseAllWhenTheErrorHandlerThrowsAnError() throws IOException {
        final Transport transport = transports.launch(context -> context.errorHandler(error -> {
            throw new AssertionError("planted in the error handler", error);
        }));
        transport.addCloseHandler(() -> {
            throw new IllegalStateException("planted");
        });
        transport.addCloseHandler(() -> events.add("the other"));
        final StatusReader reader = new StatusReader(SystemEnvironment.instance(), transport.context().directory());
        assertEquals(1, reader.read(skipped -> { }).size());
        assertEquals("planted in the error handler",
            assertThrows(AssertionError.class, transport::close).getMessage());
        assertEquals(List.of("the other"), events);
        // its file goes behind all threads
        assertEquals(0, reader.read(skipped -> { }).size());
    }

    @Test
    void shouldRefuseHandlersOfAClosedTransport() {
        final Transport transport = transports.launch();
        transport.addCloseHandler(() -> {
            final String message = assertThrows(
                IllegalStateException.class, () -> transport.addCloseHandler(() -> { })).getMessage();
            assertTrue(message.startsWith("the transport is closed"), message);
            events.add("refused inside");
        });
        assertThrows(NullPointerException.class, () -> transport.addCloseHandler(null));
        transport.close();
        assertThrows(IllegalStateException.class, () -> transport.addCloseHandler(() -> { }));
        assertThrows(IllegalStateException.class, () -> transport.removeCloseHandler(1));
        assertThrows(IllegalStateException.class, () -> transport.removeCloseHandler(() -> { }));
        assertEquals(List.of("refused inside"), events);
    }
}
