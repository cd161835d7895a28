package io.sluice.samples;

import io.sluice.transport.AvailableImageHandler;
import io.sluice.transport.Image;
import io.sluice.transport.UnavailableImageHandler;

/**
 * Tells on the standard output of images that come and go. On the transport's callback thread.
 *
 * @param what the publications are called.
 */
record ImageNotices(String what) implements AvailableImageHandler, UnavailableImageHandler {
    @Override
    public void onAvailableImage(final Image image) {
        System.out.println(what + " connected: " + image.sourceIdentity());
    }

    @Override
    public void onUnavailableImage(final Image image) {
        final String end;
        if (image.isEndOfStream()) {
            end = " finished: ";
        } else {
            end = image.subscription().isClosed() ? " left: " : " lost: ";
        }
        System.out.println(what + end + image.sourceIdentity());
    }
}
