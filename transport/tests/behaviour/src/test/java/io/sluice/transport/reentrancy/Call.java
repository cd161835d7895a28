package io.sluice.transport.reentrancy;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.Counter;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** A call of the public API, or a few that go together, as made from inside a callback. The last ones end things. */
enum Call {
    OFFER("`offer` of an exclusive publication", stage -> result(
        stage.exclusive.offer(stage.message, 0, stage.message.capacity()))),
    OFFER_SHARED("`offer` of a shared publication", stage -> result(
        stage.shared.offer(stage.message, 0, 8, stage.message, 8, stage.message.capacity() - 8))),
    COMMIT("`tryClaim` and `commit`", stage -> {
        final long claimed = stage.exclusive.tryClaim(32, stage.claim);
        if (claimed > 0) {
            stage.claim.buffer().putLong(0, 1);
            stage.claim.commit();
        }
        return result(claimed);
    }),
    ABORT("`tryClaim` and `abort`", stage -> {
        final long claimed = stage.exclusive.tryClaim(32, stage.claim);
        if (claimed > 0) {
            stage.claim.abort();
        }
        return result(claimed);
    }),
    ASK_PUBLICATION("what tells of a publication: `position`, `isConnected`, `pressureState` …", stage -> {
        Objects.requireNonNull(stage.exclusive.subscribers());
        stage.exclusive.position();
        stage.exclusive.positionLimit();
        stage.exclusive.availableWindow();
        stage.exclusive.isConnected();
        stage.exclusive.backPressureCause();
        stage.shared.position();
        stage.shared.isDrained();
        return result(stage.shared.pressureState());
    }),
    ASK_SUBSCRIPTION("what tells of a subscription or an image: `images`, `isConnected`, `Image.position` …", stage -> {
        stage.other.isConnected();
        for (final Image image : stage.other.images()) {
            image.position();
            image.isEndOfStream();
            image.sourceIdentity();
        }
        if (stage.image() != null) {
            stage.image().position();
            stage.image().joinPosition();
            stage.image().isClosed();
        }
        return result(stage.other.pressureState());
    }),
    ASK_TRANSPORT("`counters`, `pollers`, `context`, `StatusReader.read`", stage -> {
        stage.transport.counters().get(TransportCounter.ERRORS);
        stage.transport.pollers();
        return result(new StatusReader(SystemEnvironment.instance(), stage.transport.context().directory())
            .read(skipped -> { }));
    }),
    HANDLE_CLOSE("`addCloseHandler`, and `removeCloseHandler`", stage ->
        result(stage.transport.removeCloseHandler(stage.transport.addCloseHandler(() -> { })))),
    ADD_COUNTER("`addCounter`, its `close`, and `countersReader`", stage -> {
        try (Counter added = stage.transport.addCounter(CounterType.APPLICATION_TYPE_ID_MIN, "added")) {
            added.increment();
            return result(stage.transport.countersReader());
        }
    }),
    LISTEN("`backPressureListener` of a publication or subscription", stage -> {
        stage.other.backPressureListener(change -> { });
        stage.exclusive.backPressureListener(change -> { });
        return Cells.WORKS;
    }),
    ADD_PUBLICATION("`addPublication`, and its `close`", stage -> {
        try (Publication added = stage.transport.addPublication(stage.channel("added", ""), Stage.ADDED_STREAM)) {
            return result(added.maxMessageLength());
        }
    }),
    ADD_EXCLUSIVE("`addExclusivePublication`, and its `close`", stage -> {
        try (Publication added =
            stage.transport.addExclusivePublication(stage.channel("added", ""), Stage.ADDED_STREAM)) {
            return result(added.maxMessageLength());
        }
    }),
    ADD_SUBSCRIPTION("`addSubscription`, and its `close`", stage -> {
        try (Subscription added = stage.transport.addSubscription(
            stage.channel("added", ""), Stage.ADDED_STREAM)) {
            return result(added.poll(Call::ignore, 1));
        }
    }),
    ADD_ASYNC("`asyncAddPublication`, and `getPublication`", stage -> {
        // the thread that adds may be done by then, or not
        try (Publication added = stage.transport.getPublication(
            stage.transport.asyncAddPublication(stage.channel("added", ""), Stage.ADDED_STREAM))) {
            return result(added == null || added.streamId() == Stage.ADDED_STREAM);
        }
    }),
    ADD_GRAPH("`addSubscription` with a graph, and its `close`", stage -> {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> { });
        try (Subscription added = stage.transport.addSubscription(
            stage.channel("added", ""), Stage.ADDED_STREAM, graph)) {
            return result(added.streamId());
        }
    }),
    CHANGE_GRAPH("`HandlerGraph.handleEventsWith` of the graph that calls", stage -> {
        if (stage.graph() == null) {
            return Cells.NONE;
        }
        return result(stage.graph().handleEventsWith((event, sequence, endOfBatch) -> { }));
    }),
    POLL_OTHER("`poll` of another subscription", stage -> result(stage.other.poll(Call::ignore, 1))),
    CONTROLLED_POLL_OTHER("`controlledPoll` of another subscription", stage -> result(stage.other.controlledPoll(
        (buffer, offset, length, header) -> Action.CONTINUE, 1))),
    POLL_OTHER_IMAGE("`Image.poll` of another subscription", stage -> result(stage.otherImage.poll(Call::ignore, 1))),
    POLL_OWN("`poll` of its own subscription", stage -> stage.own() == null ? Cells.NONE
        : result(stage.own().poll(stage::record, 1))),
    CONTROLLED_POLL_OWN("`controlledPoll` of its own subscription", stage -> stage.own() == null ? Cells.NONE
        : result(stage.own().controlledPoll((buffer, offset, length, header) -> {
            stage.record(buffer, offset, length, header);
            return Action.CONTINUE;
        }, 1))),
    POLL_OWN_IMAGE("`Image.poll` of its own subscription", stage -> stage.image() == null ? Cells.NONE
        : result(stage.image().poll(stage::record, 1))),
    DO_WORK("`doWork` of its own transport", stage -> result(stage.transport.doWork())),
    DO_WORK_OTHER("`doWork` of another transport", stage -> result(stage.stranger.doWork())),
    LAUNCH("`Transport.launch`, and its `close`", stage -> {
        try (Transport launched = Transport.launch(stage.context())) {
            return result(launched.counters());
        }
    }),
    CLOSE_OTHER("`close` of another subscription", stage -> {
        stage.other.close();
        return result(stage.other.isClosed());
    }),
    CLOSE_PUBLICATIONS("`close` of a publication", stage -> {
        stage.exclusive.close();
        stage.shared.close();
        return result(stage.exclusive.isClosed());
    }),
    CLOSE("`close` of its own transport", stage -> {
        stage.transport.close();
        return result(stage.transport);
    }),
    CLOSE_OWN("`close` of its own subscription", stage -> {
        if (stage.own() == null) {
            return Cells.NONE;
        }
        stage.own().close();
        return result(stage.own().isClosed());
    });

    private final String label;
    private final Body body;

    Call(final String label, final Body body) {
        this.label = label;
        this.body = body;
    }

    /** {@return the text of the call, for people} */
    String label() {
        return label;
    }

    /** {@return the call's outcome: that it works, the result's name, or what it throws, up to the first value} */
    String on(final Stage stage) {
        try {
            return body.run(stage);
        } catch (final Throwable ex) {
            final String text = String.valueOf(ex.getMessage());
            return ex.getClass().getSimpleName() + ": " + text.replaceAll(": [^ ]*=.*|: ?$", "");
        }
    }

    private static String result(final long result) {
        return result >= 0 ? Cells.WORKS : Publication.errorString(result);
    }

    private static String result(final Object result) {
        return Objects.requireNonNull(result) == Boolean.FALSE ? "false" : Cells.WORKS;
    }

    private static void ignore(
        final DirectBuffer buffer, final int offset, final int length, final Header header) {
        // another subscription's message
    }

    /** One that makes the call, and says what came of it. */
    @FunctionalInterface
    interface Body {
        String run(Stage stage) throws Exception;
    }
}
