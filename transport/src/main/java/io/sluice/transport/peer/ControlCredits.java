package io.sluice.transport.peer;

/**
 * Counts the messages of one control connection, both ways, so that neither end sends what the other has no receive
 * for. Numbers of the peer are believed within what was sent only. Conductor only; owned by its
 * {@link ControlConnection}, and holds nothing that is to be freed.
 */
final class ControlCredits {
    /** Receives kept back for messages that only return credit. */
    private static final int RESERVE = 4;

    /** Receives that each end has posted, and slots that each end sends from. */
    private final int depth;
    /** Messages posted so far, those that only return credit too. */
    private long sent;
    /** Completions of sends so far, failed ones too: a slot is free again then. */
    private long sendsCompleted;
    /** Messages of the peer taken so far, whose receives are posted again or about to be. */
    private long received;
    /** The number of them that the peer was told last, which is the credit that it has. */
    private long receivedTold;
    /**
     * The number of this end's messages that the peer says to have received; it never goes back, nor beyond what was
     * sent.
     */
    private long peerReceived;

    /** Creates the counts of a connection over which nothing was said, whose ends have so many receives each. */
    ControlCredits(final int depth) {
        this.depth = depth;
    }

    /**
     * {@return whether a message may be sent} The last receives of the peer are left for messages that only return
     * credit: two ends that have both used up their credit could not return any otherwise, and would wait for each
     * other for ever.
     */
    boolean hasRoom() {
        return hasRoom(depth - RESERVE);
    }

    /**
     * {@return whether a message that only returns credit is due, and may be sent} One is due after half of all
     * receives, even if there is nothing else to say.
     */
    boolean isReturnDue() {
        return received - receivedTold >= depth / 2 && hasRoom(depth);
    }

    /**
     * {@return whether fewer messages than so many are on their way, and a slot is free} The peer's credit says the
     * one, this end's completions the other; either may come first.
     */
    private boolean hasRoom(final int most) {
        return sent - peerReceived < most && sent - sendsCompleted < depth;
    }

    /** {@return the slot that the next message is sent from, counted from 0} */
    int nextSlot() {
        return (int) (sent % depth);
    }

    /** {@return the credit that stands before each message: the number of messages received from the peer} */
    long received() {
        return received;
    }

    /** {@return the number of messages posted so far} */
    long sent() {
        return sent;
    }

    /** Notes that a message was posted, which tells the peer its credit. */
    void onSent() {
        sent++;
        receivedTold = received;
    }

    /** Notes that a send has completed, well or not. */
    void onSendCompleted() {
        sendsCompleted++;
    }

    /** {@return whether every send has completed} */
    boolean haveAllSendsCompleted() {
        return sendsCompleted == sent;
    }

    /** Notes that a message of the peer was taken. */
    void onReceived() {
        received++;
    }

    /**
     * Takes the credit that stood before a message of the peer.
     *
     * @param credit the number of this end's messages that the peer says to have received.
     * @return false when it does not add up, and was not taken: a credit for more than was sent would make this end
     *         send without a receive at the other.
     */
    boolean take(final long credit) {
        if (credit < peerReceived || credit > sent) {
            return false;
        }
        peerReceived = credit;
        return true;
    }
}
