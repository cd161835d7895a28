package io.sluice.transport;

/**
 * A handler that is told that an image is at its end, on the transport's callback thread and after its last message was
 * handled. Its exceptions go to the error handler.
 */
@FunctionalInterface
public interface UnavailableImageHandler {
    /**
     * Tells that an image is gone; {@link Image#isEndOfStream()} says whether its publication was closed or was lost.
     *
     * @param image that delivers nothing any more.
     */
    void onUnavailableImage(Image image);
}
