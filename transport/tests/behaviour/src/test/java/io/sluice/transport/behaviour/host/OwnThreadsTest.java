package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.PollerStatus;
import io.sluice.transport.Publication;
import io.sluice.transport.ReentrantCallException;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.agrona.LangUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads and idle strategies of the application's making, for the agents of a transport. */
class OwnThreadsTest {
    private static final int STREAM_ID = 9;
    /** The threads of every transport that has some, with one poller in use and a graph of one handler. */
    private static final Set<String> NAMES = new TreeSet<>(Set.of("sluice-conductor", "sluice-set-up",
        "sluice-callbacks", "sluice-listeners", "sluice-poller-0", "sluice-consumer-9-0"));

    @RegisterExtension
    private final Transports transports = new Transports();

    private void exchange(final Transport transport) {
        final List<Integer> received = new CopyOnWriteArrayList<>();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> received.add(event.length()));
        final Subscription subscription =
            transport.addSubscription(transports.channel("mode=dedicated"), STREAM_ID, graph);
        final Publication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Await.until("a connection", publication::isConnected);
        Transports.offer(publication, new byte[7]);
        Await.until("the message", () -> received.equals(List.of(7)));
        assertFalse(subscription.isClosed());
    }

    @Test
    void shouldRunEveryAgentOnAThreadOfTheFactory() {
        final List<Thread> made = new CopyOnWriteArrayList<>();
        final ThreadGroup group = new ThreadGroup("own");
        final Transport transport = transports.launch(context -> context.threadFactory(task -> {
            final Thread thread = Thread.ofPlatform().group(group).daemon().unstarted(task);
            made.add(thread);
            return thread;
        }));
        exchange(transport);
        assertEquals(NAMES, made.stream().map(Thread::getName).collect(Collectors.toCollection(TreeSet::new)));
        transport.close();
        for (final Thread thread : made) {
            Await.until("the end of " + thread, () -> !thread.isAlive());
        }
    }

    @Test
    void shouldRefuseAFactoryThatMakesNoThread() {
        final Context context = transports.context().threadFactory(task -> null);
        final String message = assertThrows(IllegalStateException.class, () -> Transport.launch(context)).getMessage();
        assertTrue(message.contains("the thread factory has made no thread: roleName=sluice-"), message);
        exchange(transports.launch());
    }

    @Test
    void shouldIdleAsTheApplicationHasItOnTheThreadOfTheAgent() {
        final Map<String, Thread> idling = new ConcurrentHashMap<>();
        final Transport transport = transports.launch(context -> context.idleStrategies(name -> new Sleeping() {
            @Override
            void onIdle() {
                idling.put(name, Thread.currentThread());
            }
        }));
        exchange(transport);
        Await.until("all of them", () -> idling.keySet().equals(NAMES));
        idling.forEach((name, thread) -> assertEquals(name, thread.getName()));
    }

    /** The second poller is not used, so that nobody was asked for its strategy. */
    @ParameterizedTest
    @ValueSource(strings = {"own", ""})
    void shouldShowThePollersStrategyOfTheApplication(final String alias) {
        final IdleStrategy own = new Sleeping() {
            @Override
            void onIdle() {
                // of no interest
            }

            @Override
            public String alias() {
                return alias;
            }
        };
        final Transport transport = transports.launch(context -> context
            .pollers(new PollerOptions().count(2).idleStrategy("yielding"))
            .idleStrategies(name -> name.startsWith("sluice-poller") ? own : null));
        transport.addSubscription(transports.channel("mode=dedicated|poller=0"), STREAM_ID);
        assertEquals(List.of(alias.isEmpty() ? own.getClass().getName() : alias, "yielding"),
            transport.pollers().stream().map(PollerStatus::idleStrategy).toList());
    }

    @Test
    void shouldIdleByNameWhereTheApplicationHasNoStrategy() {
        final Set<String> asked = ConcurrentHashMap.newKeySet();
        final Transport transport = transports.launch(context -> context.idleStrategies(name -> {
            asked.add(name);
            return null;
        }));
        exchange(transport);
        assertEquals(NAMES, new TreeSet<>(asked));
    }

    /** An agent without an idle strategy would be dead, and with a throwing one say so in each cycle. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
    void shouldTellOnceOfAStrategyThatThrowsAndGoOnByName(final Class<? extends Throwable> type) {
        final Map<String, Integer> calls = new ConcurrentHashMap<>();
        final Transport transport = transports.launch(context -> context.idleStrategies(name -> new Sleeping() {
            @Override
            void onIdle() {
                calls.merge(name, 1, Integer::sum);
                try {
                    LangUtil.rethrowUnchecked(type.getConstructor().newInstance());
                } catch (final ReflectiveOperationException ex) {
                    throw new AssertionError(ex);
                }
            }
        }));
        exchange(transport);
        NAMES.forEach(name -> transports.awaitError("the program's idle strategy", "thread=" + name, type.getName()));
        transport.close();
        assertEquals(NAMES.stream().collect(Collectors.toMap(name -> name, name -> 1)), calls);
        assertEquals(NAMES.size(), transports.errors().size(), transports.errors()::toString);
        transports.errors().forEach(error -> assertEquals(
            ErrorKind.DEGRADED, assertInstanceOf(TransportException.class, error).kind()));
    }

    /** A close would wait for the very thread that calls it. */
    @Test
    void shouldRefuseToCloseInsideAnIdleStrategy() {
        final AtomicReference<Transport> closing = new AtomicReference<>();
        final Map<String, Throwable> thrown = new ConcurrentHashMap<>();
        final Transport transport = transports.launch(context -> context.idleStrategies(name -> new Sleeping() {
            @Override
            void onIdle() {
                final Transport toClose = closing.get();
                if (toClose != null && !thrown.containsKey(name)) {
                    try {
                        toClose.close();
                        thrown.put(name, new AssertionError("closed"));
                    } catch (final ReentrantCallException ex) {
                        thrown.put(name, ex);
                    }
                }
            }
        }));
        exchange(transport);
        closing.set(transport);
        Await.until("all of them", () -> thrown.keySet().equals(NAMES));
        thrown.forEach((name, error) -> assertInstanceOf(ReentrantCallException.class, error, name));
        assertFalse(transport.isClosed());
    }

    @Test
    void shouldSayAtLaunchThatAFactoryHasNoThreadToRunOn() {
        final Map<String, ThreadFactory> factories = Map.of(
            "the thread factory has thrown: roleName=sluice-", task -> {
                throw new AssertionError("no thread");
            },
            "the thread factory has made a thread that was started already: roleName=sluice-",
            Thread.ofPlatform().daemon()::start,
            "the thread factory has made a thread that does not start: roleName=sluice-", task -> new Thread(task) {
                @Override
                public void start() {
                    // as a factory may count its threads first
                }
            });
        factories.forEach((words, factory) -> {
            final Context context = transports.context().threadFactory(factory);
            final String message =
                assertThrows(IllegalStateException.class, () -> Transport.launch(context)).getMessage();
            assertTrue(message.contains(words), message);
        });
        exchange(transports.launch());
    }

    /** A graph serves the next attempt, unless a handler of it has run. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldTakeAGraphAgainWhoseSubscriptionCouldNotBeAdded(final int thread) {
        final int ofTransport = 4;
        final AtomicInteger made = new AtomicInteger();
        final Transport transport = transports.launch(context -> context.threadFactory(
            task -> made.getAndIncrement() == ofTransport + thread
                ? null : Thread.ofPlatform().daemon().unstarted(task)));
        final AtomicInteger handled = new AtomicInteger();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> handled.incrementAndGet())
            .then((event, sequence, endOfBatch) -> handled.incrementAndGet());
        final String channel = transports.channel("mode=dedicated");
        final String missing = assertThrows(
            IllegalStateException.class, () -> transport.addSubscription(channel, STREAM_ID, graph)).getMessage();
        assertTrue(missing.contains("made no thread"), missing);
        if (thread == 2) {
            // a handler of it has run, and may still
            final String used = assertThrows(
                IllegalStateException.class, () -> transport.addSubscription(channel, STREAM_ID, graph)).getMessage();
            assertTrue(used.contains("used=true"), used);
            return;
        }
        transport.addSubscription(channel, STREAM_ID, graph);
        final Publication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Await.until("a connection", publication::isConnected);
        Transports.offer(publication, new byte[1]);
        Await.until("both handlers", () -> handled.get() == 2);
    }

    /** A strategy of the application, which sleeps a little. */
    private abstract static class Sleeping implements IdleStrategy {
        private final IdleStrategy sleep = new SleepingMillisIdleStrategy(1);

        abstract void onIdle();

        @Override
        public void idle(final int workCount) {
            if (workCount <= 0) {
                idle();
            }
        }

        @Override
        public void idle() {
            onIdle();
            sleep.idle();
        }

        @Override
        public void reset() {
            sleep.reset();
        }
    }
}
