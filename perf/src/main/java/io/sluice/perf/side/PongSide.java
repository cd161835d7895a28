package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import org.agrona.DirectBuffer;

/**
 * Sends every message back from inside the handler, until the one that ends the measurement.
 */
final class PongSide implements Side {
    private final Patience patience;
    private Sender sender;
    private Receiver receiver;
    private long echoes;
    private boolean ended;
    private RuntimeException failure;

    PongSide(final SideSettings settings) {
        // the other side sets the length
        patience = new Patience("room for an echo, or a message", settings.yielding());
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(PingSide.REPLY_STREAM_ID);
        receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, this::onMessage, PingSide.MESSAGE_LIMIT);
    }

    @Override
    public boolean isConnected() {
        return sender.isConnected() & receiver.isConnected();
    }

    @Override
    public void run(final SideResult result) {
        while (!ended) {
            if (receiver.poll() == 0) {
                patience.spin();
            } else {
                patience.renew();
            }
        }
        if (failure != null) {
            throw failure;
        }
        result.put(SideResult.TOTAL_MESSAGES, echoes);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (buffer.getLong(offset + PingSide.SEQUENCE_OFFSET) == PingSide.END_SEQUENCE) {
            ended = true;
            return;
        }
        try {
            while (!sender.offer(buffer, offset, length)) {
                patience.spin();
            }
            sender.flush();
            echoes++;
        } catch (final RuntimeException ex) {
            // peers differ in what they do with what a handler throws
            failure = ex;
            ended = true;
        }
    }
}
