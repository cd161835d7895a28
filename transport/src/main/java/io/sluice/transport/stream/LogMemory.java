package io.sluice.transport.stream;

import io.sluice.codec.control.AcceptFlagsDecoder;
import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.settings.TransportId;
import io.sluice.verbs.MemoryRegion;

/**
 * The memory of a publication's log, and how subscribers on this host map it. Made on the application's thread; then
 * its accessors are any thread's, and {@link #shareToken} the conductor's. The publication owns the memory, and
 * releases it when nothing refers to it.
 */
final class LogMemory {
    private static final byte[] NO_TOKEN = new byte[0];

    /** The memory, in the domain of the transport; each link registers it once more in a domain of its own. */
    private final MemoryRegion region;
    /**
     * The session beyond its id, drawn anew for each publication, so that one which is added again under an old session
     * id is another session (005). Its lower half keys the check words of the log's frames.
     */
    private final TransportId incarnation;
    private final byte[] shareToken;
    private final SendLog log;
    private final long registeredLength;
    private final boolean memoryCompletion;

    /**
     * Creates a log that begins at 0.
     *
     * @param medium      that its subscriptions are met over.
     * @param options     of the log.
     * @param region      of the window's length.
     * @param incarnation of the session.
     */
    LogMemory(
        final Medium medium, final LogOptions options, final MemoryRegion region, final TransportId incarnation) {
        this.region = region;
        this.incarnation = incarnation;
        shareToken = options.shared() ? region.shareToken() : NO_TOKEN;
        log = new SendLog(
            region, 0, incarnation.low(), options.timestamps() ? medium.services().stamps() : StampClock.NONE);
        registeredLength = medium.locksMemory() ? options.windowLength() : 0;
        memoryCompletion = options.memoryCompletion();
    }

    /** {@return the log, which lives as long as the memory} */
    SendLog log() {
        return log;
    }

    MemoryRegion region() {
        return region;
    }

    TransportId incarnation() {
        return incarnation;
    }

    /** {@return the number of bytes that each link registers once more, as far as that counts as locked memory} */
    long registeredLength() {
        return registeredLength;
    }

    /** Whether a subscriber was offered to look at the log's frames and has mapped the log for it. */
    boolean mayCompleteInMemory(final AcceptFlagsDecoder accepted) {
        return accepted.sharedLog() && memoryCompletion && shareToken.length > 0;
    }

    /**
     * {@return the token by which a subscriber maps the log; empty when it is not shared} One that is resumed has
     * mapped it; a new one needs the files, which somebody may have removed: it gets copies then.
     */
    byte[] shareToken(final boolean isResuming) {
        return isResuming || shareToken.length == 0 ? shareToken : region.shareToken();
    }
}
