package io.sluice.perf.port.sluice;

import io.sluice.transport.Publication;
import io.sluice.transport.Transport;
import org.agrona.ExpandableArrayBuffer;

/** Publishes numbered texts, and tells what an offer returns that is no position. */
public final class BasicPublisher {
    private static final String CHANNEL = "sluice:ipc?endpoint=samples";
    private static final int STREAM_ID = 1001;

    private BasicPublisher() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        try (Transport aeron = Transport.launch();
            Publication publication = aeron.addPublication(CHANNEL, STREAM_ID)) {
            final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
            int sent = 0;
            while (sent < count) {
                final int length = buffer.putStringWithoutLengthAscii(0, "message " + sent);
                final long result = publication.offer(buffer, 0, length);
                if (result > 0) {
                    sent++;
                } else if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                    System.out.println("offer failed: " + Publication.errorString(result));
                    break;
                } else {
                    // back-pressured, not connected, or the client is busy
                    Thread.yield();
                }
            }
            System.out.println("published " + sent);
        }
    }
}
