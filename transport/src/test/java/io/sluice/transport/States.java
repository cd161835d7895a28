package io.sluice.transport;

/**
 * The conductor's view of a publication, a subscription or an image, for tests that wait for what it or a poller does.
 * Any thread.
 */
public final class States {
    private States() {
    }

    /** Whether the conductor has released all that a closed publication had. */
    public static boolean isReleased(final Publication publication) {
        return publication.state().isReleased();
    }

    /** Whether all is released that a closed subscription had. */
    public static boolean isReleased(final Subscription subscription) {
        return subscription.isReleased();
    }

    /** The position that the poller of an image has walked to. */
    public static long walked(final Image image) {
        return image.state().link().positions().walked();
    }
}
