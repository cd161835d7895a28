package io.sluice.transport.cards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.RdmaDevices;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages over {@code sluice:rdma} and the true provider, with the device of each model card below it. */
class ModelDeviceTest {
    private static final int MESSAGES = 10_000;
    /** Numbers of bytes that some cards have, or settings of them; feedback needs 16. */
    private static final int[] INLINE_BYTES = {0, 15, 16, 60, 102, 128, 220};
    private static final AtomicInteger PORTS = new AtomicInteger(44_000);

    @RegisterExtension
    private final Transports transports = new Transports();

    private static Stream<ModelCard> cards() {
        final Stream<ModelCard> connected = ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS));
        return Stream.concat(connected, IntStream.of(INLINE_BYTES).mapToObj(ModelCard.MLX5::withInlineBytes));
    }

    @BeforeEach
    void requireModels() {
        assumeTrue("false".equals(System.getProperty("sluice.verbs.critical")), "critical calls must not call Java");
        try {
            RdmaDevices.libraryVersion();
        } catch (final VerbsException e) {
            abort(e.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldDeliverEachMessageInOrder(final ModelCard card) {
        final Model model = new Model(card, SystemEnvironment.instance());
        final Transport publishing = launch(model);
        final Transport subscribing = launch(model);
        final String channel = "sluice:rdma?endpoint=127.0.0.1:" + PORTS.getAndIncrement();
        final Publication publication = publishing.addPublication(channel, 1);
        final Subscription subscription = subscribing.addSubscription(channel + "|mode=invoker", 1);
        Transports.awaitConnected(publication, subscription);
        final Received received = new Received();

        final UnsafeBuffer message = new UnsafeBuffer(new byte[Integer.BYTES]);
        for (int i = 0; i < MESSAGES; i++) {
            message.putInt(0, i);
            while (publication.offer(message, 0, Integer.BYTES) < 0) {
                received.poll(subscription);
            }
        }
        while (received.count < MESSAGES) {
            received.poll(subscription);
        }

        assertEquals(IntStream.range(0, MESSAGES).sum(), received.sum);
        assertEquals(List.of(), model.violations().take());
        assertEquals(List.of(), transports.errors());
    }

    private Transport launch(final Model model) {
        return transports.launch(
            context -> context.rdmaProvider((environment, options) -> model.open(options)));
    }

    /** Checks the order as messages come. */
    private static final class Received {
        private int count;
        private int sum;

        private void poll(final Subscription subscription) {
            if (subscription.poll((buffer, offset, length, header) -> {
                assertEquals(count, buffer.getInt(offset));
                sum += count++;
            }, 100) == 0) {
                Thread.yield();
            }
        }
    }
}
