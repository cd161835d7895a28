package io.sluice.transport.reentrancy;

import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.ControlledMessageDispatcher;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A place where the application's code is called by a transport, or holds something of it that has yet to be given
 * back.
 */
enum Place {
    POLL("handler of `poll`", stage -> poll(stage, "invoker")),
    RING_POLL("handler of `poll`, over a ring", stage -> poll(stage, "dedicated")),
    CONTROLLED_POLL("handler of `controlledPoll`", stage -> controlledPoll(stage, "invoker")),
    RING_CONTROLLED_POLL("handler of `controlledPoll`, over a ring", stage -> controlledPoll(stage, "dedicated")),
    IMAGE_POLL("handler of `Image.poll`", stage -> {
        final Subscription own = stage.subscribe("invoker");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.images().forEach(image ->
            image.poll((buffer, offset, length, header) -> stage.onMessage(buffer, offset), 10)));
    }),
    IMAGE_CONTROLLED_POLL("handler of `Image.controlledPoll`", stage -> {
        final Subscription own = stage.subscribe("invoker");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.images().forEach(image ->
            image.controlledPoll((buffer, offset, length, header) -> {
                stage.onMessage(buffer, offset);
                return Action.COMMIT;
            }, 10)));
    }),
    DISPATCH("handler of a `MessageDispatcher`", stage -> {
        final MessageDispatcher dispatcher = new MessageDispatcher((buffer, offset, length, header) -> { },
            stage.errors::add).on(new TradeDecoder(), (trade, header) -> stage.onTrade(trade));
        final Subscription own = stage.subscribe("invoker");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.poll(dispatcher, 10));
    }),
    DISPATCH_DEFAULT("default handler of a `MessageDispatcher`", stage -> {
        final MessageDispatcher dispatcher = new MessageDispatcher(
            (buffer, offset, length, header) -> stage.onMessage(buffer, offset), stage.errors::add);
        final Subscription own = stage.subscribe("invoker");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.poll(dispatcher, 10));
    }),
    CONTROLLED_DISPATCH("handler of a `ControlledMessageDispatcher`", stage -> {
        final ControlledMessageDispatcher dispatcher = new ControlledMessageDispatcher(
            (buffer, offset, length, header) -> Action.CONTINUE, stage.errors::add)
            .on(new TradeDecoder(), (trade, header) -> {
                stage.onTrade(trade);
                return Action.CONTINUE;
            });
        final Subscription own = stage.subscribe("dedicated");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.controlledPoll(dispatcher, 10));
    }),
    GRAPH("`onEvent`", stage -> graph(stage,
        (event, sequence, endOfBatch) -> stage.onMessage(event.buffer(), event.offset()))),
    GRAPH_DISPATCH("handler of a `MessageDispatcher` in a graph", stage -> graph(stage, new MessageDispatcher(
        (buffer, offset, length, header) -> { }, stage.errors::add)
        .on(new TradeDecoder(), (trade, header) -> stage.onTrade(trade)))),
    RELEASED("`onEvent`, after `MessageEvent.release`", stage -> graph(stage, (event, sequence, endOfBatch) -> {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[event.length()]);
        copy.putBytes(0, event.buffer(), event.offset(), event.length());
        event.release();
        stage.onMessage(copy, 0);
    })),
    BATCH_START("`onBatchStart`", stage -> graph(stage, new MessageEventHandler() {
        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            stage.record(event.buffer(), event.offset(), event.length(), event.header());
        }

        @Override
        public void onBatchStart(final long batchSize, final long queueDepth) {
            stage.call();
        }
    })),
    START("`onStart`", stage -> {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(new MessageEventHandler() {
            @Override
            public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
                throw new AssertionError("nobody sends");
            }

            @Override
            public void onStart() {
                stage.awaitOwn();
                stage.callAll();
            }
        });
        stage.subscribe(graph);
        stage.awaitOver();
    }),
    SHUTDOWN("`onShutdown`", stage -> {
        stage.subscribe(shutDownGraph(stage::callAll)).close();
        stage.awaitOver();
    }),
    SHUTDOWN_AT_CLOSE("`onShutdown`, while the transport closes", stage -> {
        stage.subscribe(shutDownGraph(() -> {
            Await.until("everything to be closed", () -> stage.exclusive.isClosed() && stage.shared.isClosed());
            stage.callAll();
        }));
        stage.transport.close();
        // on a busy machine the close gives the handler up before it has made all calls
        stage.awaitOver();
    }),
    AVAILABLE("handler of available images", stage -> {
        final Subscription own = stage.transport.addSubscription(stage.channel("own", ""), Stage.OWN_STREAM,
            image -> {
                stage.image(image);
                stage.callAll();
            }, null);
        stage.own(own);
        own.poll(stage::record, 1);
        stage.publish("64k");
        stage.awaitOver();
    }),
    UNAVAILABLE("handler of unavailable images", stage -> {
        final Subscription own = stage.transport.addSubscription(stage.channel("own", ""), Stage.OWN_STREAM,
            null, image -> {
                stage.image(image);
                stage.callAll();
            });
        stage.own(own);
        final ExclusivePublication publication = stage.publish("64k");
        stage.await("an image", () -> own.poll(stage::record, 1) == 0 && own.isConnected());
        publication.close();
        // its end is noticed by who polls
        stage.await("the end", () -> own.poll(stage::record, 1) == 0 && own.imageCount() == 0);
        stage.awaitOver();
    }),
    LISTENER("listener of back-pressure", stage -> {
        stage.onPressure(stage::callAll);
        pressOwn(stage);
        stage.awaitOver();
    }),
    ERROR_LISTENER("error handler, told by the transport", stage -> {
        stage.onError(stage::callAll);
        stage.onPressure(() -> {
            throw new IllegalStateException("of a listener");
        });
        pressOwn(stage);
        stage.awaitOver();
    }),
    ERROR_IMAGE("error handler, told of an image handler's", stage -> {
        stage.onError(stage::callAll);
        final Subscription own = stage.transport.addSubscription(stage.channel("own", ""), Stage.OWN_STREAM,
            image -> {
                stage.image(image);
                throw new IllegalStateException("of an image handler");
            }, null);
        stage.own(own);
        own.poll(stage::record, 1);
        stage.publish("64k");
        stage.awaitOver();
    }),
    ERROR_POLL("error handler, told of a polled handler's", stage -> {
        stage.onError(stage::call);
        final Subscription own = stage.subscribe("invoker");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.poll((buffer, offset, length, header) -> {
            stage.record(buffer, offset, length, header);
            throw new IllegalStateException("of a handler");
        }, 10));
    }),
    ERROR_RING_POLL("error handler, told of a polled handler's, over a ring", stage -> {
        stage.onError(stage::call);
        final Subscription own = stage.subscribe("dedicated");
        stage.publish("64k");
        stage.feedUntilOver(() -> own.poll((buffer, offset, length, header) -> {
            stage.record(buffer, offset, length, header);
            throw new IllegalStateException("of a handler");
        }, 10));
    }),
    ERROR_GRAPH("error handler, told of `onEvent`'s", stage -> {
        stage.onError(stage::call);
        graph(stage, (event, sequence, endOfBatch) -> {
            stage.record(event.buffer(), event.offset(), event.length(), event.header());
            throw new IllegalStateException("of a handler");
        });
    }),
    CLAIM("claim of an exclusive publication is open", stage -> claim(stage, stage.exclusive)),
    CLAIM_SHARED("claim of a shared publication is open", stage -> claim(stage, stage.shared));

    /** Long enough for any handler to come back. */
    private static final long LINGER_TIMEOUT_NS = 60_000_000_000L;
    /** A claim is not waited for: its memory is abandoned. */
    private static final long CLAIM_LINGER_TIMEOUT_NS = 100_000_000L;

    private final String label;
    private final Scene scene;

    Place(final String label, final Scene scene) {
        this.label = label;
        this.scene = scene;
    }

    /** {@return the place, for people} */
    String label() {
        return label;
    }

    /** {@return the calls in their order: what ends the place comes last} */
    List<Call> calls() {
        final List<Call> calls = new ArrayList<>(Arrays.asList(Call.values()));
        if (isClaim()) {
            calls.remove(Call.CLOSE);
            calls.add(Call.CLOSE);
        }
        return calls;
    }

    private boolean isClaim() {
        return this == CLAIM || this == CLAIM_SHARED;
    }

    long lingerTimeoutNs() {
        return isClaim() ? CLAIM_LINGER_TIMEOUT_NS : LINGER_TIMEOUT_NS;
    }

    /** Have all calls made. */
    void play(final Stage stage) {
        scene.play(stage);
    }

    private static void poll(final Stage stage, final String mode) {
        final Subscription own = stage.subscribe(mode);
        stage.publish("64k");
        stage.feedUntilOver(() ->
            own.poll((buffer, offset, length, header) -> stage.onMessage(buffer, offset), 10));
    }

    private static void controlledPoll(final Stage stage, final String mode) {
        final Subscription own = stage.subscribe(mode);
        stage.publish("64k");
        stage.feedUntilOver(() -> own.controlledPoll((buffer, offset, length, header) -> {
            stage.onMessage(buffer, offset);
            return Action.CONTINUE;
        }, 10));
    }

    private static void graph(final Stage stage, final MessageEventHandler handler) {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(handler);
        stage.subscribe(graph);
        stage.publish("64k");
        stage.feedUntilOver(() -> { });
    }

    private static HandlerGraph shutDownGraph(final Runnable calls) {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(new MessageEventHandler() {
            @Override
            public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
                throw new AssertionError("nobody sends");
            }

            @Override
            public void onShutdown() {
                calls.run();
            }
        });
        return graph;
    }

    /** Messages pile up that nobody takes any more: that is told. */
    private static void pressOwn(final Stage stage) {
        final Subscription own = stage.subscribe("invoker");
        final ExclusivePublication publication = stage.publish("4k");
        stage.await("an image", () -> own.poll(stage::record, 1) == 0 && own.isConnected()
            && publication.isConnected());
        stage.await("pressure", () -> stage.offerNext() < 0);
    }

    private static void claim(final Stage stage, final Publication publication) {
        final BufferClaim claim = new BufferClaim();
        stage.mayAbandon();
        stage.await("a claim", () -> publication.tryClaim(64, claim) > 0);
        stage.callAll();
        // still there, whatever was closed
        claim.buffer().putLong(0, 1);
        claim.abort();
    }

    /** One that brings the place about. */
    @FunctionalInterface
    interface Scene {
        void play(Stage stage);
    }
}
