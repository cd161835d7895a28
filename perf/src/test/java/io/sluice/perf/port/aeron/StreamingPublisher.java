package io.sluice.perf.port.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.BufferClaim;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Publishes numbers as fast as it can, each encoded in place. */
public final class StreamingPublisher {
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM_ID = 1002;
    private static final int MESSAGE_LENGTH = 32;
    private static final boolean EMBEDDED_DRIVER = Boolean.getBoolean("port.embedded.driver");

    private StreamingPublisher() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        final MediaDriver driver = EMBEDDED_DRIVER ? MediaDriver.launchEmbedded() : null;
        final Aeron.Context context = new Aeron.Context();
        if (driver != null) {
            context.aeronDirectoryName(driver.aeronDirectoryName());
        }

        final IdleStrategy idleStrategy = new BusySpinIdleStrategy();
        final BufferClaim claim = new BufferClaim();
        try (Aeron aeron = Aeron.connect(context);
            ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, STREAM_ID)) {
            long backPressured = 0;
            for (int i = 0; i < count; i++) {
                long result;
                while ((result = publication.tryClaim(MESSAGE_LENGTH, claim)) < 0) {
                    if (result == Publication.BACK_PRESSURED) {
                        backPressured++;
                    }
                    idleStrategy.idle();
                }
                claim.buffer().putLong(claim.offset(), i);
                claim.commit();
            }
            System.out.println("published " + count + ", back-pressured " + backPressured + " times");
        }
        CloseHelper.close(driver);
    }
}
