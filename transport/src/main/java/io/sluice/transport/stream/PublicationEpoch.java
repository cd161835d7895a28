package io.sluice.transport.stream;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlText;
import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.SetupEncoder;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.PeerRing;
import io.sluice.transport.send.SendLimits;
import io.sluice.transport.settings.SendQueueSettings;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.SourceAddress;
import org.agrona.CloseHelper;

/**
 * The parts of a publication's link that last for one epoch only, the other side of {@link SubscriptionEpochs}.
 *
 * @param queuePair      in INIT when it is made; connected when the peer has accepted.
 * @param feedbackRegion with the cell that the subscriber reports into.
 * @param logRegion      the log, as the queue pair can send from it; the link's for as long as that lasts.
 */
record PublicationEpoch(QueuePair queuePair, MemoryRegion feedbackRegion, MemoryRegion logRegion) {
    /** Length of a region with one feedback cell on a cache line of its own. */
    private static final int FEEDBACK_REGION_LENGTH = Math.max(64, FeedbackDescriptor.CELL_LENGTH);
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    /**
     * Returns what the sending end is made of when the peer has accepted.
     *
     * @param received where to go on from, or UNSET for a fresh link.
     * @param consumed what is known of the peer's consumers.
     */
    OutboundLinkParameters parameters(
        final PublicationState publication,
        final int linkIndex,
        final int epoch,
        final AcceptDecoder accept,
        final long received,
        final long consumed) {
        final SendQueueSettings sendQueue = publication.services().parameters().sendQueue();
        return new OutboundLinkParameters(
            queuePair, linkIndex, epoch, logRegion, feedbackRegion,
            new PeerRing(
                new RemoteMemory(accept.ringAddress(), (int) accept.ringKey()), publication.log().windowLength(),
                accept.receiveDepth(), accept.flags().sharedLog(), accept.flags().memoryCompletion()),
            new SendLimits(publication.options().writesInFlight(), sendQueue.length(), sendQueue.signalInterval()),
            new LinkStart(received, consumed));
    }

    /**
     * Makes an epoch's queue pair and feedback region, or neither. Set-up thread.
     *
     * @param publication that the link is of.
     * @param domain      of the link.
     * @param isResuming  whether the link goes on, so that room for it was kept in the completion queue.
     * @param source      address of the control connection, which the queue pair goes by.
     */
    static PublicationEpoch prepare(
        final PublicationState publication,
        final LinkDomain domain,
        final boolean isResuming,
        final SourceAddress source) {
        final TransportParameters parameters = publication.medium().parameters();
        final MemoryRegion log = domain.registerForSends(publication.region());
        MemoryRegion region = null;
        QueuePair pair = null;
        try {
            region = domain.allocateRegion(FEEDBACK_REGION_LENGTH, ACCESS);
            final CompletionQueue completions =
                publication.sendCompletions().reserve(isResuming ? 0 : publication.links().toResume());
            pair = DataQueuePairs.create(parameters, domain,
                new QueuePairRoom(completions, completions, parameters.sendQueue().length(), 1), source);
            pair.initialise(ACCESS);
            publication.sendCompletions().hold(pair);
            return new PublicationEpoch(pair, region, log);
        } catch (final RuntimeException ex) {
            final QueuePair made = pair;
            CloseHelper.quietCloseAll(made == null ? null : () -> destroy(made, domain), region);
            throw ex;
        }
    }

    /** Destroys a queue pair; one that the device does not let go of keeps its domain. */
    private static void destroy(final QueuePair pair, final LinkDomain domain) {
        pair.close();
        domain.onDestroyed(pair);
    }

    /** Releases what was made for nothing. */
    void release(final PublicationState publication, final LinkDomain domain) {
        publication.destroy(queuePair, domain);
        publication.services().tasks().release(feedbackRegion);
    }

    /**
     * Asks the peer for a link.
     *
     * @param messages       whose buffer takes the message.
     * @param publication    that the link is of.
     * @param linkId         that this side has chosen.
     * @param subscriptionId that the peer has announced.
     * @param epoch          of the link, that this is.
     * @param isResuming     whether the link goes on.
     * @return length of the message in the encoder's buffer.
     */
    int encodeSetup(
        final LinkEncoder messages,
        final PublicationState publication,
        final long linkId,
        final long subscriptionId,
        final long epoch,
        final boolean isResuming) {
        final SetupEncoder encoder = messages.setup();
        encoder.linkId(linkId).subscriptionId(subscriptionId);
        encoder.incarnation().high(publication.incarnation().high()).low(publication.incarnation().low());
        encoder
            .resumePosition(SetupEncoder.resumePositionNullValue())
            .publicationPosition(publication.log().tail())
            .feedbackAddress(feedbackRegion.address())
            .logAddress(SetupEncoder.logAddressNullValue())
            .epoch(epoch)
            .feedbackKey(feedbackRegion.remoteKey() & 0xFFFF_FFFFL)
            .logKey(0)
            .streamId(publication.streamId())
            .sessionId(publication.sessionId())
            .windowLength(publication.log().windowLength())
            .writesInFlight(publication.options().writesInFlight());
        final byte[] token = publication.shareToken(isResuming);
        encoder.flags().clear().resume(isResuming).sharedLog(token.length > 0)
            .memoryCompletion(token.length > 0 && publication.options().log().memoryCompletion());
        final byte[] address = queuePair.localAddress();
        final byte[] channel = ControlText.bounded(publication.channel(), ControlDescriptor.MAX_CHANNEL_LENGTH);
        encoder
            .putQueuePairAddress(address, 0, address.length)
            .putLogToken(token, 0, token.length)
            .putChannel(channel, 0, channel.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }
}
