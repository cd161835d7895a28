package io.sluice.transport.simulation;

import io.sluice.transport.Image;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The deliveries of one image to each of the readers of its subscription. */
final class ImageRun {
    private final Image image;
    private final Publisher publisher;
    private final int[] next;
    private final IntPredicate hasLeft;
    private boolean unavailable;

    /** An image for so many readers, some of which may leave. */
    ImageRun(final Image image, final Publisher publisher, final int readers, final IntPredicate hasLeft) {
        this.image = image;
        this.publisher = publisher;
        this.hasLeft = hasLeft;
        next = new int[readers];
        Arrays.fill(next, publisher.offered().indexFrom(image.joinPosition()));
    }

    Image image() {
        return image;
    }

    Publisher publisher() {
        return publisher;
    }

    /** The message that a reader has yet to be done with. */
    int next(final int reader) {
        return next[reader];
    }

    /** A reader is done with a message: its bytes may be reused for all that it cares. */
    void onHandled(final int reader) {
        next[reader]++;
    }

    /** The position at which the first message begins that some reader is not done with. */
    long handledPosition() {
        return publisher.offered().startOf(slowest());
    }

    /** The next message of the slowest who has not left; when all have, nobody minds what they have not seen. */
    private int slowest() {
        int slowest = publisher.offered().count();
        for (int i = 0; i < next.length; i++) {
            if (!hasLeft.test(i)) {
                slowest = Math.min(slowest, next[i]);
            }
        }
        return slowest;
    }

    void onUnavailable() {
        unavailable = true;
    }

    boolean isUnavailable() {
        return unavailable;
    }

    /**
     * Whether the publication has given the link up: it owes it nothing any more, and with a shared log may reuse what
     * is still to be read.
     */
    boolean isGivenUp() {
        return publisher.hasGivenUp(Internals.link(image));
    }

    /** Whether every reader is done with everything that was published. */
    boolean isComplete() {
        return slowest() == publisher.offered().count();
    }

    @Override
    public String toString() {
        return image + " next=" + Arrays.toString(next);
    }
}
