package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that has no more threads or files: told once with the reason, nothing half done is left. */
class WantOfResourcesTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:ipc?window=64k";

    @RegisterExtension
    private final Transports transports = new Transports();

    private static long sluiceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().matches("sluice-(?!file).*")).count();
    }

    private long folders() throws IOException {
        try (Stream<Path> paths = Files.walk(transports.fabric().directory())) {
            return paths.filter(path -> path.getFileName().toString()
                .startsWith(ProcessHandle.current().pid() + "-")).count();
        }
    }

    private void assertWorks(final Transport transport) {
        final Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        final Publication publication = transport.addPublication(CHANNEL, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[10]);
        assertEquals(1, Transports.receive(subscription, 1).size());
    }

    /** The machine with threads for so many workers only. */
    private static final class FewThreads extends ForwardingEnvironment {
        private final AtomicInteger left;
        private final Throwable failure;

        private FewThreads(final int count, final Throwable failure) {
            super(SystemEnvironment.instance());
            left = new AtomicInteger(count);
            this.failure = failure;
        }

        @Override
        public Worker startWorker(
            final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
            if (left.getAndDecrement() <= 0) {
                LangUtil.rethrowUnchecked(failure);
            }
            return super.startWorker(agent, idleStrategy, errorHandler);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldLeaveNothingBehindWhenAThreadIsMissingAtLaunch(final int count) throws IOException {
        for (final Throwable failure : new Throwable[] {
            new IllegalStateException("no thread"), new OutOfMemoryError("unable to create native thread")}) {
            final long before = sluiceThreads();
            assertThrows(failure.getClass(), () -> transports.launch(
                context -> context.environment(new FewThreads(count, failure))));
            Await.until("the end of the threads that there were", () -> sluiceThreads() <= before);
            assertEquals(0, folders(), "folders of this process");
        }
        assertWorks(transports.launch());
    }

    @Test
    void shouldGoOnWithoutTheSubscriptionThatItHasNoThreadFor() {
        final int threadsOfATransport = 4;
        final Transport transport = transports.launch(context -> context.environment(
            new FewThreads(threadsOfATransport, new IllegalStateException("no thread"))));
        assertThrows(IllegalStateException.class,
            () -> transport.addSubscription(CHANNEL + "|mode=dedicated", STREAM_ID));
        assertWorks(transport);
    }

    /** A peer that has gone meanwhile is not told of; a want of this side's own was silent as well. */
    @Test
    void shouldTellOnceWhyItCannotConnectAndDoSoWhenItCan() {
        final SharedFiles real = SystemEnvironment.instance().files();
        final AtomicInteger refused = new AtomicInteger();
        final boolean[] isFull = {true};
        final SharedFiles full = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                // Queues of control connections are made by this thread, those of publications by ours. Entries of
                // services are, too, and are named by a random id, which may begin with the same letter.
                if (isFull[0] && method.getName().equals("create")
                    && Thread.currentThread().getName().equals("sluice-set-up")
                    && ((Path) arguments[0]).getFileName().toString().matches("c[0-9a-f]{6}")) {
                    refused.incrementAndGet();
                    throw new IOException("no inodes");
                }
                try {
                    return method.invoke(real, arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });
        final Transport transport = transports.launch(context -> context.environment(
            new ForwardingEnvironment(SystemEnvironment.instance()) {
                @Override
                public SharedFiles files() {
                    return full;
                }
            }));
        final Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        final Publication publication = transport.addPublication(CHANNEL, STREAM_ID);
        transports.awaitError("cannot connect to who listens at ipc/default", "no inodes");
        final int before = refused.get();
        Await.until("more attempts", () -> refused.get() >= before + 3);
        assertEquals(1, transports.errors().size(), transports.errors()::toString);
        assertEquals(Publication.NOT_CONNECTED, publication.offer(new UnsafeBuffer(new byte[8])));
        isFull[0] = false;
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[10]);
        assertEquals(1, Transports.receive(subscription, 1).size());
    }
}
