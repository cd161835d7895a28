package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.Context;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.software.FaultHook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Transports of one test within this JVM, on a fabric of their own; closed when the test is over. Errors that their
 * handlers hear of are kept.
 */
public final class Transports implements BeforeEachCallback, AfterEachCallback {
    private static final Pattern OF_VERBS =
        Pattern.compile("\\b(?:ibv|rdma)_[a-z]|[Qq]ueue pair|[Cc]ompletion queue|protection domain|QUEUE_PAIR|"
            + "COMPLETION_");

    /**
     * The system property with which {@link #parameters} pairs each mode with one log only, {@code true}: for a run
     * once more, which is about neither.
     */
    static final String EACH_MODE_ONCE = "sluice.test.each.mode.once";

    private final Fabric fabric = new Fabric();
    private final List<Transport> transports = new ArrayList<>();
    private final List<RdmaDevice> devices = new ArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    /** Every mode of subscriptions with every way for bytes to arrive that the medium has. */
    public static Stream<String> parameters() {
        if (Boolean.getBoolean(EACH_MODE_ONCE)) {
            return Stream.of("mode=invoker|log=shared", "mode=dedicated|log=copied");
        }
        final List<String> logs = TestMedium.isRdma()
            ? List.of("copied") : List.of("shared", "shared|completion=queue", "copied");
        return Stream.of("invoker", "dedicated")
            .flatMap(mode -> logs.stream().map(log -> "mode=" + mode + "|log=" + log));
    }

    @Override
    public void beforeEach(final ExtensionContext context) throws Exception {
        fabric.beforeEach(context);
    }

    @Override
    public void afterEach(final ExtensionContext context) {
        // all at once: a publication would linger for a subscription that nobody polls any more
        transports.parallelStream().forEach(Transport::close);
        devices.forEach(RdmaDevice::close);
        fabric.afterEach(context);
        errors.forEach(Transports::assertInWordsOfItsMedium);
    }

    /** Errors of a transport itself have a kind, and over {@code sluice:ipc} nothing of verbs in their text. */
    private static void assertInWordsOfItsMedium(final Throwable error) {
        assertFalse(error instanceof VerbsException, () -> "an error without a kind: " + error);
        // tests of addresses stand in for devices with the software device
        if (error instanceof TransportException && !TestMedium.isRdma()
            && !error.getMessage().contains("address=") && !error.getMessage().contains("sluice:rdma")) {
            assertFalse(OF_VERBS.matcher(error.getMessage()).find(), () -> "not in the words of ipc: " + error);
        }
    }

    public Fabric fabric() {
        return fabric;
    }

    /** A channel of this test, see {@link TestMedium#channel}. */
    public String channel(final String parameters) {
        return fabric.channel(parameters);
    }

    /** A channel of this test with several subscribing transports, see {@link TestMedium#fanOut}. */
    public String fanOut(final String parameters) {
        return fabric.fanOut(parameters);
    }

    /** A context on this test's fabric. */
    public Context context() {
        final Context context = new Context().directory(fabric.directory()).errorHandler(errors::add);
        return TestMedium.equip(context, fabric.directory());
    }

    public Transport launch() {
        return launch(context -> context);
    }

    public Transport launch(final UnaryOperator<Context> settings) {
        final Transport transport = Transport.launch(settings.apply(context()));
        transports.add(transport);
        return transport;
    }

    /** Launch a transport over a device whose writes and sends a hook decides about. */
    public Transport launch(final FaultHook hook) {
        return launch(context -> context, hook);
    }

    /** Launch a transport over such a device, with settings. */
    public Transport launch(final UnaryOperator<Context> settings, final FaultHook hook) {
        return launch(context -> {
            final RdmaDevice device = TestMedium.equip(context, fabric.directory(), hook, UnaryOperator.identity());
            if (device != null) {
                devices.add(device);
            }
            return settings.apply(context);
        });
    }

    /** Launch a transport over a device that another one is put in front of. */
    public Transport launch(final UnaryOperator<Context> settings, final UnaryOperator<RdmaDevice> front) {
        return launch(context -> {
            final RdmaDevice device = TestMedium.equip(context, fabric.directory(), front);
            if (device != null) {
                devices.add(device);
            }
            return settings.apply(context);
        });
    }

    /** The errors that error handlers were told. */
    public List<Throwable> errors() {
        return errors;
    }

    /** Wait until an error handler was told something that contains all these texts. */
    public void awaitError(final String... texts) {
        Await.until(
            () -> "an error with " + String.join(", ", texts) + " among " + errors,
            () -> errors.stream().anyMatch(error -> Stream.of(texts).allMatch(String.valueOf(error)::contains)),
            Await.DEADLINE_SECONDS);
    }

    /** Wait until a subscription has so many images, polling it: nothing may arrive yet. */
    public static void awaitImages(final Subscription subscription, final int count) {
        Await.until("images", () -> {
            subscription.poll((buffer, offset, length, header) -> {
                throw new AssertionError("a message nobody sent");
            }, 1);
            return subscription.imageCount() == count;
        });
    }

    /** Wait until every one of these subscriptions has one image of the publication. */
    public static void awaitConnected(final Publication publication, final Subscription... subscriptions) {
        for (final Subscription subscription : subscriptions) {
            Await.until("an image", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return subscription.imageBySessionId(publication.sessionId()) != null;
            });
        }
    }

    /** Offer, until there is room. */
    public static long offer(final Publication publication, final byte[] message) {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final long[] result = new long[1];
        Await.until("room", () -> {
            result[0] = publication.offer(buffer, 0, message.length);
            return result[0] > 0;
        });
        return result[0];
    }

    /** Poll until so many messages have come. */
    public static List<byte[]> receive(final Subscription subscription, final int count) {
        final List<byte[]> messages = new ArrayList<>();
        Await.until(() -> count + " messages instead of " + messages.size(), () -> {
            subscription.poll((buffer, offset, length, header) -> {
                final byte[] message = new byte[length];
                buffer.getBytes(offset, message);
                messages.add(message);
            }, count - messages.size());
            return messages.size() == count;
        }, Await.DEADLINE_SECONDS);
        return messages;
    }
}
