package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.ToLongFunction;

/** The readers of a completion queue, and what each does when; for every provider and interface. */
public final class CompletionReaders {
    /** Valid whatever became of the work request (ibv_poll_cq(3)). */
    private static final List<Reader> OF_FAILURES = List.of(
        new Reader("workRequestId", 0, CompletionQueue::workRequestId),
        new Reader("status", 0, CompletionQueue::status),
        new Reader("vendorError", 0, CompletionQueue::vendorError),
        new Reader("queuePairNumber", CompletionField.QUEUE_PAIR_NUMBER, CompletionQueue::queuePairNumber));
    private static final List<Reader> OF_SUCCESSES = List.of(
        new Reader("opcode", 0, CompletionQueue::opcode),
        new Reader("flags", 0, CompletionQueue::flags),
        new Reader("byteLength", CompletionField.BYTE_LENGTH, CompletionQueue::byteLength),
        new Reader("immediateData", CompletionField.IMMEDIATE, CompletionQueue::immediateData),
        new Reader("invalidatedKey", CompletionField.IMMEDIATE, CompletionQueue::invalidatedKey),
        new Reader("sourceQueuePair", CompletionField.SOURCE_QUEUE_PAIR, CompletionQueue::sourceQueuePair),
        new Reader("sourceLid", CompletionField.SOURCE_LID, CompletionQueue::sourceLid),
        new Reader("serviceLevel", CompletionField.SERVICE_LEVEL, CompletionQueue::serviceLevel),
        new Reader("destinationPathBits", CompletionField.DESTINATION_PATH_BITS, CompletionQueue::destinationPathBits),
        new Reader("completionTimestamp", CompletionField.COMPLETION_TIMESTAMP, CompletionQueue::completionTimestamp),
        new Reader("completionTimestampWallClockNs", CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK,
            CompletionQueue::completionTimestampWallClockNs),
        new Reader("customerVlan", CompletionField.CUSTOMER_VLAN, CompletionQueue::customerVlan),
        new Reader("flowTag", CompletionField.FLOW_TAG, CompletionQueue::flowTag),
        new Reader("matchedTag", CompletionField.TAG_MATCHING, CompletionQueue::matchedTag),
        new Reader("matchedUserData", CompletionField.TAG_MATCHING, CompletionQueue::matchedUserData));

    private CompletionReaders() {
    }

    /**
     * The current completion is a success: all that was asked for can be read, and nothing else.
     *
     * @param queue within a batch.
     */
    public static void checkSuccess(final CompletionQueue queue) {
        assertEquals(WorkStatus.SUCCESS, queue.status());
        OF_FAILURES.forEach(reader -> reader.checkReads(queue));
        OF_SUCCESSES.forEach(reader -> reader.checkReads(queue));
    }

    /**
     * The current completion is a failure: only four fields can be read, and all others say why not.
     *
     * @param queue within a batch.
     */
    public static void checkFailure(final CompletionQueue queue) {
        final String why = " is not valid: the completion's status is " + WorkStatus.name(queue.status());
        OF_FAILURES.forEach(reader -> reader.checkReads(queue));
        OF_SUCCESSES.forEach(reader -> reader.checkThrows(queue, why));
    }

    /**
     * Checks that nothing can be read, since there is no current completion.
     *
     * @param queue outside a batch.
     */
    public static void checkOutside(final CompletionQueue queue) {
        final String why = " outside a batch: startPoll has not succeeded";
        OF_FAILURES.forEach(reader -> reader.checkThrows(queue, why));
        OF_SUCCESSES.forEach(reader -> reader.checkThrows(queue, why));
    }

    /**
     * A reader.
     *
     * @param name  of the method.
     * @param field bit that it needs, or 0 for none.
     * @param read  the method.
     */
    private record Reader(String name, int field, ToLongFunction<CompletionQueue> read) {
        private boolean isAskedFor(final CompletionQueue queue) {
            return (queue.fields() & field) == field;
        }

        private void checkReads(final CompletionQueue queue) {
            if (isAskedFor(queue)) {
                read.applyAsLong(queue);
            } else {
                checkThrows(queue, "");
            }
        }

        private void checkThrows(final CompletionQueue queue, final String why) {
            final IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> read.applyAsLong(queue), name);
            assertEquals(isAskedFor(queue) ? name + why
                : name + " was not asked for when the completion queue was created", e.getMessage());
        }
    }
}
