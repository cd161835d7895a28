package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntSupplier;
import org.agrona.DirectBuffer;

/** A peer as all of these tests have it: there at once, without settings, on the thread of the test. */
abstract class StubPeer implements Peer {
    /** Takes a message, or refuses it with false. */
    @FunctionalInterface
    interface Offer {
        boolean offer(DirectBuffer buffer, int offset, int length);
    }

    /** A sender that is connected. */
    static Sender sender(final Offer offer, final Runnable flush) {
        return new Sender() {
            @Override
            public boolean isConnected() {
                return true;
            }

            @Override
            public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
                return offer.offer(buffer, offset, length);
            }

            @Override
            public void flush() {
                flush.run();
            }
        };
    }

    /** One to which flushing is nothing. */
    static Sender sender(final Offer offer) {
        return sender(offer, () -> { });
    }

    /** A receiver that is connected. */
    static Receiver receiver(final IntSupplier poll) {
        return new Receiver() {
            @Override
            public boolean isConnected() {
                return true;
            }

            @Override
            public int poll() {
                return poll.getAsInt();
            }
        };
    }

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
    }

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public void close() {
    }
}
