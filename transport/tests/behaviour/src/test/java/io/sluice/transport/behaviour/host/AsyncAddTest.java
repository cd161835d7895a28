package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that are added for a thread that must not wait, and asked for. */
class AsyncAddTest {
    private static final int STREAM_ID = 3;
    private static final byte[] MESSAGE = {1, 2, 3};

    @RegisterExtension
    private final Transports transports = new Transports();

    private static <T> T await(final Transport transport, final LongFunction<T> get, final long registrationId) {
        final Object[] added = new Object[1];
        Await.until("what was added", () -> {
            if (transport.context().threadingMode() == ThreadingMode.INVOKER) {
                transport.doWork();
            }
            added[0] = get.apply(registrationId);
            return added[0] != null;
        });
        @SuppressWarnings("unchecked")
        final T result = (T) added[0];
        return result;
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldHandOutWhatWasAddedOnce(final ThreadingMode mode) {
        final Transport transport = transports.launch(context -> context.threadingMode(mode));
        final long subscriptionId = transport.asyncAddSubscription(transports.channel(""), STREAM_ID);
        final long exclusiveId = transport.asyncAddExclusivePublication(transports.channel(""), STREAM_ID);
        final long sharedId = transport.asyncAddPublication(transports.channel(""), STREAM_ID);
        final Publication shared = await(transport, transport::getPublication, sharedId);
        final Subscription subscription = await(transport, transport::getSubscription, subscriptionId);
        final Publication exclusive = await(transport, transport::getExclusivePublication, exclusiveId);
        assertEquals(STREAM_ID, shared.streamId());
        assertEquals(STREAM_ID, exclusive.streamId());
        assertEquals(STREAM_ID, subscription.streamId());
        final String message = assertThrows(
            IllegalArgumentException.class, () -> transport.getPublication(sharedId)).getMessage();
        assertTrue(message.contains("registrationId=" + sharedId), message);
        if (mode == ThreadingMode.DEDICATED) {
            Transports.awaitConnected(shared, subscription);
            Transports.offer(shared, MESSAGE);
            assertArrayEquals(MESSAGE, Transports.receive(subscription, 1).getFirst());
        }
    }

    @Test
    void shouldTellOnceWhyItCannotBeAdded() {
        final Transport transport = transports.launch();
        transport.addExclusivePublication(transports.channel("session-id=7"), STREAM_ID);
        final long registrationId =
            transport.asyncAddExclusivePublication(transports.channel("session-id=7"), STREAM_ID);
        final Exception[] failure = new Exception[1];
        Await.until("the failure", () -> {
            try {
                assertNull(transport.getExclusivePublication(registrationId));
                return false;
            } catch (final IllegalArgumentException ex) {
                failure[0] = ex;
                return true;
            }
        });
        assertTrue(failure[0].getMessage().contains("session-id=7"), failure[0].getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> transport.getExclusivePublication(registrationId)).getMessage().contains("nothing is being added"));
    }

    @Test
    void shouldRefuseAtOnceWhatMakesNoSense() {
        final Transport transport = transports.launch();
        assertThrows(IllegalArgumentException.class, () -> transport.asyncAddPublication("sluice:tcp", STREAM_ID));
        assertThrows(IllegalArgumentException.class, () -> transport.asyncAddPublication(null, STREAM_ID));
        assertThrows(IllegalArgumentException.class, () -> transport.getPublication(0));
        final long registrationId = transport.asyncAddPublication(transports.channel(""), STREAM_ID);
        assertThrows(IllegalArgumentException.class, () -> transport.getSubscription(registrationId));
        assertFalse(await(transport, transport::getPublication, registrationId).isClosed());
        transport.close();
        assertThrows(
            IllegalStateException.class, () -> transport.asyncAddPublication(transports.channel(""), STREAM_ID));
    }

    @Test
    void shouldTellTheHandlersOfImages() {
        final Transport transport = transports.launch();
        final List<String> told = new CopyOnWriteArrayList<>();
        final long registrationId = transport.asyncAddSubscription(transports.channel(""), STREAM_ID,
            image -> told.add("available"), image -> told.add("unavailable"));
        final Subscription subscription = await(transport, transport::getSubscription, registrationId);
        final Publication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Await.until("the image", () -> told.equals(List.of("available")));
        subscription.close();
        Await.until("the end of the image", () -> told.equals(List.of("available", "unavailable")));
    }

    @Test
    void shouldHandMessagesToTheHandlersOfAGraph() {
        final Transport transport = transports.launch();
        final List<Integer> handled = new CopyOnWriteArrayList<>();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> handled.add(event.length()));
        final long registrationId =
            transport.asyncAddSubscription(transports.channel("mode=dedicated"), STREAM_ID, graph);
        await(transport, transport::getSubscription, registrationId);
        final Publication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Await.until("a connection", publication::isConnected);
        Transports.offer(publication, MESSAGE);
        Await.until("the message", () -> handled.equals(List.of(MESSAGE.length)));
        assertThrows(NullPointerException.class,
            () -> transport.asyncAddSubscription(transports.channel(""), STREAM_ID, null));
    }

    /** The set-up agent is for devices: whoever waits for a name server there holds up links. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldWaitOnTheSetUpAgentForNoNameServer(final ThreadingMode mode) {
        final List<String> waiting = new CopyOnWriteArrayList<>();
        final Transport transport = transports.launch(context -> context.threadingMode(mode).environment(
            new ForwardingEnvironment(SystemEnvironment.instance()) {
                @Override
                public void awaitLookUp(final String host) {
                    waiting.add(host + " on " + Thread.currentThread().getName());
                }
            }));
        final String channel = "sluice:rdma?endpoint=localhost:40123";
        final List<Long> added = List.of(transport.asyncAddPublication(channel, STREAM_ID),
            transport.asyncAddExclusivePublication(channel, STREAM_ID),
            transport.asyncAddSubscription(channel, STREAM_ID));
        final List<LongFunction<?>> asking = List.of(
            transport::getPublication, transport::getExclusivePublication, transport::getSubscription);
        for (int i = 0; i < added.size(); i++) {
            final LongFunction<?> get = asking.get(i);
            final long registrationId = added.get(i);
            Await.until("an answer, whatever devices there are", () -> {
                if (mode == ThreadingMode.INVOKER) {
                    transport.doWork();
                }
                try {
                    return get.apply(registrationId) != null;
                } catch (final RuntimeException ex) {
                    return true;
                }
            });
        }
        assertEquals(List.of(), waiting);
    }

    /** A name server may take for ever: it holds up nobody, and the close ends the wait. */
    @Test
    void shouldWaitForNoNameServer() {
        final CompletableFuture<InetAddress> answer = new CompletableFuture<>();
        final Transport transport = transports.launch(context -> context.environment(
            new ForwardingEnvironment(SystemEnvironment.instance()) {
                @Override
                public CompletableFuture<InetAddress> lookUp(final String host) {
                    return answer;
                }
            }));
        final long slow = transport.asyncAddPublication("sluice:rdma?endpoint=slow:40123", STREAM_ID);
        final long fast = transport.asyncAddPublication("sluice:ipc", STREAM_ID);
        assertEquals("sluice:ipc", await(transport, transport::getPublication, fast).channel());
        assertNull(transport.getPublication(slow));
        transport.close();
        final String message = assertThrows(
            IllegalStateException.class, () -> transport.getPublication(slow)).getMessage();
        assertTrue(message.contains("the transport is closed"), message);
        assertThrows(IllegalArgumentException.class, () -> transport.getPublication(slow));
    }
}
