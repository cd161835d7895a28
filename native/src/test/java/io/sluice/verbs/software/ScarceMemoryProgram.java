package io.sluice.verbs.software;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Posts a send that must wait where there is no memory to keep it, then others, and prints what became of them. */
final class ScarceMemoryProgram {
    private static final int FOR_EVER = 7;

    private final SoftwareLink link;
    private final CompletionQueue sends;
    private final QueuePair poster;
    private final QueuePair receiver;

    private ScarceMemoryProgram(final SoftwareLink link) {
        this.link = link;
        sends = link.keep(link.left.createCompletionQueue(
            new CompletionQueueAttributes(SoftwareLimits.MAX_WORK_REQUESTS, 0, null)));
        poster = link.keep(link.leftDomain.createQueuePair(
            new QueuePairAttributes(sends, link.leftSends, SoftwareLimits.MAX_WORK_REQUESTS, 1,
                SoftwareLimits.MAX_INLINE_DATA, FOR_EVER, 12, 6, 14)));
        receiver = link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        SoftwareLink.connect(poster, receiver);
    }

    public static void main(final String[] arguments) {
        try (SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), Path.of(arguments[0]))) {
            new ScarceMemoryProgram(link).run();
        }
    }

    private void run() {
        System.out.println(attemptInline());
        int slots = 0;
        while (post(2 + slots, WorkFlags.SIGNALED) == Errno.OK) {
            slots++;
        }
        System.out.println("slots: " + slots);
        receiver.postReceives(1, 2);
        System.out.println("sent: " + take(sends) + ", received: " + take(link.rightReceives).size());
    }

    private String attemptInline() {
        try {
            return "status: " + post(1, WorkFlags.SIGNALED | WorkFlags.INLINE);
        } catch (final OutOfMemoryError e) {
            return "no memory";
        }
    }

    private int post(final long workRequestId, final int flags) {
        return poster.postWriteWithImmediate(workRequestId, flags, link.leftRegion.address(),
            link.leftRegion.localKey(), Long.BYTES, link.rightRegion.address(), link.rightRegion.remoteKey(), 0);
    }

    private static List<Long> take(final CompletionQueue queue) {
        final List<Long> ids = new ArrayList<>();
        while (queue.startPoll() == Errno.OK) {
            ids.add(queue.workRequestId());
            queue.endPoll();
        }
        return ids;
    }
}
