package io.sluice.transport.harness;

import java.nio.file.Path;
import java.util.List;

/**
 * The bytes that are in flight between a running pair, by the journals of the two and without asking its processes: one
 * of them may stand still or be dead.
 */
public final class InFlight {
    /** The bytes that a fault must find on their way: offered, and not consumed. */
    public static final long MEBIBYTE = 1 << 20;

    private InFlight() {
    }

    /**
     * The end of what a publication of one writer has offered.
     *
     * @param folder    of the journals.
     * @param publisher name of the load that sends.
     * @return a position that it has reached or passed, 0 before its first message.
     */
    public static long sent(final Path folder, final String publisher) {
        final Path file = folder.resolve(publisher + ".journal");
        if (!Journal.hasBegun(file)) {
            return 0;
        }
        final Journal sent = Journal.open(file);
        try {
            final int known = Delivery.sentRecords(sent);
            return known == 0 ? 0 : sent.position(known - 1);
        } finally {
            sent.close();
        }
    }

    /**
     * The end of what a subscription has consumed of a publication.
     *
     * @param folder     of the journals.
     * @param subscriber name of the load that receives.
     * @param sessionId  of the publication.
     * @return the position behind the last message, or where the last image has joined; -1 without an image.
     */
    public static long consumed(final Path folder, final String subscriber, final int sessionId) {
        final List<Journal> images = Journal.openAll(folder, subscriber + "-");
        try {
            long position = -1;
            for (final Journal image : images) {
                if (image.sessionId() == sessionId) {
                    final int last = image.records() - 1;
                    position = last < 0 ? image.firstPosition() : image.position(last);
                }
            }
            return position;
        } finally {
            images.forEach(Journal::close);
        }
    }

    /**
     * The bytes that a publication of one writer has offered and a subscription has yet to consume.
     *
     * @param folder     of the journals.
     * @param publisher  name of the load that sends.
     * @param subscriber name of the load that receives.
     * @param sessionId  of the publication.
     * @return bytes, at least; 0 without an image.
     */
    public static long bytes(
        final Path folder, final String publisher, final String subscriber, final int sessionId) {
        final long sent = sent(folder, publisher);
        final long consumed = consumed(folder, subscriber, sessionId);
        return consumed < 0 ? 0 : sent - consumed;
    }
}
