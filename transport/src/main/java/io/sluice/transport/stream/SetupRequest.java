package io.sluice.transport.stream;

import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.settings.TransportId;

/**
 * A peer's Setup message, copied out of the receive buffer. Its structure was checked; its values are a peer's.
 *
 * @param linkId           unique at the publisher.
 * @param epoch            of the link.
 * @param publication      that asks.
 * @param log              of that publication.
 * @param writesInFlight   that the publisher may have on the way.
 * @param feedback         the publication's feedback cell for this epoch.
 * @param resume           whether an earlier epoch existed.
 * @param queuePairAddress of the publisher's queue pair.
 */
record SetupRequest(
    long linkId,
    long epoch,
    PublicationId publication,
    OfferedLog log,
    int writesInFlight,
    RemoteMemory feedback,
    boolean resume,
    byte[] queuePairAddress) {

    static SetupRequest of(final SetupDecoder setup) {
        final byte[] queuePairAddress = new byte[setup.queuePairAddressLength()];
        setup.getQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        final byte[] logToken = new byte[setup.logTokenLength()];
        setup.getLogToken(logToken, 0, logToken.length);
        return new SetupRequest(
            setup.linkId(),
            setup.epoch(),
            new PublicationId(setup.streamId(), setup.sessionId(),
                new TransportId(setup.incarnation().high(), setup.incarnation().low())),
            new OfferedLog(
                setup.windowLength(), setup.publicationPosition(), logToken, setup.flags().memoryCompletion()),
            setup.writesInFlight(),
            new RemoteMemory(setup.feedbackAddress(), (int) setup.feedbackKey()),
            setup.flags().resume(),
            queuePairAddress);
    }
}
