package io.sluice.transport.stream;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupEncoder;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import java.util.function.LongSupplier;

/**
 * Tells the subscription of a publication's link, while there is a control connection to it. Conductor only; the link
 * owns it.
 */
final class PublicationLinkNotices {
    private final LinkEncoder encoder;
    private final PublicationLinkId id;
    private final PublicationOptions options;
    private final LogMemory memory;
    /** The number of the link's epoch, asked each time: a link is told of in the epoch that it is in. */
    private final LongSupplier epoch;
    /** The peer that messages go to; null from when its control session is lost until one of its origin is ready. */
    private ConnectedPeer peer;

    /**
     * Creates notices of which none was told; the peer is set before the first.
     *
     * @param encoder of the messages.
     * @param id      of the link.
     * @param options of the publication.
     * @param memory  of its log.
     * @param epoch   tells the number of the link's epoch.
     */
    PublicationLinkNotices(
        final LinkEncoder encoder,
        final PublicationLinkId id,
        final PublicationOptions options,
        final LogMemory memory,
        final LongSupplier epoch) {
        this.encoder = encoder;
        this.id = id;
        this.options = options;
        this.memory = memory;
        this.epoch = epoch;
    }

    /** {@return the connected peer; null while there is none} */
    ConnectedPeer peer() {
        return peer;
    }

    /** Sets the way to the peer: another control session may take the place of a lost one; null for none. */
    void peer(final ConnectedPeer newPeer) {
        peer = newPeer;
    }

    /**
     * Whether there is a peer to say something to. Silence itself is the control session's matter: it ends when the
     * liveness timeout is over, and the link hears of that by {@link PublicationLink#onPeerLost}.
     */
    boolean canTell() {
        return peer != null && peer.isReady();
    }

    private void send(final int length) {
        peer.send(encoder.buffer(), length);
    }

    /**
     * Asks the peer for the link.
     *
     * @param parts      of the epoch, that the peer is to connect to.
     * @param isResuming whether the link goes on.
     */
    void setup(final PublicationEpoch parts, final boolean isResuming) {
        final SetupEncoder setup = encoder.setup();
        setup.linkId(id.linkId()).subscriptionId(id.subscriptionId());
        setup.incarnation().high(memory.incarnation().high()).low(memory.incarnation().low());
        setup
            .resumePosition(SetupEncoder.resumePositionNullValue())
            .publicationPosition(memory.log().tail())
            .feedbackAddress(parts.feedbackRegion().address())
            .logAddress(SetupEncoder.logAddressNullValue())
            .epoch(epoch.getAsLong())
            .feedbackKey(parts.feedbackRegion().remoteKey() & 0xFFFF_FFFFL)
            .logKey(0)
            .streamId(options.streamId())
            .sessionId(options.session().sessionId())
            .windowLength(memory.log().windowLength())
            .writesInFlight(options.writesInFlight());
        final byte[] token = memory.shareToken(isResuming);
        setup.flags().clear().resume(isResuming).sharedLog(token.length > 0)
            .memoryCompletion(token.length > 0 && options.log().memoryCompletion());
        final byte[] address = parts.queuePair().localAddress();
        final byte[] channel = ControlText.bounded(options.channel(), ControlDescriptor.MAX_CHANNEL_LENGTH);
        setup
            .putQueuePairAddress(address, 0, address.length)
            .putLogToken(token, 0, token.length)
            .putChannel(channel, 0, channel.length);
        send(MessageHeaderEncoder.ENCODED_LENGTH + setup.encodedLength());
    }

    /** Tells where the link begins, or goes on. */
    void established(final long joinPosition) {
        send(encoder.established(id.linkId(), epoch.getAsLong(), joinPosition));
    }

    /** Tells that the epoch is over; nothing without a control session, whose loss says it, too. */
    void broken(final BreakReason reason) {
        if (peer != null) {
            send(encoder.linkBroken(
                id.linkId(), epoch.getAsLong(), Role.PUBLICATION, reason, memory.log().tail()));
        }
    }

    /** Tells that nothing is offered any more. */
    void endOfStream(final long endPosition) {
        send(encoder.endOfStream(id.linkId(), epoch.getAsLong(), endPosition));
    }

    /** Tells that the link is over for good, if the peer has heard of it and is ready. */
    void closed(final CloseReason reason) {
        if (canTell() && epoch.getAsLong() > 0) {
            send(encoder.closeLink(id.linkId(), epoch.getAsLong(), Role.PUBLICATION, reason));
        }
    }
}
