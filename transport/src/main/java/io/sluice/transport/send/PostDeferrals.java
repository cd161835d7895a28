package io.sluice.transport.send;

/**
 * The numbers of times that the posts of a link had to wait although bytes were committed, by cause, over all its
 * epochs. This is no back-pressure: offers go on to append, and the next post takes everything. The holder of the post
 * token counts; any thread may read, perhaps late.
 */
public final class PostDeferrals {
    private long sendQueueFull;
    private long receiverNotReady;

    PostDeferrals() {
    }

    void onSendQueueFull() {
        sendQueueFull++;
    }

    void onReceiverNotReady() {
        receiverNotReady++;
    }

    /** {@return times that the send queue had no slot} */
    public long sendQueueFull() {
        return sendQueueFull;
    }

    /** {@return times that the peer had not drained enough: no receive credit, or the bound of writes in flight} */
    public long receiverNotReady() {
        return receiverNotReady;
    }
}
