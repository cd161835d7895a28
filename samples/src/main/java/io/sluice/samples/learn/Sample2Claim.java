package io.sluice.samples.learn;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Sample 2: encodes a message in place, in the log that the subscriber reads, so that nothing is copied.
 */
public final class Sample2Claim {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-2";
    private static final int STREAM_ID = 10;
    private static final int QUANTITY_OFFSET = Long.BYTES;
    private static final int LENGTH = Long.BYTES + Integer.BYTES;

    private Sample2Claim() {
    }

    private static void claim(final Publication publication, final BufferClaim claim) {
        long position = publication.tryClaim(LENGTH, claim);
        while (position < 0) {
            // these two stay as they are; the others pass: not connected yet, or back-pressured
            if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("the publication takes nothing any more: result=" + position);
            }
            Thread.onSpinWait();
            position = publication.tryClaim(LENGTH, claim);
        }
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        try (Transport transport = Transport.launch();
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
            ExclusivePublication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID)) {
            // one claim object for all messages of a thread: nothing is allocated for each
            final BufferClaim claim = new BufferClaim();
            claim(publication, claim);
            boolean isEncoded = false;
            try {
                // the buffer is valid until commit or abort; the message begins at the claim's offset
                final MutableDirectBuffer buffer = claim.buffer();
                buffer.putLong(claim.offset(), 1_084_200_000L, ByteOrder.LITTLE_ENDIAN);
                buffer.putInt(claim.offset() + QUANTITY_OFFSET, 25, ByteOrder.LITTLE_ENDIAN);
                claim.reservedValue(7);
                isEncoded = true;
            } finally {
                // an open claim holds up every message behind it: end it in any case
                if (isEncoded) {
                    claim.commit();
                } else {
                    claim.abort();
                }
            }

            final FragmentHandler print = (buffer, offset, length, header) ->
                System.out.println("price=" + buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN)
                    + " quantity=" + buffer.getInt(offset + QUANTITY_OFFSET, ByteOrder.LITTLE_ENDIAN)
                    + " reservedValue=" + header.reservedValue());
            while (subscription.poll(print, 10) == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
