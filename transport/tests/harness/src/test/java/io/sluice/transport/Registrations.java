package io.sluice.transport;

/** The conductor's view of a publication or an image, for tests that wait for what it or a poller does. Any thread. */
public final class Registrations {
    private Registrations() {
    }

    /** Whether the conductor has released all that a closed publication had. */
    public static boolean isReleased(final Publication publication) {
        return publication.registration().isReleased();
    }

    /** The position that the poller of an image has walked to. */
    public static long walked(final Image image) {
        return image.registration().link().positions().walked();
    }
}
