package io.sluice.transport.harness;

/**
 * Judges one image's journal against its publication's: a gapless run without duplicates from the join position on.
 */
public final class Delivery {
    private Delivery() {
    }

    /**
     * The image saw everything from its join position to the publication's last message.
     *
     * @return messages compared.
     */
    public static int assertComplete(final Journal sent, final Journal received) {
        return assertUpTo(sent, received, received.records(), true);
    }

    /**
     * The image saw everything from its join position up to some message.
     *
     * @return messages compared.
     */
    public static int assertPrefix(final Journal sent, final Journal received) {
        return assertPrefix(sent, received, received.records());
    }

    /**
     * The image saw everything from its join position on, as far as its first so many messages tell.
     *
     * @return messages compared.
     */
    public static int assertPrefix(final Journal sent, final Journal received, final int records) {
        return assertUpTo(sent, received, records, false);
    }

    private static int assertUpTo(
        final Journal sent, final Journal received, final int records, final boolean isComplete) {
        if (received.records() > 0 && received.publicationId() != JournalWriter.UNKNOWN_ID) {
            check(sent.publicationId() == received.publicationId(), "another publication", sent, received, 0, 0);
        }
        check(sent.streamId() == received.streamId(), "another stream", sent, received, 0, 0);
        final int first = firstAfter(sent, received.firstPosition());
        for (int i = 0; i < records; i++) {
            final int index = first + i;
            check(index < sent.records(), "received what was never sent", sent, received, index, i);
            compare(sent, received, index, i);
        }
        final int next = first + received.records();
        if (isComplete) {
            check(next >= sentRecords(sent), "lost at the end", sent, received, next, received.records());
        }
        return received.records();
    }

    /** The first message that ends after a position. */
    static int firstAfter(final Journal sent, final long position) {
        int low = 0;
        int high = sentRecords(sent);
        while (low < high) {
            final int middle = low + high >>> 1;
            if (sent.position(middle) <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Messages known to be sent: all, or all but the last when the publisher was killed in between. */
    static int sentRecords(final Journal sent) {
        final int records = sent.records();
        return records > 0 && sent.position(records - 1) == 0 ? records - 1 : records;
    }

    private static void compare(final Journal sent, final Journal received, final int index, final int i) {
        final int expected = sent.sequence(index);
        final int actual = received.sequence(i);
        if (actual != expected) {
            final boolean isKnown = i > 0 && actual <= received.sequence(i - 1);
            check(false, isKnown ? "duplicated or reordered" : "lost", sent, received, index, i);
        }
        check(sent.length(index) == received.length(i), "length corrupted", sent, received, index, i);
        check(sent.checksum(index) == received.checksum(i), "content corrupted", sent, received, index, i);
        check(
            sent.position(index) == received.position(i) || sent.position(index) == 0,
            "position corrupted", sent, received, index, i);
    }

    private static void check(
        final boolean condition,
        final String what,
        final Journal sent,
        final Journal received,
        final int sentIndex,
        final int receivedIndex) {
        if (!condition) {
            throw new AssertionError(what + ": expected=" + sent.describe(sentIndex) + " received="
                + received.describe(receivedIndex) + " previous=" + received.describe(receivedIndex - 1)
                + " sentIndex=" + sentIndex + " receivedIndex=" + receivedIndex
                + "\n sent " + sent + "\n received " + received);
        }
    }
}
