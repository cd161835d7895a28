package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Configuration;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cost to a program of a transport that it runs in its own loop and that has nothing to do. */
class IdleCycleTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:ipc?window=64k";
    private static final long CYCLE_NS = 1_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;
    /** Threads of the transport that work on files are timed by the machine, and need seconds of this clock. */
    private static final int SECONDS_TO_REST = 60;

    @RegisterExtension
    private final Transports transports = new Transports();

    /** The machine, with a clock that the test moves, and a count of what goes to the system. One thread. */
    private static final class CountingEnvironment extends ForwardingEnvironment {
        private final SharedFiles files;
        private final LocalSockets sockets;
        private long nowNs;
        private long systemCalls;
        private long looksAtClock;

        CountingEnvironment() {
            super(SystemEnvironment.instance());
            files = counted(SharedFiles.class, super.files());
            sockets = counted(LocalSockets.class, super.localSockets());
        }

        private <T> T counted(final Class<T> type, final T target) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> {
                    systemCalls++;
                    try {
                        return countedToo(method.invoke(target, arguments));
                    } catch (final InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                }));
        }

        private Object countedToo(final Object result) {
            return switch (result) {
                case final LocalListener listener -> counted(LocalListener.class, listener);
                case final LocalSocket socket -> counted(LocalSocket.class, socket);
                case null, default -> result;
            };
        }

        @Override
        public long nanoTime() {
            looksAtClock++;
            return nowNs;
        }

        @Override
        public SharedFiles files() {
            return files;
        }

        @Override
        public LocalSockets localSockets() {
            return sockets;
        }
    }

    private final CountingEnvironment environment = new CountingEnvironment();
    private Transport transport;
    private Subscription subscription;
    private Publication publication;
    private int messages;
    private int work;

    private void launch() {
        transport = transports.launch(
            context -> context.environment(environment).threadingMode(ThreadingMode.INVOKER));
    }

    private void connect() {
        launch();
        addBoth();
        // what a connected link still has to do is done, and the looks for peers have become rare
        run(2 * SECOND_NS);
    }

    /** Add a subscription and a publication; they are connected within so long. */
    private long addBoth() {
        final long beginNs = environment.nowNs;
        subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        publication = transport.addPublication(CHANNEL, STREAM_ID);
        for (long ns = 0; ns < SECOND_NS && !(publication.isConnected() && subscription.isConnected());
            ns += CYCLE_NS) {
            cycle();
        }
        assertTrue(publication.isConnected() && subscription.isConnected());
        return environment.nowNs - beginNs;
    }

    private void run(final long durationNs) {
        for (long ns = 0; ns < durationNs; ns += CYCLE_NS) {
            cycle();
        }
    }

    /** Run until a second passes in which no more than so much is counted: late answers of a thread are work. */
    private void assertRests(final LongSupplier count, final long most) {
        long counted = Long.MAX_VALUE;
        for (int seconds = 0; seconds < SECONDS_TO_REST && counted > most; seconds++) {
            final long before = count.getAsLong();
            run(SECOND_NS);
            counted = count.getAsLong() - before;
        }
        assertTrue(counted <= most, "counted=" + counted);
    }

    private void cycle() {
        environment.nowNs += CYCLE_NS;
        work += transport.doWork();
        messages += subscription == null ? 0 : subscription.poll((_, _, _, _) -> { }, 10);
    }

    @Test
    void shouldMakeNoMoreThanOneSystemCallEachMillisecondWhenIdle() {
        launch();
        addBoth();
        run(SECOND_NS / 10);
        environment.systemCalls = 0;
        final long durationNs = SECOND_NS * 8 / 10;
        run(durationNs);
        assertTrue(environment.systemCalls <= durationNs / NS_PER_MS, "systemCalls=" + environment.systemCalls);
    }

    /** The sockets are the listener and both ends of the connection; the rest looks at files and for peers. */
    @Test
    void shouldLookOnceAtEachSocketInFiftyMillisecondsWhenNothingHasHappenedForASecond() {
        connect();
        final int sockets = 3;
        final int cycles = 20;
        final int others = 100;
        assertRests(() -> environment.systemCalls, sockets * cycles + others);
    }

    @Test
    void shouldHardlyLookAtTheClockInAnIdleCycle() {
        connect();
        environment.looksAtClock = 0;
        final int cycles = 100_000;
        run(cycles * CYCLE_NS);
        // what the conductor costs is timed, and it is asked whether a whole cycle of it is due
        final int looks = 4;
        assertTrue(environment.looksAtClock < (looks + 1) * cycles, "looks=" + environment.looksAtClock);
    }

    /** Each bit of work keeps the conductor awake. A look at what somebody may have removed is one each second. */
    @Test
    void shouldNotTakeHeartbeatsForWork() {
        connect();
        final int looks = 2;
        assertRests(() -> work, looks);
    }

    /** The time that one waits for the other by the clock; work that takes time on a machine is left out. */
    @Test
    void shouldConnectTheFirstLinkWithoutWaitingForTheNextLook() {
        launch();
        run(3 * SECOND_NS);
        final long connectedNs = addBoth();
        assertTrue(connectedNs < Configuration.DISCOVERY_INTERVAL_DEFAULT_NS / 2, "connectedNs=" + connectedNs);
    }

    @Test
    void shouldHandOutWhatIsOfferedInTheSameCycle() {
        connect();
        assertTrue(publication.offer(new UnsafeBuffer(new byte[8])) > 0);
        cycle();
        assertEquals(1, messages);
    }
}
