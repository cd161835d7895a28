package io.sluice.perf.port.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import org.agrona.CloseHelper;
import org.agrona.ExpandableArrayBuffer;

/** Publishes numbered texts, and tells what an offer returns that is no position. */
public final class BasicPublisher {
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM_ID = 1001;
    private static final boolean EMBEDDED_DRIVER = Boolean.getBoolean("port.embedded.driver");

    private BasicPublisher() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        final MediaDriver driver = EMBEDDED_DRIVER ? MediaDriver.launchEmbedded() : null;
        final Aeron.Context context = new Aeron.Context();
        if (driver != null) {
            context.aeronDirectoryName(driver.aeronDirectoryName());
        }

        try (Aeron aeron = Aeron.connect(context);
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
        CloseHelper.close(driver);
    }
}
