package io.sluice.transport.peer;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.settings.TransportId;
import io.sluice.verbs.SourceAddress;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * One session's peer, as links have it: they send to it, ask the medium about it, and take their turns over it, and do
 * not reach the session itself. Made with the session, and the same object as long as it lasts, since links and
 * announced subscriptions go by it. Conductor only; the connection is the session's, and nothing is to be freed.
 */
final class SessionPeer implements ConnectedPeer {
    private final SessionMedium medium;
    private final ControlConnection connection;
    private final PeerIdentity identity;
    /** Signs of life, of which the links' heartbeats take their numbers. */
    private final Heartbeats heartbeats;
    private final SessionEnd end;
    /** Whether the session is ready, asked each time. */
    private final BooleanSupplier ready;
    /**
     * Turns of the links of publications that are set up over the session. Turns end with it: after a loss links
     * queue up anew at the session that takes its place.
     */
    private final SetupTurns setupTurns = new SetupTurns();

    /**
     * Creates a peer that links cannot use yet.
     *
     * @param medium     that the peer is met over.
     * @param connection that messages about links go over.
     * @param identity   of the peer.
     * @param heartbeats of the session.
     * @param end        for a peer that breaks the rules.
     * @param ready      whether links can be made over the session.
     */
    SessionPeer(
        final SessionMedium medium,
        final ControlConnection connection,
        final PeerIdentity identity,
        final Heartbeats heartbeats,
        final SessionEnd end,
        final BooleanSupplier ready) {
        this.medium = medium;
        this.connection = connection;
        this.identity = identity;
        this.heartbeats = heartbeats;
        this.end = end;
        this.ready = ready;
    }

    @Override
    public boolean isReady() {
        return ready.getAsBoolean();
    }

    @Override
    public Medium medium() {
        return medium;
    }

    @Override
    public PeerOrigin origin() {
        return identity.origin();
    }

    @Override
    public TransportId peerId() {
        return identity.id();
    }

    @Override
    public String peerName() {
        return identity.peerName();
    }

    @Override
    public String fullName() {
        return identity.peerName() + identity.client(" ");
    }

    @Override
    public String distinctPeer() {
        return identity.distinctPeer();
    }

    @Override
    public SourceAddress sourceAddress() {
        return connection.sourceAddress();
    }

    @Override
    public void send(final DirectBuffer buffer, final int length) {
        connection.send(buffer, length);
    }

    @Override
    public boolean isWaiting() {
        return connection.isWaiting();
    }

    @Override
    public long nextHeartbeat() {
        return heartbeats.nextSequence();
    }

    @Override
    public boolean takeSetupTurn(final SetupTurns.Turn turn, final long nowNs) {
        return setupTurns.take(turn, nowNs);
    }

    @Override
    public boolean checkQueuePair(final byte[] address) {
        final String contradicting = connection.connection().contradictingAddress(address);
        if (!contradicting.isEmpty()) {
            // apart from the peer, who was accepted: it can do this as often as it is
            end.refuse("links of " + distinctPeer(), GoodbyeReason.NOT_ALLOWED, "a queue pair of a link is at "
                + contradicting + ", and not at the peer's address " + ControlText.printable(identity.host()));
        }
        return contradicting.isEmpty();
    }

    @Override
    public void protocolError(final String text) {
        end.protocolError(text);
    }

    @Override
    public void tellQuota(final String what, final String quota) {
        medium.sessions().refusedPeers().tellQuota(distinctPeer(), what, quota);
    }

    @Override
    public boolean announces(final Medium.Party subscription) {
        return medium.announces(identity, subscription);
    }

    @Override
    public boolean isMet(final String rendezvous, final PeerSubscription subscription) {
        return medium.isMet(rendezvous, identity, subscription);
    }

    @Override
    public boolean listenTo(final PeerSubscription subscription) {
        return medium.sessions().announced().add(this, subscription);
    }

    @Override
    public void forget(final long subscriptionId) {
        medium.sessions().announced().remove(this, subscriptionId);
    }

    @Override
    public Collection<PeerSubscription> announced() {
        return medium.sessions().announced().of(this);
    }
}
