package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Sender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Checks every message and sends it back from inside the handler, until the one that ends the measurement. Further
 * receivers of the stream, which the same thread polls, only check: what is measured is what they add.
 */
final class PongSide implements Side {
    /** The number of messages before the measured ones: until then a thread allocates what it will not again. */
    private static final int WARM_UP_MESSAGES = 100_000;

    private final Patience patience;
    private final RequestConsumer answered;
    private final RequestConsumer[] bystanders;
    private Sender sender;
    private long allocatedBefore;
    private boolean ended;
    private RuntimeException failure;

    PongSide(final SideSettings settings) {
        patience = new Patience("room for an echo, or a message", settings.yielding());
        answered = new RequestConsumer(settings.messageLength());
        bystanders = new RequestConsumer[settings.receivers() - 1];
        Arrays.setAll(bystanders, i -> new RequestConsumer(settings.messageLength()));
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(PingSide.REPLY_STREAM_ID);
        answered.receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, this::onMessage, PingSide.MESSAGE_LIMIT);
        for (final RequestConsumer bystander : bystanders) {
            bystander.receiver = peer.addReceiver(PingSide.REQUEST_STREAM_ID, bystander, PingSide.MESSAGE_LIMIT);
        }
    }

    @Override
    public boolean isConnected() {
        boolean connected = sender.isConnected() & answered.receiver.isConnected();
        for (final RequestConsumer bystander : bystanders) {
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
        result.put(SideResult.TOTAL_MESSAGES, answered.messages);
        check(result);
    }

    private void check(final SideResult result) {
        final List<Long> counts = new ArrayList<>();
        long wrongMessages = answered.wrongMessages;
        for (final RequestConsumer bystander : bystanders) {
            counts.add(bystander.messages);
            wrongMessages += bystander.wrongMessages;
        }
        if (counts.stream().anyMatch(count -> count != answered.messages)) {
            result.fail("of " + answered.messages + " messages further receivers had " + counts);
        }
        if (wrongMessages > 0) {
            result.fail("of " + answered.messages + " messages, " + wrongMessages
                + " were not the next one or not whole, further receivers' included");
        }
    }

    private void poll() {
        int handled = 0;
        for (final RequestConsumer bystander : bystanders) {
            handled += bystander.receiver.poll();
        }
        // last: what it costs the others to have the message is then before the answer, and not in its shadow
        handled += answered.receiver.poll();
        if (handled == 0) {
            patience.spin();
        } else {
            patience.renew();
        }
    }

    private boolean haveAllEnded() {
        for (final RequestConsumer bystander : bystanders) {
            if (!bystander.hasEnded) {
                return false;
            }
        }
        return true;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        // before it is sent back: once its echo is there, the other side may write the next one over it
        answered.onMessage(buffer, offset, length);
        if (answered.hasEnded) {
            ended = true;
            return;
        }
        try {
            while (!sender.offer(buffer, offset, length)) {
                sender.flush();
                patience.spin();
            }
            sender.flush();
            if (answered.messages == WARM_UP_MESSAGES) {
                allocatedBefore = Allocations.count();
            }
        } catch (final RuntimeException ex) {
            // peers differ in what they do with what a handler throws
            failure = ex;
            ended = true;
        }
    }
}
