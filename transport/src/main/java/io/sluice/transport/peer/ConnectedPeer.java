package io.sluice.transport.peer;

import io.sluice.transport.settings.TransportId;
import io.sluice.verbs.SourceAddress;
import java.util.Collection;
import org.agrona.DirectBuffer;

/**
 * A peer over one control connection, as far as links use it: when that connection is lost, they go on over the next
 * one, as with another connected peer. Conductor only.
 */
public interface ConnectedPeer {
    /** {@return whether links can be made over it} */
    boolean isReady();

    /** {@return the medium that the peer is met over} */
    Medium medium();

    /** {@return the origin of the peer; null before the peer has greeted} */
    PeerOrigin origin();

    /** {@return the id that the peer gives itself; null before it is known} */
    TransportId peerId();

    /** {@return the address of the peer, for people} */
    String peerName();

    /** {@return the address of the peer and, if it has one, the name that it gave itself, for people} */
    String fullName();

    /**
     * {@return the part of the peer's address that the peer cannot choose: a peer that connects comes from another port
     * each time}
     */
    String distinctPeer();

    /** {@return the address of this side, where queue pairs of links start from} */
    SourceAddress sourceAddress();

    /**
     * Send a message about links.
     *
     * @param buffer that begins with the message.
     * @param length of the message, in bytes.
     */
    void send(DirectBuffer buffer, int length);

    /** {@return whether messages wait for credit of the peer} */
    boolean isWaiting();

    /** {@return the sequence number of the next heartbeat} */
    long nextHeartbeat();

    /**
     * {@return whether a link may be set up now} Else it asks again.
     *
     * @param turn  that is to be taken.
     * @param nowNs time of the conductor's clock.
     */
    boolean takeSetupTurn(SetupTurns.Turn turn, long nowNs);

    /**
     * {@return whether a queue pair that the peer has told is at the peer's address} The peer is refused if not.
     *
     * @param address that the peer has told.
     */
    boolean checkQueuePair(byte[] address);

    /**
     * Tells the peer that it has broken the protocol, and ends the connection.
     *
     * @param text for people.
     */
    void protocolError(String text);

    /**
     * Tell that the peer has as much as it may have: see {@link RefusedPeers#tellQuota}.
     *
     * @param what  for people.
     * @param quota that was reached, for people.
     */
    void tellQuota(String what, String quota);

    /**
     * {@return whether the peer is to hear of a subscription of this transport}
     *
     * @param subscription of this transport.
     */
    boolean announces(Medium.Party subscription);

    /**
     * {@return whether a subscription of the peer is meant by who meets others under a name}
     *
     * @param rendezvous   where publications and subscriptions meet.
     * @param subscription that the peer has announced.
     */
    boolean isMet(String rendezvous, PeerSubscription subscription);

    /**
     * {@return whether an announced subscription is listened to} The peer may have as many as it should.
     *
     * @param subscription that the peer has announced.
     */
    boolean listenTo(PeerSubscription subscription);

    /**
     * Forgets a subscription of the peer that has ended.
     *
     * @param subscriptionId that the peer has announced.
     */
    void forget(long subscriptionId);

    /** {@return the subscriptions of the peer that are listened to, a copy} */
    Collection<PeerSubscription> announced();
}
