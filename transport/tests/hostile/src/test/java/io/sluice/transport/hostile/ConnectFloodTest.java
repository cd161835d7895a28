package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Front;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.software.SoftwareDevice;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that ask to connect and do not mean it, and name servers that do not answer: others get in meanwhile. */
class ConnectFloodTest {
    private static final int STREAM_ID = 5;
    private static final int FLOOD = 100;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String ADDRESS = "10.0.0.1:40123";
    private static final String CHANNEL = "sluice:rdma?endpoint=" + ADDRESS;
    private static final String SLOW = "slow.example";
    /** The device is named, so that nobody asks which one leads there. */
    private static final String NAMED = "sluice:rdma?device=scripted_0|endpoint=" + SLOW + ":40124";
    private static final InetAddress FOUND = InetAddress.ofLiteral("10.0.0.1");

    @RegisterExtension
    private final Transports transports = new Transports();

    private final Names names = new Names();

    /** The real machine, with name servers that a test answers for. */
    private static final class Names extends ForwardingEnvironment {
        private final CompletableFuture<InetAddress> answer = new CompletableFuture<>();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile int answeredAtOnce;

        private Names() {
            super(SystemEnvironment.instance());
        }

        @Override
        public CompletableFuture<InetAddress> lookUp(final String host) {
            assertEquals(SLOW, host);
            return asked.incrementAndGet() <= answeredAtOnce ? CompletableFuture.completedFuture(FOUND) : answer;
        }
    }

    private SoftwareDevice open() {
        return SoftwareDevice.open(SystemEnvironment.instance(), transports.fabric().directory());
    }

    /** A device that would wait for the name server itself, if it were asked to connect to a name. */
    private RdmaDevice askingItself() {
        return Front.of(RdmaDevice.class, open(), (name, arguments, call) -> {
            if (name.equals("connect") && ((String) arguments[0]).startsWith(SLOW)) {
                names.answer.get();
            }
            return call.result();
        });
    }

    private Transport launch() {
        return transports.launch(context -> context.rdmaProvider((environment, options) -> open()));
    }

    private Transport launchNaming() {
        return transports.launch(
            context -> context.environment(names).rdmaProvider((environment, options) -> askingItself()));
    }

    private static void assertDelivers(final Publication publication, final Subscription subscription) {
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[3]);
        assertEquals(3, Transports.receive(subscription, 1).getFirst().length);
    }

    @Test
    void shouldCountEachRequestThatWasRejectedUnseenAndTellOfThemOnce() {
        final AtomicLong refused = new AtomicLong();
        final Transport victim = transports.launch(context -> context.rdmaProvider((environment, options) ->
            Front.of(RdmaDevice.class, open(), (name, arguments, call) -> name.equals("listen")
                ? Front.of(Listener.class, (Listener) call.result(), (method, ignored, inner) ->
                    method.equals("takeRefused") ? refused.getAndSet(0) : inner.result())
                : call.result())));
        final Subscription subscription = victim.addSubscription(CHANNEL, STREAM_ID);
        for (int times = 1; times <= 10; times++) {
            refused.set(FLOOD);
            final long expected = (long) times * FLOOD;
            Await.until("the requests to be counted", () ->
                victim.counters().get(TransportCounter.CONNECT_REQUESTS_OVERFLOWED) == expected);
        }
        transports.awaitError("connection requests to address=" + ADDRESS + " rejected unseen: more waited than may");
        assertDelivers(launch().addPublication(CHANNEL, STREAM_ID), subscription);
        assertEquals(1, transports.errors().size(), transports.errors()::toString);
        assertEquals(9, victim.counters().get(TransportCounter.ERRORS_REPEATED));
    }

    /** Each would take a queue pair, registered memory and a turn on the set-up thread. */
    @Test
    void shouldMakeNothingForWhoHasGivenUp() {
        final AtomicInteger made = new AtomicInteger();
        final Transport victim = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER).rdmaProvider(
            (environment, options) -> Front.of(RdmaDevice.class, open(), (name, arguments, call) ->
                name.equals("allocateProtectionDomain") ? Front.of(ProtectionDomain.class,
                    (ProtectionDomain) call.result(), (method, ignored, inner) -> {
                        made.addAndGet(method.equals("createQueuePair") ? 1 : 0);
                        return inner.result();
                    }) : call.result())));
        final Subscription subscription = victim.addSubscription(CHANNEL, STREAM_ID);
        try (SoftwareDevice device = open(); ProtectionDomain domain = device.allocateProtectionDomain()) {
            for (int i = 0; i < FLOOD; i++) {
                giveUp(device, domain);
            }
        }
        for (int i = 0; i < 100 * FLOOD; i++) {
            victim.doWork();
        }
        assertEquals(0, made.get());
        final Publication publication = launch().addPublication(CHANNEL, STREAM_ID);
        Await.until("a connection", () -> {
            victim.doWork();
            return publication.isConnected();
        });
        Await.until("an image", () -> {
            victim.doWork();
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return subscription.imageCount() == 1;
        });
        assertTrue(made.get() > 0);
    }

    private static void giveUp(final RdmaDevice device, final ProtectionDomain domain) {
        final CompletionQueue queue = device.createCompletionQueue(new CompletionQueueAttributes(2, 0, null));
        final QueuePair queuePair =
            domain.createQueuePair(new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 0, 0, 0));
        queuePair.initialise(0);
        CloseHelper.closeAll(
            device.connect(ADDRESS, queuePair, new byte[1], TIMEOUT_NS), queuePair, queue);
    }

    /**
     * The first to ask is the thread that adds, whose transport must not be locked meanwhile; then the conductor asks,
     * before the set-up thread has its turn.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldConnectToOthersWhileANameServerIsSilent(final int answeredAtOnce) {
        names.answeredAtOnce = answeredAtOnce;
        final Transport publishing = launchNaming();
        final Subscription literal = launch().addSubscription(CHANNEL, STREAM_ID);
        final CompletableFuture<Publication> named =
            CompletableFuture.supplyAsync(() -> publishing.addPublication(NAMED, STREAM_ID));
        Await.until("a look-up", () -> names.asked.get() > answeredAtOnce);

        assertDelivers(publishing.addPublication(CHANNEL, STREAM_ID), literal);

        names.answer.complete(FOUND);
        assertDelivers(
            named.join(), launch().addSubscription("sluice:rdma?endpoint=10.0.0.1:40124", STREAM_ID));
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldTellThatNobodyKnowsAHost() {
        names.answer.completeExceptionally(new UnknownHostException(SLOW));
        final Publication publication = launchNaming().addPublication(NAMED, STREAM_ID);
        transports.awaitError("CONNECTION_FAILED", "cannot connect to " + SLOW + ":40124", "nobody knows that host");
        assertFalse(publication.isConnected());
        assertEquals(List.of(), transports.errors().subList(1, transports.errors().size()));
    }
}
