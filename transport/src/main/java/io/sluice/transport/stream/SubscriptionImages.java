package io.sluice.transport.stream;

/**
 * A listener that is told of a subscription's images on the callback thread. The application's; whoever sets it owns
 * it.
 */
public interface SubscriptionImages {
    /**
     * Notes that an image joined; its messages are handed out when this method has returned.
     *
     * @param image that joined.
     */
    void onAvailable(ImageState image);

    /**
     * Notes that the consumers have passed the image's end.
     *
     * @param image that ended.
     */
    void onUnavailable(ImageState image);
}
