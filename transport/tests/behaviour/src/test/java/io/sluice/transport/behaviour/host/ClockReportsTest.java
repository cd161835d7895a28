package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.PressureState;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks that other programs have stumbled over: a monotonic one has any origin, and is compared by differences. */
class ClockReportsTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:ipc?window=4k";

    @RegisterExtension
    private final Transports transports = new Transports();

    /** The real machine, whose clock began elsewhere. */
    private static final class OtherOrigin extends ForwardingEnvironment {
        private final long shiftNs;

        private OtherOrigin(final long startNs) {
            super(SystemEnvironment.instance());
            shiftNs = startNs - System.nanoTime();
        }

        @Override
        public long nanoTime() {
            return super.nanoTime() + shiftNs;
        }
    }

    /** Negative, just below zero and just below the overflow, which come while the messages flow. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -3_600_000_000_000L, -300_000_000L, 0L, Long.MAX_VALUE - 300_000_000L})
    void shouldNotCareWhereTheMonotonicClockBegan(final long startNs) {
        final Transport transport = transports.launch(context -> context.environment(new OtherOrigin(startNs)));
        for (final String mode : List.of("invoker", "dedicated")) {
            final Subscription subscription = transport.addSubscription(CHANNEL + "|mode=" + mode, STREAM_ID);
            final ExclusivePublication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            int sent = 0;
            while (publication.pressureState() != PressureState.BLOCKED) {
                if (publication.offer(message) > 0) {
                    sent++;
                }
            }
            assertEquals(sent, Transports.receive(subscription, sent).size());
            Await.until("no pressure any more", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return publication.pressureState() == PressureState.CLEAR;
            });
            publication.close();
            Await.until("the end of the stream", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return publication.isDrained() && subscription.imageCount() == 0;
            });
            subscription.close();
        }
        assertEquals(List.of(), transports.errors());
    }
}
