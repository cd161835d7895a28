package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.transport.Context;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ControlledMessageDispatcher;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Image;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    @Test
    void shouldRefuseEveryOtherHandlerThatIsNullAtOnce() {
        final Transport transport = transports.launch();
        final Context context = new Context();
        final FragmentHandler ignore = (buffer, offset, length, header) -> { };
        final ControlledFragmentHandler go = (buffer, offset, length, header) -> ControlledFragmentHandler.Action.ABORT;
        final HandlerGraph graph = new HandlerGraph();
        final HandlerGraph.Group group = graph.handleEventsWith((event, sequence, endOfBatch) -> { });
        final Publication publication = transport.addPublication(transports.channel(""), STREAM_ID);
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        for (final Executable call : List.<Executable>of(
            () -> context.errorHandler(null), () -> context.backPressureListener(null),
            () -> publication.backPressureListener(null), () -> subscription.backPressureListener(null),
            () -> transport.addCloseHandler(null), () -> transport.removeCloseHandler(null),
            () -> transport.addSubscription(transports.channel(""), STREAM_ID, (HandlerGraph) null),
            () -> subscription.forEachImage(null),
            () -> new MessageDispatcher(null, error -> { }), () -> new MessageDispatcher(ignore, null),
            () -> new MessageDispatcher("name", null, error -> { }), () -> new MessageDispatcher("name", ignore, null),
            () -> new ControlledMessageDispatcher(null, error -> { }), () -> new ControlledMessageDispatcher(go, null),
            () -> graph.handleEventsWith((MessageEventHandler) null), () -> graph.after((MessageEventHandler) null),
            () -> group.then((MessageEventHandler) null), () -> group.handleEventsWith((MessageEventHandler) null),
            () -> graph.waitStrategy(null), () -> Transport.launch(null))) {
            assertThrows(NullPointerException.class, call);
        }
    }

    /** Images without handlers are images all the same. */
    @Test
    void shouldTakeNoImageHandlersForNone() {
        final Transport transport = transports.launch(context ->
            context.availableImageHandler(null).unavailableImageHandler(null).closeHandler(null));
        final Subscription subscription =
            transport.addSubscription(transports.channel(""), STREAM_ID, null, null);
        final Publication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        publication.close();
        Await.until("the end of the image", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return subscription.hasNoImages();
        });
        assertEquals(List.of(), transports.errors());
    }
}
