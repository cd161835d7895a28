package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a datagram queue pair whose completion queue another one uses, too. */
class DatagramEndTest extends OpenedModelTests {
    private static final int QUEUE_KEY = 7;

    private AddressHandle self;

    private static Stream<Arguments> cards() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_DATAGRAMS)).flatMap(card ->
            Stream.of(CompletionInterface.AUTO, CompletionInterface.LEGACY).map(asked -> Arguments.of(card, asked)));
    }

    private QueuePair queuePair() {
        final QueuePair queuePair =
            keep(domain.createQueuePair(new QueuePairAttributes(queue, queue, WORK, WORK, 0, 0, 0, 0, 0)
                .withReadAtomic(0, 0).withType(QueuePairType.UNRELIABLE_DATAGRAM)));
        queuePair.initialiseDatagrams(QUEUE_KEY);
        queuePair.readyToReceiveDatagrams();
        queuePair.readyToSend();
        return queuePair;
    }

    private void send(final QueuePair queuePair, final long id) {
        assertEquals(Errno.OK, queuePair.postSendTo(id, WorkFlags.SIGNALED, region.address(), region.localKey(),
            Long.BYTES, self, queuePair.number(), QUEUE_KEY));
    }

    /** Ids of the completions of a queue pair that come before a batch cannot be started. */
    private List<Long> idsOf(final QueuePair queuePair) {
        final List<Long> ids = new ArrayList<>();
        int result = queue.startPoll();
        while (result == Errno.OK) {
            do {
                if (queue.queuePairNumber() == queuePair.number()) {
                    ids.add(queue.workRequestId());
                }
                result = queue.nextPoll();
            } while (result == Errno.OK);
            queue.endPoll();
            assertEquals(Errno.ENOENT, result);
            result = queue.startPoll();
        }
        assertEquals(Errno.ENOENT, result);
        return ids;
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldLeaveTheCompletionsOfOthersAndTheQueueInOrder(
        final ModelCard card, final CompletionInterface asked) {
        open(card, RdmaDeviceOptions.DEFAULT.withCompletionInterface(asked), 4 * WORK, 0);
        self = keep(domain.createAddressHandle(device.portAddress()));
        final QueuePair left = queuePair();
        final QueuePair other = queuePair();
        send(left, 1);
        send(left, 2);
        send(other, 3);
        send(left, 4);
        send(other, 5);

        left.close();

        assertEquals(List.of(3L, 5L), idsOf(other));
        assertEquals(List.of(), model.violations().take());
    }
}
