package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several transports, each of which publishes to all and subscribes, are closed while they are in use: whoever closes
 * says goodbye, and nobody's error handler hears of a connection, a link or a subscriber that was lost.
 */
@Tag("slow")
class CloseInUseTest {
    private static final int STREAM_ID = 1;
    private static final int TRANSPORTS = 4;
    private static final int LENGTH = 200;
    /** Messages that each transport has received before anything is closed: all are in the midst of it. */
    private static final long IN_USE = 1000;
    private static final List<String> TOLD_BY_CLOSING =
        List.of("rejected without private data", "the peer has given up waiting");

    /** The order in which all are closed. */
    private enum Order {
        TRANSPORTS_FROM_FIRST_TO_LAST(mesh -> mesh.members.forEach(Member::close)),
        TRANSPORTS_FROM_LAST_TO_FIRST(mesh -> mesh.members.reversed().forEach(Member::close)),
        TRANSPORTS_AT_ONCE(Mesh::closeAtOnce),
        PUBLICATIONS_BEFORE_TRANSPORTS(mesh -> {
            mesh.members.forEach(member -> member.publications.forEach(Publication::close));
            mesh.closeAtOnce();
        }),
        SUBSCRIPTIONS_BEFORE_TRANSPORTS(mesh -> {
            mesh.members.forEach(member -> member.subscription.close());
            mesh.closeAtOnce();
        });

        private final Consumer<Mesh> close;

        Order(final Consumer<Mesh> close) {
            this.close = close;
        }
    }

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    static Stream<Arguments> cases() {
        return Transports.parameters()
            .flatMap(parameters -> Stream.of(Order.values()).map(order -> Arguments.of(order, parameters)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldTellNothingWhenEverythingIsClosedInUse(final Order order, final String parameters) {
        final Mesh mesh = new Mesh(parameters);
        mesh.awaitUse();
        order.close.accept(mesh);
        mesh.awaitEnd();
        assertEquals(List.of(), failures);
        assertEquals(List.of(), transports.errors().stream().filter(error -> !isOfAClosingListener(error)).toList());
    }

    /**
     * Over rdma a request that a listener meets on its way out is rejected without data, and its sender told; so is
     * one whose answer comes from a listener that has gone since.
     */
    private static boolean isOfAClosingListener(final Throwable error) {
        return TestMedium.isRdma() && TOLD_BY_CLOSING.stream().anyMatch(String.valueOf(error)::contains);
    }

    /** Two messages are under way to it when it closes: the first one fails, and the second one finds that out. */
    @Test
    void shouldReadTheGoodbyeThatCameBeforeASendFailed() {
        TestMedium.assumeSoftware();
        final HeldSend held = new HeldSend();
        final Transport staying = transports.launch(held);
        final Transport closing = transports.launch();
        final Subscription subscription = closing.addSubscription(transports.channel(""), STREAM_ID);
        final ExclusivePublication publication =
            staying.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        held.hold();
        staying.addSubscription(transports.channel(""), STREAM_ID + 1);
        held.awaitHeld();
        staying.addSubscription(transports.channel(""), STREAM_ID + 2);
        staying.addSubscription(transports.channel(""), STREAM_ID + 3);
        closing.close();
        held.release();

        Await.until("the end of the link", () -> !publication.isConnected());
        // its listeners' agent has told everything when it is closed, and not before
        staying.close();
        assertEquals(List.of(), transports.errors());
    }

    /** Holds the next control message back, and fails it and whatever its connection sends after it. */
    private static final class HeldSend extends FaultHook {
        private static final int NONE = -1;

        private final AtomicInteger failing = new AtomicInteger(NONE);
        private volatile boolean isWanted;
        private volatile boolean isReleased;

        void hold() {
            isWanted = true;
        }

        void awaitHeld() {
            Await.until("a send", () -> failing.get() != NONE);
        }

        void release() {
            isReleased = true;
        }

        @Override
        public int onOperation(
            final int queuePairNumber, final Operation operation, final long workRequestId, final int length,
            final int immediate) {
            if (isWanted && operation == Operation.SEND && failing.compareAndSet(NONE, queuePairNumber)) {
                Await.until("the peer's close", () -> isReleased);
            }
            return queuePairNumber == failing.get() ? fail(WorkStatus.RETRY_EXC_ERR) : PASS;
        }
    }

    private Thread start(final String name, final Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                task.run();
            } catch (final Throwable ex) {
                failures.add(ex);
            }
        });
    }

    /** Transports, each of which publishes to the subscriptions of all. */
    private final class Mesh {
        private final List<Member> members;

        Mesh(final String parameters) {
            members = IntStream.range(0, TRANSPORTS).mapToObj(number -> new Member(number, parameters)).toList();
            members.forEach(member -> member.publish(parameters));
        }

        void awaitUse() {
            members.forEach(member -> Await.until("use", () -> member.received > IN_USE || !failures.isEmpty()));
        }

        void closeAtOnce() {
            members.stream().map(member -> start("close-" + member.number, member::close)).toList()
                .forEach(Await::end);
        }

        void awaitEnd() {
            members.forEach(member -> member.threads.forEach(Await::end));
        }
    }

    /** One transport with its subscription, its publications and the threads that use them until they are closed. */
    private final class Member {
        private final int number;
        private final Transport transport = transports.launch();
        private final Subscription subscription;
        private final List<Publication> publications = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private volatile long received;

        Member(final int number, final String parameters) {
            this.number = number;
            subscription = transport.addSubscription(
                transports.channel("endpoint=" + number + "|" + parameters), STREAM_ID);
            threads.add(start("poll-" + number, this::poll));
        }

        void publish(final String parameters) {
            for (int peer = 0; peer < TRANSPORTS; peer++) {
                publications.add(transport.addExclusivePublication(
                    transports.channel("endpoint=" + peer + "|window=64k|" + parameters), STREAM_ID));
            }
            threads.add(start("offer-" + number, this::offer));
        }

        private void poll() {
            while (!subscription.isClosed()) {
                if (subscription.poll((buffer, offset, length, header) -> received++, 10) == 0) {
                    Thread.yield();
                }
            }
        }

        private void offer() {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            boolean isOpen = true;
            while (isOpen) {
                isOpen = false;
                for (final Publication publication : publications) {
                    isOpen |= publication.offer(message, 0, LENGTH) != Publication.CLOSED;
                }
                Thread.yield();
            }
        }

        void close() {
            transport.close();
        }
    }
}
