package io.sluice.transport.stream;

import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.settings.TransportId;

/**
 * A peer's Setup message, copied out of the receive buffer. Its structure was checked; its values are a peer's.
 *
 * @param linkId              unique at the publisher.
 * @param epoch               of the link.
 * @param streamId            of the publication.
 * @param sessionId           of the publication.
 * @param incarnation         of the session.
 * @param windowLength        bytes of log and ring.
 * @param writesInFlight      that the publisher may have on the way.
 * @param publicationPosition end of what was committed.
 * @param feedbackAddress     of the feedback cell.
 * @param feedbackKey         of the feedback cell.
 * @param resume              whether an earlier epoch existed.
 * @param memoryCompletion    whether frames in the shared log may count as arrived once they are committed.
 * @param logToken            to map the log, or empty.
 * @param queuePairAddress    of the publisher's queue pair.
 */
record SetupRequest(
    long linkId,
    long epoch,
    int streamId,
    int sessionId,
    TransportId incarnation,
    int windowLength,
    int writesInFlight,
    long publicationPosition,
    long feedbackAddress,
    int feedbackKey,
    boolean resume,
    boolean memoryCompletion,
    byte[] logToken,
    byte[] queuePairAddress) {

    static SetupRequest of(final SetupDecoder setup) {
        final byte[] queuePairAddress = new byte[setup.queuePairAddressLength()];
        setup.getQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        final byte[] logToken = new byte[setup.logTokenLength()];
        setup.getLogToken(logToken, 0, logToken.length);
        return new SetupRequest(
            setup.linkId(),
            setup.epoch(),
            setup.streamId(),
            setup.sessionId(),
            new TransportId(setup.incarnation().high(), setup.incarnation().low()),
            setup.windowLength(),
            setup.writesInFlight(),
            setup.publicationPosition(),
            setup.feedbackAddress(),
            (int) setup.feedbackKey(),
            setup.flags().resume(),
            setup.flags().memoryCompletion(),
            logToken,
            queuePairAddress);
    }
}
