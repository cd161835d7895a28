package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A side that sends messages and takes their echoes: what all of those have in common but for when they send. One
 * thread.
 */
abstract class EchoedSide implements Side {
    private static final int BUFFER_ALIGNMENT = 64;

    final SideSettings settings;
    final UnsafeBuffer message;
    final Patience patience;
    Sender sender;
    Receiver receiver;
    long sequence;
    long echoes;
    long wrongEchoes;

    /**
     * A side that is not open.
     *
     * @param settings of the run.
     * @param awaited  what it waits for, for people.
     */
    EchoedSide(final SideSettings settings, final String awaited) {
        this.settings = settings;
        patience = new Patience(awaited, settings.yielding());
        message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(settings.messageLength(), BUFFER_ALIGNMENT));
    }

    /** Take an echo, time it where that is the side's way, and {@link #count} it. */
    abstract void onEcho(DirectBuffer buffer, int offset, int length);

    /** Count an echo, which must be the next message, whole. */
    final void count(final DirectBuffer buffer, final int offset, final int length) {
        echoes++;
        if (length != settings.messageLength() || !RoundTripMessage.isWhole(buffer, offset, length, echoes)) {
            wrongEchoes++;
        }
    }

    @Override
    public final void open(final Peer peer) {
        sender = peer.addSender(PingSide.REQUEST_STREAM_ID);
        receiver = peer.addReceiver(PingSide.REPLY_STREAM_ID, this::onEcho, PingSide.MESSAGE_LIMIT);
    }

    @Override
    public final boolean isConnected() {
        // not short-circuited: a receiver may fetch its image here
        return sender.isConnected() & receiver.isConnected();
    }

    /** Tell how many were sent, and fail when not every one has come back as it was. */
    final void putEchoes(final SideResult result) {
        result.put(SideResult.TOTAL_MESSAGES, sequence);
        if (wrongEchoes > 0 || echoes != sequence) {
            result.fail("sent " + sequence + " messages, got " + echoes + " echoes, " + wrongEchoes + " of them wrong");
        }
    }

    @Override
    public final void attend() {
        sender.flush();
    }
}
