package io.sluice.transport;

/**
 * A handler that is told that a publication is connected to a subscription, on the transport's callback thread and
 * before the first message of the image is handed out. Its exceptions go to the error handler.
 */
@FunctionalInterface
public interface AvailableImageHandler {
    /**
     * Tells that an image is there.
     *
     * @param image that can be polled when this method has returned.
     */
    void onAvailableImage(Image image);
}
