package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.FailNextWrite.Target;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.WorkStatus;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The link breaks and goes on whatever a completion says but success, at either end: nothing lost, nothing twice. */
class WorkStatusTest {
    private static final int STREAM_ID = 1;
    /** Enough for the window, of 4 KiB, to be consumed and reported many times over. */
    private static final int MESSAGES = 500;
    private static final int LAST_STATUS = WorkStatus.TM_RNDV_INCOMPLETE;

    @RegisterExtension
    private final Transports transports = new Transports();

    private int received;

    static Stream<Arguments> failures() {
        return IntStream.rangeClosed(1, LAST_STATUS).boxed().flatMap(status -> Stream.of(Target.DATA, Target.FEEDBACK)
            .map(target -> Arguments.of(WorkStatus.name(status), status, target)));
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("failures")
    void shouldGoOnAfterACompletionOfEveryStatus(final String name, final int status, final Target target) {
        final FailNextWrite fault = new FailNextWrite(target, status);
        final boolean isData = target == Target.DATA;
        final Transport publishing = isData ? transports.launch(fault) : transports.launch();
        final Transport subscribing = isData ? transports.launch() : transports.launch(fault);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=4k|log=copied"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        fault.arm();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        for (int i = 0; i < MESSAGES; i++) {
            message.putInt(0, i);
            Await.until("room", () -> {
                poll(subscription);
                return publication.offer(message) > 0;
            });
        }
        Await.until(() -> "all messages instead of " + received, () -> {
            poll(subscription);
            return received == MESSAGES;
        }, Await.DEADLINE_SECONDS);
        assertEquals(1, fault.failed());
        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertTrue(publishing.counters().get(TransportCounter.LINKS_RESUMED) >= 1);
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_GONE));
        assertEquals(1, subscription.imageCount());
    }

    private void poll(final Subscription subscription) {
        subscription.poll((buffer, offset, length, header) -> assertEquals(received++, buffer.getInt(offset)), 64);
    }
}
