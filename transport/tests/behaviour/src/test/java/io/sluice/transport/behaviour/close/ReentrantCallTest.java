package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.ReentrantCallException;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls from inside handlers that cannot be served there: refused, and the messages go on as if nothing had been. */
class ReentrantCallTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 50;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private final List<Integer> handled = new CopyOnWriteArrayList<>();
    private Transport transport;

    private void drive() {
        if (transport.context().threadingMode() == ThreadingMode.INVOKER) {
            transport.doWork();
        }
    }

    private void handle(final DirectBuffer buffer, final int offset, final Runnable call) {
        handled.add(buffer.getInt(offset));
        assertThrows(ReentrantCallException.class, call::run);
    }

    private void publish(final Runnable consume) {
        final Publication publication = transport.addExclusivePublication(transports.channel("linger=1s"), STREAM_ID);
        final int[] sent = {0};
        Await.until(() -> MESSAGES + " messages instead of " + handled, () -> {
            drive();
            message.putInt(0, sent[0]);
            sent[0] += sent[0] < MESSAGES && publication.offer(message) > 0 ? 1 : 0;
            consume.run();
            return handled.size() >= MESSAGES || !transports.errors().isEmpty();
        }, Await.DEADLINE_SECONDS);
        assertEquals(List.of(), transports.errors());
        for (int i = 0; i < MESSAGES; i++) {
            drive();
            consume.run();
        }
        assertEquals(IntStream.range(0, MESSAGES).boxed().toList(), new ArrayList<>(handled));
        assertEquals(List.of(), transports.errors());
        assertFalse(publication.isClosed());
        transport.close();
        assertTrue(publication.isClosed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=shared|completion=queue", "log=copied"})
    void shouldHandEachMessageOutOnceWhenAGraphHandlerRunsTheAgents(final String log) {
        transport = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) ->
            handle(event.buffer(), event.offset(), transport::doWork));
        transport.addSubscription(transports.channel(log), STREAM_ID, graph);
        publish(() -> { });
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseToBeClosedByAHandlerThatIsPolled(final ThreadingMode mode) {
        transport = transports.launch(context -> context.threadingMode(mode));
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        publish(() -> subscription.poll(
            (buffer, offset, length, header) -> handle(buffer, offset, transport::close), 10));
    }
}
