package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.kit.Await;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two applications in one JVM, each with a class loader and so with classes of its own, as two web applications, OSGi
 * bundles or a redeployment have them: other processes must take neither for dead.
 */
@Tag("long")
class TwoClassLoadersEndToEndTest {
    private static final String WITH_NATIVE_ACCESS = "-Dtest.access=as-started";
    private static final String WITHOUT_NATIVE_ACCESS = "--illegal-native-access=deny";
    private static final int STREAM_ID = 7;
    private static final long ENOUGH = 50;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private static void awaitMore(final ChildJvm subscriber) {
        final Line before = subscriber.ask("count", "COUNT");
        Await.until(() -> "messages of both applications\n" + subscriber.describe(), () -> {
            final Line now = subscriber.ask("count", "COUNT");
            return now.number("app1") - before.number("app1") >= ENOUGH
                && now.number("app2") - before.number("app2") >= ENOUGH;
        }, Await.DEADLINE_SECONDS);
    }

    private static void assertNothingLost(final ChildJvm subscriber) {
        assertEquals(0, subscriber.ask("count", "COUNT").number("lost"), "an image ended that must not");
    }

    private ChildJvm startSubscriber(final String name, final String access) {
        final ChildJvm subscriber = fabric.startMain(name, SubscriberMain.class, access);
        subscriber.await("READY");
        return subscriber;
    }

    private ChildJvm startApplications(final String access) {
        final ChildJvm applications = fabric.startMain("applications", ApplicationsMain.class, access);
        applications.ask("add name=app1", "ADDED");
        return applications;
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_NATIVE_ACCESS, WITHOUT_NATIVE_ACCESS})
    void shouldReceiveFromBothWhenTheOtherProcessComesLater(final String access) {
        final ChildJvm applications = startApplications(access);
        applications.ask("add name=app2", "ADDED");
        // each removes what it takes for dead when it starts
        for (int i = 0; i < 2; i++) {
            final ChildJvm subscriber = startSubscriber("subscriber" + i, access);
            awaitMore(subscriber);
            assertNothingLost(subscriber);
            subscriber.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_NATIVE_ACCESS, WITHOUT_NATIVE_ACCESS})
    void shouldGoOnReceivingFromBothWhenTheSecondOneIsStarted(final String access) {
        final ChildJvm applications = startApplications(access);
        final ChildJvm running = startSubscriber("running", access);
        Await.until("messages of the first application",
            () -> running.ask("count", "COUNT").number("app1") >= ENOUGH);
        applications.ask("add name=app2", "ADDED");
        awaitMore(running);
        final ChildJvm later = startSubscriber("later", access);
        awaitMore(later);
        awaitMore(running);
        assertNothingLost(running);
        assertNothingLost(later);
    }

    /** Publishes on its own endpoint for as long as its process lives; loaded by a class loader of its own. */
    public static final class Application implements Runnable {
        private final Path directory;
        private final String endpoint;

        Application(final String directory, final String endpoint) {
            this.directory = Path.of(directory);
            this.endpoint = endpoint;
        }

        @Override
        public void run() {
            final Transport transport = Transport.launch(new Context().directory(directory).clientName(endpoint));
            final ExclusivePublication publication =
                transport.addExclusivePublication("sluice:ipc?window=64k|endpoint=" + endpoint, STREAM_ID);
            Thread.ofPlatform().daemon().name(endpoint).start(() -> publish(publication));
        }

        private static void publish(final ExclusivePublication publication) {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
            while (true) {
                publication.offer(message);
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Starts an application in a class loader of its own for each line of input. */
    static final class ApplicationsMain {
        public static void main(final String[] arguments) throws Exception {
            final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = input.readLine();
            while (line != null) {
                final String[] paths = System.getProperty("java.class.path").split(File.pathSeparator);
                final URL[] urls = new URL[paths.length];
                for (int i = 0; i < paths.length; i++) {
                    urls[i] = Path.of(paths[i]).toUri().toURL();
                }
                final ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
                final Constructor<?> constructor = loader.loadClass(Application.class.getName())
                    .getDeclaredConstructor(String.class, String.class);
                // It is of another package at run time: the same name, loaded by another class loader.
                constructor.setAccessible(true);
                final Runnable application =
                    (Runnable) constructor.newInstance(arguments[0], Line.parse(line).text("name"));
                application.run();
                System.out.println("ADDED own=" + (application.getClass() != Application.class));
                line = input.readLine();
            }
        }
    }

    /** Counts what it receives of both applications, and the images that end. */
    static final class SubscriberMain {
        public static void main(final String[] arguments) throws IOException {
            final Transport transport = Transport.launch(new Context().directory(Path.of(arguments[0])));
            final AtomicLongArray counts = new AtomicLongArray(3);
            final Subscription[] subscriptions = new Subscription[2];
            for (int i = 0; i < subscriptions.length; i++) {
                subscriptions[i] = transport.addSubscription(
                    "sluice:ipc?endpoint=app" + (i + 1), STREAM_ID, image -> { }, image -> counts.incrementAndGet(2));
            }
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    for (int i = 0; i < subscriptions.length; i++) {
                        final int index = i;
                        subscriptions[i].poll((buffer, offset, length, header) -> counts.incrementAndGet(index), 10);
                    }
                    LockSupport.parkNanos(1_000_000);
                }
            });
            System.out.println("READY");
            final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println("COUNT app1=" + counts.get(0) + " app2=" + counts.get(1) + " lost=" + counts.get(2));
            }
            Runtime.getRuntime().halt(1);
        }
    }
}
