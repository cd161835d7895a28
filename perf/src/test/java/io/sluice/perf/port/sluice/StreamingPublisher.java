package io.sluice.perf.port.sluice;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Transport;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Publishes numbers as fast as it can, each encoded in place. */
public final class StreamingPublisher {
    private static final String CHANNEL = "sluice:ipc?endpoint=samples";
    private static final int STREAM_ID = 1002;
    private static final int MESSAGE_LENGTH = 32;

    private StreamingPublisher() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        final IdleStrategy idleStrategy = new BusySpinIdleStrategy();
        final BufferClaim claim = new BufferClaim();
        try (Transport aeron = Transport.launch();
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
    }
}
