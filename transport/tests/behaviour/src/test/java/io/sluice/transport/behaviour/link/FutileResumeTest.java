package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.BlockedWay;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.FaultHook;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A link that resumes again and again, and over which nothing gets. */
class FutileResumeTest {
    private static final int STREAM_ID = 1;
    private static final long RESUME_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    @RegisterExtension
    private final Transports transports = new Transports();

    @ParameterizedTest
    @EnumSource(value = FaultHook.Operation.class, names = {"WRITE_WITH_IMMEDIATE", "WRITE"})
    void shouldGiveUpALinkThatResumesWithoutProgressAndTellWhyOnce(final FaultHook.Operation operation) {
        final BlockedWay fault = new BlockedWay(operation);
        final boolean isData = operation == FaultHook.Operation.WRITE_WITH_IMMEDIATE;
        final FaultHook none = new BlockedWay(operation);
        final Transport subscribing = transports.launch(isData ? none : fault);
        final Transport publishing =
            transports.launch(
                context -> context.timeouts(new Timeouts().resumeTimeoutNs(RESUME_TIMEOUT_NS)), isData ? fault : none);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=4k|log=copied"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        fault.block();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        Await.until("the link to be given up", () -> {
            publication.offer(message);
            subscription.poll((buffer, offset, length, header) -> { }, 10);
            return publishing.counters().get(TransportCounter.LINKS_GONE) > 0;
        });
        fault.unblock();
        // whichever is noticed first, the completion or what has become of its queue pair
        transports.awaitError("SUBSCRIBER_LOST", "link given up", "_ERROR resumes=", "streamId=" + STREAM_ID);
        transports.awaitError("IMAGE_LOST", "image given up", "streamId=" + STREAM_ID);
        assertEquals(publishing.counters().get(TransportCounter.LINKS_GONE), errors("link given up"), "once for each");
        assertEquals(publishing.counters().get(TransportCounter.SUBSCRIBERS_LOST), errors("bytesBehind="));
        assertTrue(transports.errors().size() <= errors("given up") + 1 && transports.errors().size() <= 4,
            () -> "and not what comes of it: " + transports.errors());
        awaitAnother(publication, subscription);
    }

    private long errors(final String text) {
        return transports.errors().stream().filter(error -> error.getMessage().contains(text)).count();
    }

    /** Await a new link, which is made when nothing is wrong any more. */
    private static void awaitAnother(final Publication publication, final Subscription subscription) {
        final byte[] last = {1, 2, 3};
        final AtomicBoolean isThere = new AtomicBoolean();
        Await.until("a message over another link", () -> {
            publication.offer(new UnsafeBuffer(last));
            subscription.poll(
                (buffer, offset, length, header) -> isThere.compareAndSet(false, length == last.length), 1);
            return isThere.get();
        });
    }
}
