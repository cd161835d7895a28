package io.sluice.transport.harness;

import io.sluice.transport.send.SendLog;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Counts what is wrong with what subscriptions received of publications, where a {@link Verdict} would throw at the
 * first finding. One thread.
 */
public final class Audit {
    /**
     * The debt of one publication to one subscription, besides gapless images without duplicates.
     *
     * @param isContinuous no message between one image and the next may be missing: neither was given up.
     * @param isComplete   the last image goes up to the publication's end, which was closed meanwhile.
     */
    public record Debt(boolean isContinuous, boolean isComplete) {
    }

    private static final int UNKNOWN = -1;
    private static final Pattern OF_SESSION = Pattern.compile("\\bsessionId=(-?\\d+)");

    private final Path folder;
    private long messages;
    private long lost;
    private long duplicated;
    private long corrupted;
    private String firstFinding;
    private Journal sent;
    private Journal received;
    private String errors;
    /** Index of the first sent message that no image of the pair has. */
    private int highWater;

    public Audit(final Path folder) {
        this.folder = folder;
    }

    public long messages() {
        return messages;
    }

    public long lost() {
        return lost;
    }

    public long duplicated() {
        return duplicated;
    }

    public long corrupted() {
        return corrupted;
    }

    /** The place where the first message is lost, duplicated or corrupted, or null. */
    public String firstFinding() {
        return firstFinding;
    }

    public boolean isFlawless() {
        return lost == 0 && duplicated == 0 && corrupted == 0;
    }

    /**
     * Compare the journals of a pair.
     *
     * @param publisher  name of the load that sent.
     * @param sessionId  of its publication, which no other one has.
     * @param subscriber name of the load that received.
     * @param toldErrors of the processes of both. The subscriber's may tell that a message changed under its handler:
     *                   who maps the log and stands still until it is given up is told so, and that message does not
     *                   count. What they tell of the session stands beside the first finding.
     * @param debt       what the publication owes.
     * @return messages received.
     */
    public long judge(
        final String publisher,
        final int sessionId,
        final String subscriber,
        final String toldErrors,
        final Debt debt) {
        errors = toldErrors;
        final List<Journal> all = Journal.openAll(folder, subscriber + "-");
        sent = Journal.ofPublisher(folder, publisher);
        highWater = UNKNOWN;
        final long before = messages;
        try {
            for (final Journal image : all) {
                if (image.sessionId() == sessionId) {
                    judgeImage(image, debt);
                }
            }
            final int owed = Delivery.sentRecords(sent);
            if (debt.isComplete && highWater != UNKNOWN && highWater < owed) {
                lose(highWater, owed, Integer.MAX_VALUE);
            }
        } finally {
            all.forEach(Journal::close);
            sent.close();
        }
        return messages - before;
    }

    private void judgeImage(final Journal image, final Debt debt) {
        received = image;
        int expected = Delivery.firstAfter(sent, image.firstPosition());
        if (highWater == UNKNOWN) {
            highWater = expected;
        } else if (expected > highWater && debt.isContinuous) {
            lose(highWater, expected, 0);
        }
        // whoever was given up joins where the stream is then, perhaps at its end
        highWater = Math.max(highWater, expected);
        final int records = image.records() - (isLastOneTold(image) ? 1 : 0);
        for (int i = 0; i < records; i++) {
            expected = judgeRecord(expected, i);
        }
        messages += records;
    }

    /** Judge a record, and return the index of the message that is expected after it. */
    private int judgeRecord(final int expected, final int i) {
        final int index = find(expected, received.position(i));
        if (index == UNKNOWN) {
            corrupt(expected, i);
            return expected + 1;
        }
        if (index > expected) {
            lose(expected, index, i);
        }
        if (index < highWater) {
            duplicated++;
            tell("duplicated", index, i);
        }
        if (sent.sequence(index) != received.sequence(i) || sent.length(index) != received.length(i)
            || sent.checksum(index) != received.checksum(i)) {
            corrupt(index, i);
        }
        highWater = Math.max(highWater, index + 1);
        return Math.max(expected, index + 1);
    }

    /** The sent message that ends at a position. The last one may have been sent without the publisher learning it. */
    private int find(final int expected, final long position) {
        final int known = Delivery.sentRecords(sent);
        if (expected < known && sent.position(expected) == position) {
            return expected;
        }
        final int index = Delivery.firstAfter(sent, position - 1);
        if (index < known) {
            return sent.position(index) == position ? index : UNKNOWN;
        }
        return index < sent.records() && (known == 0 || position > sent.position(known - 1)) ? index : UNKNOWN;
    }

    private void lose(final int from, final int to, final int i) {
        lost += to - from;
        tell("lost " + (to - from), from, i);
    }

    private void corrupt(final int index, final int i) {
        corrupted++;
        tell("corrupted", index, i);
    }

    private void tell(final String what, final int index, final int i) {
        if (firstFinding == null) {
            firstFinding = what + ": sent=" + sent.describe(index) + " received=" + received.describe(i) + " sentIndex="
                + index + " receivedIndex=" + i + "\n sent " + sent + "\n received " + received + "\n told " + told();
        }
    }

    /** {@return the lines in which processes tell of the session: without one a loss is a fault of the transport} */
    private String told() {
        final String lines = errors.lines().filter(line -> OF_SESSION.matcher(line).results().anyMatch(
            found -> Integer.parseInt(found.group(1)) == received.sessionId())).collect(Collectors.joining("\n      "));
        return lines.isEmpty() ? "nothing of this sessionId" : lines;
    }

    private boolean isLastOneTold(final Journal image) {
        final int last = image.records() - 1;
        return last >= 0 && errors.contains("changed under its handler") && errors.contains(
            "position=" + (image.position(last) - SendLog.alignedLength(image.length(last))) + ";");
    }
}
