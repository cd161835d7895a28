package io.sluice.samples.rpma;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.sluice.environment.SystemEnvironment;
import io.sluice.rpma.RpmaCompletionFlags;
import io.sluice.rpma.RpmaCompletionQueue;
import io.sluice.rpma.RpmaConnection;
import io.sluice.rpma.RpmaConnectionConfiguration;
import io.sluice.rpma.RpmaConnectionEvent;
import io.sluice.rpma.RpmaConnectionRequest;
import io.sluice.rpma.RpmaError;
import io.sluice.rpma.RpmaMemoryRegion;
import io.sluice.rpma.RpmaPeer;
import io.sluice.rpma.RpmaUsage;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;

/**
 * A short whole program over librpma: sends a message to {@code ./sluice rpma-ping-pong --pong} and has it back. The
 * README shows what stands between the marks.
 */
public final class RpmaSample {
    private RpmaSample() {
    }

    /**
     * Run it.
     *
     * @param args the address of the RDMA device where pong listens.
     */
    public static void main(final String[] args) {
        final String address = args[0];
        // README: begin
        try (RpmaPeer peer = RpmaPeer.ofRemoteAddress(SystemEnvironment.instance(), address);
            RpmaMemoryRegion region = peer.register(128, RpmaUsage.SEND | RpmaUsage.RECEIVE);
            RpmaConnectionRequest request =
                peer.requestConnection(address, "7204", RpmaConnectionConfiguration.DEFAULT)) {

            request.receive(region, 0, 64, 1); // offset, length and id: before the other side can send
            try (RpmaConnection connection = request.connect(new byte[]{64, 0, 0, 0})) { // private data
                region.buffer().putLong(64, 42);
                if (connection.nextEvent(SECONDS.toNanos(5)) != RpmaConnectionEvent.ESTABLISHED
                    || connection.send(region, 64, Long.BYTES, RpmaCompletionFlags.ON_ERROR, 2) != RpmaError.OK) {
                    throw new IllegalStateException("nobody listens there");
                }
                final RpmaCompletionQueue queue = connection.completionQueue();
                int found = queue.startPoll();
                while (found == Errno.ENOENT && queue.await(SECONDS.toNanos(5)) == RpmaError.OK) {
                    found = queue.startPoll(); // to spin, look again without waiting
                }
                if (found != Errno.OK) {
                    throw new IllegalStateException("no answer");
                }
                System.out.println(WorkStatus.name(queue.status()) + " of " + queue.workRequestId()
                    + ": " + region.buffer().getLong(0));
                queue.endPoll();
            }
        }
        // README: end
    }
}
