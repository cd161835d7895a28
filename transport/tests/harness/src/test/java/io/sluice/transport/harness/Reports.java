package io.sluice.transport.harness;

import io.sluice.transport.send.SendLog;
import java.util.List;

/**
 * Judges all journals of a test's folder together.
 */
public final class Reports {
    private Reports() {
    }

    /**
     * Every image of a subscriber saw a gapless run of some publication, and one image saw this publication completely
     * from the beginning.
     *
     * @return messages of that image.
     */
    public static int assertReceivedAll(final Fabric fabric, final String publisher, final String subscriber) {
        final Journal sent = Journal.open(fabric.journals().resolve(publisher + ".journal"));
        final List<Journal> images = imagesOf(fabric, subscriber, sent.publicationId());
        if (images.size() != 1 || images.getFirst().firstPosition() != 0) {
            throw new AssertionError(subscriber + " had not one whole image of " + publisher + ": " + images);
        }
        return Delivery.assertComplete(sent, images.getFirst());
    }

    /**
     * Every image that a subscriber had of a publication is a gapless run of it.
     *
     * @return messages of all those images.
     */
    public static long assertRuns(final Fabric fabric, final String publisher, final String subscriber) {
        final Journal sent = Journal.open(fabric.journals().resolve(publisher + ".journal"));
        long messages = 0;
        for (final Journal image : imagesOf(fabric, subscriber, sent.publicationId())) {
            messages += Delivery.assertPrefix(sent, image);
        }
        return messages;
    }

    /**
     * Assert as {@link #assertRuns} does, of a subscriber that maps the log and may be left behind: the last message of
     * an image may have changed under its handler, if the subscriber was told so.
     */
    public static long assertRunsToWhereTold(
        final Fabric fabric, final String publisher, final String subscriber, final String errors) {
        final Journal sent = Journal.open(fabric.journals().resolve(publisher + ".journal"));
        long messages = 0;
        for (final Journal image : imagesOf(fabric, subscriber, sent.publicationId())) {
            final boolean told = image.records() > 0 && errors.contains("changed under its handler")
                && errors.contains("position=" + (image.position(image.records() - 1)
                    - SendLog.alignedLength(image.length(image.records() - 1))) + ";");
            messages += Delivery.assertPrefix(sent, image, told ? image.records() - 1 : image.records());
        }
        return messages;
    }

    /** No message is in two images of a subscriber. */
    public static void assertNothingTwice(final Fabric fabric, final String publisher, final String subscriber) {
        final Journal sent = Journal.open(fabric.journals().resolve(publisher + ".journal"));
        long end = 0;
        for (final Journal image : imagesOf(fabric, subscriber, sent.publicationId())) {
            if (image.firstPosition() < end) {
                throw new AssertionError(subscriber + " had messages before position " + end + " twice: " + image);
            }
            end = image.position(image.records() - 1);
        }
    }

    /** The images of a subscriber whose messages told that they came from a publication. */
    public static List<Journal> imagesOf(final Fabric fabric, final String subscriber, final int publicationId) {
        return Journal.openAll(fabric.journals(), subscriber + "-").stream()
            .filter(image -> image.publicationId() == publicationId)
            .toList();
    }
}
