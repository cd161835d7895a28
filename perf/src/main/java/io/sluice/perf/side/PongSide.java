package io.sluice.perf.side;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Sends every message back from inside the handler, until the one that ends the measurement. Further receivers of the
 * stream, which the same thread polls, only count: what is measured is what they add.
 */
final class PongSide implements Side {
    /** Before the measured messages: until then a thread allocates what it will not again. */
    private static final int WARM_UP_MESSAGES = 100_000;

    private final Patience patience;
    private final Bystander[] bystanders;
    private Sender sender;
    private Receiver receiver;
    private long echoes;
    private long allocatedBefore;
    private boolean ended;
    private RuntimeException failure;

    PongSide(final SideSettings settings) {
        // the other side sets the length
        patience = new Patience("room for an echo, or a message", settings.yielding());
        bystanders = new Bystander[settings.receivers() - 1];
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(PingSide.REPLY_STREAM_ID);
        receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, this::onMessage, PingSide.MESSAGE_LIMIT);
        for (int i = 0; i < bystanders.length; i++) {
            bystanders[i] = new Bystander();
            bystanders[i].receiver = peer.addReceiver(
                PingSide.REQUEST_STREAM_ID, bystanders[i], PingSide.MESSAGE_LIMIT);
        }
    }

    @Override
    public boolean isConnected() {
        boolean connected = sender.isConnected() & receiver.isConnected();
        for (final Bystander bystander : bystanders) {
            connected &= bystander.receiver.isConnected();
        }
        return connected;
    }

    @Override
    public void run(final SideResult result) {
        allocatedBefore = Allocations.count();
        while (!ended) {
            poll();
        }
        if (failure != null) {
            throw failure;
        }
        result.put(SideResult.ALLOCATED_BYTES, Allocations.count() - allocatedBefore);
        while (!haveAllEnded()) {
            poll();
        }
        result.put(SideResult.TOTAL_MESSAGES, echoes);
        final List<Long> counts = new ArrayList<>();
        for (final Bystander bystander : bystanders) {
            counts.add(bystander.messages);
        }
        if (counts.stream().anyMatch(count -> count != echoes)) {
            result.fail("of " + echoes + " messages further receivers had " + counts);
        }
    }

    private void poll() {
        int handled = receiver.poll();
        for (final Bystander bystander : bystanders) {
            handled += bystander.receiver.poll();
        }
        if (handled == 0) {
            patience.spin();
        } else {
            patience.renew();
        }
    }

    private boolean haveAllEnded() {
        for (final Bystander bystander : bystanders) {
            if (!bystander.hasEnded) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEnd(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + RoundTripMessage.SEQUENCE_OFFSET) == RoundTripMessage.END_SEQUENCE;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (isEnd(buffer, offset)) {
            ended = true;
            return;
        }
        try {
            while (!sender.offer(buffer, offset, length)) {
                sender.flush();
                patience.spin();
            }
            sender.flush();
            if (++echoes == WARM_UP_MESSAGES) {
                allocatedBefore = Allocations.count();
            }
        } catch (final RuntimeException ex) {
            // peers differ in what they do with what a handler throws
            failure = ex;
            ended = true;
        }
    }

    /** A further receiver. */
    private static final class Bystander implements MessageListener {
        private Receiver receiver;
        private long messages;
        private boolean hasEnded;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length) {
            if (isEnd(buffer, offset)) {
                hasEnded = true;
            } else {
                messages++;
            }
        }
    }
}
