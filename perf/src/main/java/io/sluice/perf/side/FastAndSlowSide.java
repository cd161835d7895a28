package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Sender;
import org.agrona.DirectBuffer;

/**
 * Two consumers of one stream, both polled by one thread: the fast one sends every message back, the slow one stands
 * still for a while after every {@link SideSettings#pauseInterval} messages. Meanwhile it is not polled, which is what
 * a handler that does not return looks like to everybody else, but takes no processor from the fast one. Each must have
 * every message, once and in order.
 */
final class FastAndSlowSide implements Side {
    private final Patience patience;
    private final long pauseNs;
    private final int pauseInterval;
    private final RequestConsumer fast;
    private final RequestConsumer slow;
    private Sender sender;
    private boolean isPausing;
    private long pausedAtNs;
    private RuntimeException failure;

    FastAndSlowSide(final SideSettings settings) {
        patience = new Patience("room for an echo, or a message", settings.yielding());
        pauseNs = settings.pauseNs();
        pauseInterval = settings.pauseInterval();
        fast = new RequestConsumer(settings.messageLength());
        slow = new RequestConsumer(settings.messageLength());
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(PingSide.REPLY_STREAM_ID);
        fast.receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, this::onFast, PingSide.MESSAGE_LIMIT);
        slow.receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, this::onSlow, PingSide.MESSAGE_LIMIT);
    }

    @Override
    public boolean isConnected() {
        // not short-circuited: a receiver may fetch its image here
        return sender.isConnected() & fast.receiver.isConnected() & slow.receiver.isConnected();
    }

    @Override
    public void run(final SideResult result) {
        while (!(fast.hasEnded && slow.hasEnded)) {
            poll();
            if (failure != null) {
                throw failure;
            }
        }
        result.put(SideResult.TOTAL_MESSAGES, fast.messages);
        if (fast.wrongMessages + slow.wrongMessages > 0 || slow.messages != fast.messages) {
            result.fail("the fast consumer had " + fast.messages + " messages, " + fast.wrongMessages
                + " of them wrong, the slow one " + slow.messages + ", " + slow.wrongMessages + " of them wrong");
        }
    }

    private void poll() {
        int handled = fast.receiver.poll();
        if (isPausing && System.nanoTime() - pausedAtNs >= pauseNs) {
            isPausing = false;
        }
        if (!isPausing) {
            handled += slow.receiver.poll();
        }
        if (handled == 0) {
            // echoes may wait behind a full ring
            sender.flush();
            patience.spin();
        } else {
            patience.renew();
        }
    }

    private void onFast(final DirectBuffer buffer, final int offset, final int length) {
        fast.onMessage(buffer, offset, length);
        if (fast.hasEnded) {
            return;
        }
        try {
            while (!sender.offer(buffer, offset, length)) {
                sender.flush();
                patience.spin();
            }
            sender.flush();
        } catch (final RuntimeException ex) {
            // peers differ in what they do with what a handler throws
            failure = ex;
        }
    }

    private void onSlow(final DirectBuffer buffer, final int offset, final int length) {
        slow.onMessage(buffer, offset, length);
        if (pauseNs > 0 && !slow.hasEnded && slow.messages % pauseInterval == 0) {
            isPausing = true;
            pausedAtNs = System.nanoTime();
        }
    }
}
