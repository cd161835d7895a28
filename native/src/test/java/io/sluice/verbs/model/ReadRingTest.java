package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.PostingInterface;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** READs without a place on a card that has a ring for them, which calls them invalid. */
class ReadRingTest extends OpenedModelTests {
    private static final int READ_PLACES = 128;

    private QueuePair queuePair() {
        final QueuePair queuePair = keep(domain.createQueuePair(
            new QueuePairAttributes(queue, queue, 2 * READ_PLACES, 1, 0, 0, 12, 6, 14)));
        queuePair.initialise(ACCESS | AccessFlags.REMOTE_READ);
        return queuePair;
    }

    private int read(final QueuePair queuePair, final int flags) {
        return queuePair.postRead(1, flags, region.address(), region.localKey(), Long.BYTES,
            region.address() + Long.BYTES, region.remoteKey());
    }

    /** A caller that is told of a full ring tries again when something has completed, which then nothing does. */
    @ParameterizedTest
    @ValueSource(ints = {WorkFlags.NONE, WorkFlags.SIGNALED})
    void shouldTellOfAFullRingUntilTheQueuePairHasFailed(final int flags) {
        open(ModelCard.MANA, PostingInterface.WORK_REQUESTS, 8 * READ_PLACES, AccessFlags.REMOTE_READ);
        final QueuePair left = queuePair();
        final QueuePair right = queuePair();
        left.readyToReceive(right.localAddress());
        right.readyToReceive(left.localAddress());
        left.readyToSend();
        for (int i = 0; i < READ_PLACES; i++) {
            assertEquals(Errno.OK, read(left, flags));
        }
        assertEquals(Errno.ENOMEM, read(left, flags));

        left.fail();

        assertEquals(Errno.EINVAL, read(left, flags));
    }
}
