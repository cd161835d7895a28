package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.LockWatch;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A peer that ends without a word is told of, once, and what was owed to it. */
class LostPeerTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 64;

    @RegisterExtension
    private final Transports transports = new Transports();

    private List<String> errors(final String text) {
        return transports.errors().stream().map(Throwable::getMessage).filter(error -> error.contains(text)).toList();
    }

    @Test
    void shouldBeToldOnceOfAPeerThatEndsWithoutAGoodbye() {
        final Transport transport = transports.launch();
        transport.addSubscription(transports.channel(""), STREAM_ID);
        try (HostilePeer peer = new HostilePeer(transports.fabric())) {
            final ControlMessages messages = new ControlMessages(Long.MAX_VALUE, 1);
            final HostilePeer.Session session = peer.connect(peer.address(), messages.privateData());
            assertTrue(session.send(messages.hello()));
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> !heard.subscriptionIds().isEmpty());
            session.close();
            transports.awaitError("CONNECTION_FAILED", "control connection to ", " lost, ", "without a goodbye");
        }
        Await.until("the loss", () -> transport.counters().get(TransportCounter.CONNECTIONS_LOST) == 1);
        assertEquals(1, transports.errors().size(), () -> transports.errors().toString());
    }

    @Test
    void shouldTellNothingOfAPeerThatClosesInOrder() {
        final Transport publishing = transports.launch();
        final Transport subscribing = transports.launch();
        final Subscription subscription = subscribing.addSubscription(transports.channel("mode=invoker"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[1]);
        subscribing.close();
        Await.until("the loss", () -> publishing.counters().get(TransportCounter.CONNECTIONS_LOST) == 1
            && publishing.counters().get(TransportCounter.LINKS_GONE) == 1);
        assertEquals(List.of(), transports.errors());
        assertEquals(0, publishing.counters().get(TransportCounter.SUBSCRIBERS_LOST));
    }

    /** The other one goes on, and has everything when the publication closes: that it was two is forgotten then. */
    @Test
    void shouldNameASubscriberThatIsKilledAndWhatWasOwedToIt() {
        final Transport publishing = transports.launch();
        final Subscription subscription = publishing.addSubscription(transports.fanOut("mode=invoker"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.fanOut("window=64k"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        final ChildJvm victim = transports.fabric().start("victim");
        victim.ask("subscribe name=v paused=true stream=" + STREAM_ID + " channel=" + transports.fanOut(""), "OK");
        victim.await("AVAILABLE");
        Await.until("both", () -> publication.subscribers().size() == 2);
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(publication.offer(new UnsafeBuffer(new byte[8])) > 0);
        }
        victim.kill();
        transports.awaitError("peer=", "streamId=" + STREAM_ID, "bytesBehind=" + publication.position());
        transports.awaitError("control connection to ", "without a goodbye");
        assertEquals(1, errors("bytesBehind=").size(), () -> transports.errors().toString());
        if (!TestMedium.isRdma()) {
            // from another host it could come back, until the time is over
            transports.awaitError("SUBSCRIBER_LOST",
                "subscriber lost before it had consumed everything: the peer is gone");
        }
        assertEquals(1, publishing.counters().get(TransportCounter.SUBSCRIBERS_LOST));
        assertEquals(Stream.of("bytesBehind=", "without a goodbye").mapToInt(text -> errors(text).size()).sum(),
            transports.errors().size(), () -> transports.errors().toString());
        assertEquals(MESSAGES, Transports.receive(subscription, MESSAGES).size());
        publication.close();
        Await.until("the delivery to who is left", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return publication.isDrained();
        });
    }

    /** A process that is killed loses its sockets while it still counts as alive. */
    @Test
    @Tag("slow")
    void shouldEndLinksWhenItIsKnownOnlyAfterTheConnectionThatThePeerHasEnded() {
        TestMedium.assumeSoftware();
        final LateDeaths environment = new LateDeaths();
        final long longNs = TimeUnit.HOURS.toNanos(1);
        final Transport transport = transports.launch(context -> context.environment(environment)
            .timeouts(new Timeouts().livenessTimeoutNs(longNs).resumeTimeoutNs(longNs)));
        final ExclusivePublication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        final Subscription subscription =
            transport.addSubscription(transports.channel("mode=invoker"), STREAM_ID + 1);
        final ChildJvm victim = transports.fabric().start("victim");
        victim.ask("subscribe name=v paused=true stream=" + STREAM_ID + " channel=" + transports.channel(""), "OK");
        victim.ask("publish lengths=mix name=p id=1 stream=" + (STREAM_ID + 1) + " channel=" + transports.channel(""),
            "OK");
        Await.until("the subscriber", publication::isConnected);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.images().getFirst();
        assertTrue(publication.offer(new UnsafeBuffer(new byte[8])) > 0);
        victim.kill();
        transports.awaitError("control connection to ", "without a goodbye");
        assertEquals(List.of(), errors("SUBSCRIBER_LOST"));
        environment.isKnown = true;
        transports.awaitError(
            "SUBSCRIBER_LOST", "subscriber lost before it had consumed everything: the peer is gone");
        transports.awaitError("IMAGE_LOST", "image lost before the end of its stream: the peer is gone");
        Await.until("the image to go", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return image.isClosed();
        });
    }

    /** The machine, but for the deaths of other processes, which are known when a test says so. */
    private static final class LateDeaths extends ForwardingEnvironment {
        private final SharedFiles files;
        private volatile boolean isKnown;

        LateDeaths() {
            super(SystemEnvironment.instance());
            files = (SharedFiles) Proxy.newProxyInstance(
                SharedFiles.class.getClassLoader(), new Class<?>[] {SharedFiles.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "watch" -> late(super.files().watch((Path) arguments[0], (Long) arguments[1]));
                    default -> invoke(method, arguments);
                });
        }

        private Object invoke(final Method method, final Object[] arguments) throws Throwable {
            try {
                return method.invoke(super.files(), arguments);
            } catch (final InvocationTargetException ex) {
                throw ex.getCause();
            }
        }

        private LockWatch late(final LockWatch watch) {
            return new LockWatch() {
                @Override
                public boolean isHeld() {
                    return !isKnown || watch.isHeld();
                }

                @Override
                public void close() {
                    watch.close();
                }
            };
        }

        @Override
        public SharedFiles files() {
            return files;
        }
    }
}
