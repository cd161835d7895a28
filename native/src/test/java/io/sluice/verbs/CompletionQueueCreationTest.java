package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes that completion queues can be created with, and those that are refused by name. */
class CompletionQueueCreationTest extends VerbsSuite {
    /** The readers of fields, in the order of the bits of {@link CompletionField}. */
    private static final List<ToLongFunction<CompletionQueue>> READERS = List.of(
        CompletionQueue::byteLength, CompletionQueue::immediateData, CompletionQueue::queuePairNumber,
        CompletionQueue::sourceQueuePair, CompletionQueue::sourceLid, CompletionQueue::serviceLevel,
        CompletionQueue::destinationPathBits, CompletionQueue::completionTimestamp, CompletionQueue::customerVlan,
        CompletionQueue::flowTag, CompletionQueue::matchedTag, CompletionQueue::completionTimestampWallClockNs);

    private static CompletionQueueAttributes attributes() {
        return new CompletionQueueAttributes(32, Endpoint.FIELDS, null);
    }

    private VerbsException refused(final CompletionQueueAttributes asked, final int errno) {
        final VerbsException refusal =
            assertThrows(VerbsException.class, () -> rig.second.createCompletionQueue(asked));
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        return refusal;
    }

    /** Messages arrive at a queue, more than it holds at a time. */
    private void carries(final CompletionQueue queue) {
        final Rig.Link link = rig.link(
            new EndpointOptions(), new EndpointOptions().queues(rig.queueOnSecond(32, null), queue));
        for (int i = 0; i < 100; i++) {
            link.right().queuePair.postReceives(i, 1);
            link.left().writeImmediate(i, WorkFlags.SIGNALED, 0, 8, link.right(), i);
            final Completion completion = rig.awaitSuccess(queue);
            assertEquals(i, completion.immediate());
            assertEquals(i, completion.workRequestId());
            rig.awaitSuccess(link.left().sendQueue);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {
        CompletionQueueFlags.SINGLE_THREADED, CompletionQueueFlags.IGNORE_OVERRUN,
        CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN})
    void shouldCarryWithFlagsThatTheDeviceHasAndRefuseOthersByName(final int flags) {
        final int missing = flags & ~rig.second.attributes().completionQueueFlags();
        if (missing == 0) {
            carries(rig.keep(rig.second.createCompletionQueue(attributes().withFlags(flags))));
        } else {
            final String message = refused(attributes().withFlags(flags), Errno.EOPNOTSUPP).getMessage();
            assertTrue(message.contains("flags=" + CompletionQueueFlags.describe(missing)), message);
        }
    }

    @Test
    void shouldRefuseFlagsThatNobodyKnows() {
        final String message = refused(attributes().withFlags(1 << 9), Errno.EOPNOTSUPP).getMessage();

        assertTrue(message.contains("flags=BIT_9"), message);
    }

    @Test
    void shouldNotFindAnOverrunThatIsToBeIgnored() {
        assumeTrue((rig.second.attributes().completionQueueFlags() & CompletionQueueFlags.IGNORE_OVERRUN) != 0,
            "the device does not have IGNORE_OVERRUN");
        final CompletionQueue small = rig.keep(rig.second.createCompletionQueue(
            new CompletionQueueAttributes(4, Endpoint.FIELDS, null).withFlags(CompletionQueueFlags.IGNORE_OVERRUN)));
        final Rig.Link link = rig.link(
            new EndpointOptions(), new EndpointOptions().queues(rig.queueOnSecond(32, null), small));
        final int count = small.capacity() + 5;
        link.right().queuePair.postReceives(1, count);
        for (int i = 0; i < count; i++) {
            link.left().writeImmediate(i, WorkFlags.SIGNALED, 0, 8, link.right(), i);
        }
        rig.await(link.left().sendQueue, count);

        assertEquals(Errno.OK, small.startPoll());
        small.endPoll();
        assertEquals(QueuePairState.READY_TO_SEND, link.right().queuePair.state());
    }

    @Test
    void shouldAnnounceByEveryVectorOfTheDevice() {
        final int vectors = rig.second.attributes().completionVectors();
        assertTrue(vectors >= 1);
        for (int vector = 0; vector < vectors; vector++) {
            final CompletionChannel channel = rig.keep(rig.second.createCompletionChannel());
            final CompletionQueue queue = rig.keep(rig.second.createCompletionQueue(
                new CompletionQueueAttributes(32, Endpoint.FIELDS, channel).withVector(vector)));
            assertEquals(Errno.OK, queue.requestNotify(false));
            carries(queue);
            assertNotNull(channel.getEvent(30_000_000_000L));
            queue.acknowledgeEvents(1);
        }
        for (final int vector : new int[] {-1, vectors}) {
            final String message = refused(attributes().withVector(vector), Errno.EINVAL).getMessage();
            assertTrue(message.contains("vector=" + vector), message);
        }
    }

    @Test
    void shouldWorkInAParentDomainOrRefuseItByName() {
        if (rig.second.attributes().parentDomains()) {
            final ProtectionDomain domain = rig.keep(rig.secondDomain.allocateParentDomain());
            carries(rig.keep(rig.second.createCompletionQueue(attributes().withParentDomain(domain))));
        } else {
            assertEquals(Errno.EOPNOTSUPP,
                assertThrows(VerbsException.class, () -> rig.secondDomain.allocateParentDomain()).errno());
            final String message =
                refused(attributes().withParentDomain(rig.secondDomain), Errno.EOPNOTSUPP).getMessage();
            assertTrue(message.contains("parentDomain"), message);
        }
    }

    @Test
    void shouldReadEachFieldAlone() {
        final int supported = rig.second.attributes().completionFields();
        for (int bit = 0; bit < READERS.size(); bit++) {
            if ((supported & 1 << bit) != 0) {
                readsAlone(bit);
            }
        }
    }

    private void readsAlone(final int bit) {
        final CompletionQueue queue =
            rig.keep(rig.second.createCompletionQueue(new CompletionQueueAttributes(32, 1 << bit, null)));
        final Rig.Link link = rig.link(
            new EndpointOptions(), new EndpointOptions().queues(rig.queueOnSecond(32, null), queue));
        link.right().queuePair.postReceives(7, 1);
        link.left().writeImmediate(8, WorkFlags.SIGNALED, 0, 24, link.right(), 0x0102_0304);
        rig.until("a completion", () -> queue.startPoll() == Errno.OK);
        assertEquals(1 << bit, queue.fields());
        for (int other = 0; other < READERS.size(); other++) {
            final ToLongFunction<CompletionQueue> reader = READERS.get(other);
            if (other == bit) {
                expects(1 << bit, reader.applyAsLong(queue), link.right());
            } else {
                assertThrows(IllegalStateException.class, () -> reader.applyAsLong(queue));
            }
        }
        queue.endPoll();
    }

    private static void expects(final int field, final long value, final Endpoint receiver) {
        switch (field) {
            case CompletionField.BYTE_LENGTH -> assertEquals(24, value);
            case CompletionField.IMMEDIATE -> assertEquals(0x0102_0304, value);
            case CompletionField.QUEUE_PAIR_NUMBER -> assertEquals(receiver.queuePair.number(), value);
            // What the others say is the device's matter where it is no datagram.
            default -> assertTrue(value >= 0, "field=" + CompletionField.describe(field) + " value=" + value);
        }
    }
}
