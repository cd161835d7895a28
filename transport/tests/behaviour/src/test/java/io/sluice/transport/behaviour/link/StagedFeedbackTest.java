package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Front;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A device takes nothing inline: feedback is put into memory that it reads, by the thread that polls. */
class StagedFeedbackTest {
    private static final int STREAM_ID = 1;
    private static final long STAGING_LENGTH = (long) InboundEpoch.SEND_QUEUE_LENGTH * FeedbackDescriptor.CELL_LENGTH;

    @RegisterExtension
    private final Transports transports = new Transports();

    /** The regions, in the order in which they were made and closed. */
    private final List<MemoryRegion> made = new CopyOnWriteArrayList<>();
    private final List<MemoryRegion> closed = new CopyOnWriteArrayList<>();

    private RdmaDevice withoutInline(final RdmaDevice device) {
        return Front.of(RdmaDevice.class, device, (name, arguments, call) -> switch (name) {
            case "attributes" -> withoutInline((DeviceAttributes) call.result());
            case "allocateProtectionDomain" -> noting((ProtectionDomain) call.result());
            default -> call.result();
        });
    }

    private static DeviceAttributes withoutInline(final DeviceAttributes its) {
        return new DeviceAttributes(its.maxCompletionQueueEntries(), its.maxQueuePairWorkRequests(),
            its.reliableConnected(), 0, its.maxMemoryRegionLength(), its.completionFields(),
            its.completionQueueFlags(), its.completionQueueResizing(), its.completionVectors(), its.parentDomains(),
            its.maxReadAtomic(), its.maxDestinationReadAtomic(), its.atomics(), its.maxSharedReceiveWorkRequests(),
            its.maxDatagramLength(), its.sharesMemory(), its.capabilities(), its.clock());
    }

    private ProtectionDomain noting(final ProtectionDomain domain) {
        return Front.of(ProtectionDomain.class, domain, (name, arguments, call) ->
            name.equals("allocateRegion") && (long) arguments[0] == STAGING_LENGTH
                ? noting((MemoryRegion) call.result()) : call.result());
    }

    private MemoryRegion noting(final MemoryRegion region) {
        made.add(region);
        return Front.of(MemoryRegion.class, region, (name, arguments, call) -> {
            if (name.equals("close")) {
                closed.add(region);
            }
            return call.result();
        });
    }

    @Test
    void shouldKeepWhatFeedbackOfABrokenLinkIsPutIntoUntilItsProgramPolls() {
        final FailNextWrite hook = new FailNextWrite();
        final Transport publishing = transports.launch(hook);
        final Transport subscribing = transports.launch(context -> context, this::withoutInline);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=4k|log=copied"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[1]);
        Transports.receive(subscription, 1);
        assertEquals(1, made.size());

        hook.arm();
        Transports.offer(publication, new byte[2]);
        Await.until("a broken link", () -> subscribing.counters().get(TransportCounter.LINKS_BROKEN) > 0);
        // what the set-up agent does for the broken link is done before another one is made
        final Subscription other =
            subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID + 1);
        publishing.addExclusivePublication(transports.channel("window=4k|log=copied"), STREAM_ID + 1);
        Transports.awaitImages(other, 1);
        assertEquals(2, made.size());
        assertEquals(List.of(), closed, "the program may be inside a poll that writes feedback");

        assertEquals(2, Transports.receive(subscription, 1).getFirst().length);
        Await.until("the end of the first epoch's", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return closed.size() == 1;
        });
        assertEquals(made.getFirst(), closed.getFirst());
    }
}
