package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A link breaks, and the program does not poll for longer than links are broken: it gates, and nothing is lost. */
class UnpolledResumeTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 100;

    @RegisterExtension
    private final Transports transports = new Transports();

    private int offered;

    private void offer(final Publication publication) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
        for (int i = 0; i < MESSAGES; i++) {
            message.putInt(0, offered++);
            assertTrue(publication.offer(message) > 0, "there is room in the window");
        }
    }

    private static void receive(final Subscription subscription, final int first, final int end) {
        final List<byte[]> messages = Transports.receive(subscription, end - first);
        final UnsafeBuffer expected = new UnsafeBuffer(new byte[8]);
        for (int i = first; i < end; i++) {
            expected.putInt(0, i);
            assertArrayEquals(expected.byteArray(), messages.get(i - first));
        }
    }

    /** A control connection takes its time to be made anew: that time counts. */
    @ParameterizedTest
    @CsvSource({"DATA, copied, 1", "CONTROL, shared, 3"})
    void shouldNotBeGivenUpWhileTheProgramDoesNotPoll(
        final FailNextWrite.Target broken, final String log, final int livenessSeconds) {
        if ("shared".equals(log)) {
            TestMedium.assumeSoftware();
        }
        final FailNextWrite fault = new FailNextWrite(broken);
        final long livenessNs = TimeUnit.SECONDS.toNanos(livenessSeconds);
        final Transport subscribing = transports.launch(context ->
            context.timeouts(new Timeouts().livenessTimeoutNs(livenessNs).resumeTimeoutNs(livenessNs / 2)));
        final Transport publishing =
            transports.launch(context -> context.timeouts(new Timeouts().resumeTimeoutNs(livenessNs / 2)), fault);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("mode=invoker|log=" + log), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=64k|log=" + log), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        offer(publication);
        receive(subscription, 0, offered);
        fault.arm();
        offer(publication);
        Await.until("a broken link",
            () -> publishing.counters().get(TransportCounter.LINKS_BROKEN) > 0
                && subscribing.counters().get(TransportCounter.LINKS_BROKEN) > 0);
        final long brokenNs = System.nanoTime();
        Await.until("longer than a link may be broken", () -> System.nanoTime() - brokenNs > livenessNs * 3 / 2);
        offer(publication);
        receive(subscription, MESSAGES, offered);
        Await.until("the resumption", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return subscribing.counters().get(TransportCounter.LINKS_RESUMED) > 0;
        });
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_GONE));
        assertEquals(0, subscribing.counters().get(TransportCounter.LINKS_GONE));
        publication.close();
        Await.until("the delivery", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return publication.isDrained();
        });
    }
}
