package io.sluice.transport;

import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.SubscriptionImages;

/** Images of a subscription come and go, and the application's handlers are told. The thread of callbacks. */
final class ImageHandlers implements SubscriptionImages {
    private final Subscription subscription;
    private final AvailableImageHandler available;
    private final UnavailableImageHandler unavailable;

    /** Makes the handlers of a subscription's images, either of which may be null. */
    ImageHandlers(
        final Subscription subscription,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        this.subscription = subscription;
        this.available = available;
        this.unavailable = unavailable;
    }

    @Override
    public void onAvailable(final ImageState imageState) {
        final Image image = subscription.newImage(imageState);
        try {
            if (available != null) {
                available.onAvailableImage(image);
            }
        } finally {
            subscription.addImage(image);
        }
    }

    @Override
    public void onUnavailable(final ImageState imageState) {
        final Image image = subscription.removeImage(imageState);
        if (image != null) {
            image.close();
            if (unavailable != null) {
                unavailable.onUnavailableImage(image);
            }
        }
    }
}
