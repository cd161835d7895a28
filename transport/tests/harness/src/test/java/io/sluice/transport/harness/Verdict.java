package io.sluice.transport.harness;

import java.util.List;

/**
 * The judgement of what a subscription received of a publication, by both journals and by what the test did to the two.
 */
public final class Verdict {
    private final Life publisher;
    private final Life subscriber;
    private final Journal sent;
    private final List<Journal> images;

    private Verdict(final Life publisher, final Life subscriber, final Journal sent, final List<Journal> images) {
        this.publisher = publisher;
        this.subscriber = subscriber;
        this.sent = sent;
        this.images = images;
    }

    /**
     * Judge a pair. Whatever happened, every image is a gapless run of what was sent, from its join position on, and no
     * message is in two images. The last image goes up to the last message when the publication was closed in the
     * subscription's lifetime.
     *
     * @param fabric     with their journals.
     * @param publisher  that sent.
     * @param subscriber that received.
     * @param isGating   whether the publisher waits for this subscriber: then there is one image only, unless one of
     *                   the two was given up.
     * @return messages received.
     */
    public static long judge(
        final Fabric fabric, final Life publisher, final Life subscriber, final boolean isGating) {
        final Journal sent = Journal.ofPublisher(fabric.journals(), publisher.name());
        final List<Journal> received = Journal.openAll(fabric.journals(), subscriber.name() + "-");
        try {
            final List<Journal> images =
                received.stream().filter(image -> image.sessionId() == publisher.sessionId()).toList();
            return new Verdict(publisher, subscriber, sent, images).judge(isGating);
        } finally {
            sent.close();
            received.forEach(Journal::close);
        }
    }

    private long judge(final boolean isGating) {
        if (!publisher.hasMet(subscriber)) {
            check(images.isEmpty(), "images of a publication that it never met");
            return 0;
        }
        judgeImages(isGating);
        long messages = 0;
        for (int i = 0; i < images.size(); i++) {
            final Journal image = images.get(i);
            if (i > 0) {
                check(endOf(images.get(i - 1)) <= image.firstPosition(), "images that overlap");
            }
            final boolean isLast = i == images.size() - 1;
            messages += isLast && publisher.isClosed() && publisher.endedBefore(subscriber)
                ? Delivery.assertComplete(sent, image)
                : Delivery.assertPrefix(sent, image);
        }
        check(messages > 0, "nothing received");
        return messages;
    }

    private void judgeImages(final boolean isGating) {
        final boolean isPublisherLost = publisher.isGivenUpBy(subscriber);
        final boolean isSubscriberLost = subscriber.isGivenUpBy(publisher);
        check(!images.isEmpty(), "no image");
        check(
            !isGating || isPublisherLost || isSubscriberLost || images.size() == 1,
            "more than one image of a link that was to last");
        // both at once is nobody's loss: neither was awake to miss the other
        check(isPublisherLost == isSubscriberLost || images.size() > 1, "no second image of a link that was given up");
        final boolean isFromStart = subscriber.beganBefore(publisher);
        check(isFromStart == (images.getFirst().firstPosition() == 0), "joined at another place");
    }

    private static long endOf(final Journal image) {
        return image.records() == 0 ? image.firstPosition() : image.position(image.records() - 1);
    }

    private void check(final boolean condition, final String what) {
        if (!condition) {
            throw new AssertionError(what + ": publisher=" + publisher + " subscriber=" + subscriber + "\n sent " + sent
                + "\n images " + images);
        }
    }
}
