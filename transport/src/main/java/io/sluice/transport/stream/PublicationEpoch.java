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
 * @param queuePair      in INIT; not connected yet.
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
        final PublicationLink link, final AcceptDecoder accept, final long received, final long consumed) {
        final PublicationState publication = link.publication();
        final SendQueueSettings sendQueue = publication.services().parameters().sendQueue();
        return new OutboundLinkParameters(
            queuePair, link.index(), (int) link.epoch(), logRegion, feedbackRegion,
            new PeerRing(
                new RemoteMemory(accept.ringAddress(), (int) accept.ringKey()), publication.log().windowLength(),
                accept.receiveDepth(), accept.flags().sharedLog(), accept.flags().memoryCompletion()),
            new SendLimits(publication.options().writesInFlight(), sendQueue.length(), sendQueue.signalInterval()),
            new LinkStart(received, consumed));
    }

    /**
     * Makes the epoch's queue pair and feedback region, or neither; null when the epoch was given up before its turn
     * came. Set-up thread.
     */
    static PublicationEpoch prepare(final PublicationLink link, final long epoch, final SourceAddress source) {
        if (!link.isPreparing(epoch)) {
            return null;
        }
        final PublicationState publication = link.publication();
        final TransportParameters parameters = publication.medium().parameters();
        final LinkDomain domain = link.domain();
        final MemoryRegion log = domain.registerForSends(publication.region());
        MemoryRegion region = null;
        QueuePair pair = null;
        try {
            region = domain.allocateRegion(FEEDBACK_REGION_LENGTH, ACCESS);
            final CompletionQueue completions =
                publication.sendCompletions().reserve(link.isResuming() ? 0 : publication.links().toResume());
            pair = DataQueuePairs.create(
                parameters, domain, completions, completions, parameters.sendQueue().length(), 1, source);
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

    /** Release what was made for nothing, if anything was. */
    static void release(final PublicationEpoch prepared, final PublicationLink link) {
        if (prepared != null) {
            final PublicationState publication = link.publication();
            publication.destroy(prepared.queuePair, link.domain());
            publication.services().tasks().release(prepared.feedbackRegion);
        }
    }

    /**
     * Ask the peer for the link, in an epoch that is prepared.
     *
     * @return length of the message in the encoder's buffer.
     */
    static int encodeSetup(final LinkEncoder messages, final PublicationLink link) {
        final PublicationState publication = link.publication();
        final SetupEncoder encoder = messages.setup();
        encoder.linkId(link.linkId()).subscriptionId(link.subscriptionId());
        encoder.incarnation().high(publication.incarnation().high()).low(publication.incarnation().low());
        encoder
            .resumePosition(SetupEncoder.resumePositionNullValue())
            .publicationPosition(publication.log().tail())
            .feedbackAddress(link.feedbackRegion().address())
            .logAddress(SetupEncoder.logAddressNullValue())
            .epoch(link.epoch())
            .feedbackKey(link.feedbackRegion().remoteKey() & 0xFFFF_FFFFL)
            .logKey(0)
            .streamId(publication.streamId())
            .sessionId(publication.sessionId())
            .windowLength(publication.log().windowLength())
            .writesInFlight(publication.options().writesInFlight());
        final byte[] token = publication.shareToken(link.isResuming());
        encoder.flags().clear().resume(link.isResuming()).sharedLog(token.length > 0)
            .memoryCompletion(token.length > 0 && publication.options().log().memoryCompletion());
        final byte[] address = link.queuePair().localAddress();
        final byte[] channel = ControlText.bounded(publication.channel(), ControlDescriptor.MAX_CHANNEL_LENGTH);
        encoder
            .putQueuePairAddress(address, 0, address.length)
            .putLogToken(token, 0, token.length)
            .putChannel(channel, 0, channel.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }
}
