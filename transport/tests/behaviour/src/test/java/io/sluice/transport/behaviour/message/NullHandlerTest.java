package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handler that is null takes no message. */
class NullHandlerTest {
    private static final int STREAM_ID = 3;
    private static final byte[] MESSAGE = {1, 2, 3};

    @RegisterExtension
    private final Transports transports = new Transports();

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldRefuseToPollWithoutAHandlerAndKeepTheMessage(final String parameters) {
        final Transport transport = transports.launch();
        final Subscription subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        final Publication publication = transport.addExclusivePublication(
            transports.channel(parameters.substring(parameters.indexOf("|log=") + 1)), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, MESSAGE);
        final Image image = subscription.images().getFirst();
        for (final Executable poll : List.<Executable>of(
            () -> subscription.poll(null, 1), () -> subscription.controlledPoll(null, 1),
            () -> image.poll(null, 1), () -> image.controlledPoll(null, 1),
            () -> image.boundedPoll(null, 0, 1), () -> image.boundedControlledPoll(null, 0, 1))) {
            assertEquals("handler", assertThrows(NullPointerException.class, poll).getMessage());
        }
        assertArrayEquals(MESSAGE, Transports.receive(subscription, 1).getFirst());
        assertEquals(List.of(), transports.errors());
    }
}
