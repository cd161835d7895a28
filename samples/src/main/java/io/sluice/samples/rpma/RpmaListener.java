package io.sluice.samples.rpma;

import io.sluice.environment.Environment;
import io.sluice.os.CpuAffinity;
import io.sluice.rpma.RpmaConnectionRequest;
import io.sluice.rpma.RpmaEndpoint;
import io.sluice.rpma.RpmaException;
import io.sluice.rpma.RpmaPeer;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.CloseHelper;

/**
 * The side that listens. Opened by a thread that is not pinned, for the sake of threads that links start; then one
 * thread uses it. Whoever opened it closes it, after its links.
 */
public final class RpmaListener implements AutoCloseable {
    private final RpmaLinkOptions options;
    private final RpmaPeer peer;
    private final RpmaEndpoint endpoint;
    private final int[] cpus = CpuAffinity.allowedCpus();

    private RpmaListener(final RpmaLinkOptions options, final RpmaPeer peer, final RpmaEndpoint endpoint) {
        this.options = options;
        this.peer = peer;
        this.endpoint = endpoint;
    }

    /**
     * Listen.
     *
     * @param environment to reach the clock through.
     * @param options     where.
     * @return the listener.
     * @throws RpmaLinkFailure when the library or the device is missing, or the port in use, with what to do.
     */
    public static RpmaListener open(final Environment environment, final RpmaLinkOptions options) {
        RpmaPeer peer = null;
        try {
            peer = RpmaPeer.ofLocalAddress(environment, options.address());
            return new RpmaListener(options, peer, peer.listen(options.address(), options.portText()));
        } catch (final RpmaException | VerbsException e) {
            CloseHelper.close(peer);
            throw new RpmaLinkFailure(e);
        }
    }

    /**
     * Accept the next connection.
     *
     * @param timeoutNs longest wait for it, in nanoseconds.
     * @return the link, owned by the caller; null when nobody came, or went at once.
     * @throws RpmaLinkFailure when somebody came who is not a connector, or the connection cannot be made.
     */
    public RpmaLink accept(final long timeoutNs) {
        try (RpmaConnectionRequest request = endpoint.nextConnectionRequest(RpmaLink.configuration(), timeoutNs)) {
            if (request == null) {
                return null;
            }
            final int messageLength = lengthAlong(request.privateData());
            return RpmaLink.establish(peer, request, new byte[0], messageLength, options, cpus);
        } catch (final RpmaException | VerbsException e) {
            throw new RpmaLinkFailure(e);
        }
    }

    /** Decodes the length that a connector has sent along; zeros may follow. */
    private static int lengthAlong(final byte[] data) {
        final int length = data.length < Integer.BYTES
            ? 0 : ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (length < 1 || length > RpmaLink.MAX_MESSAGE_LENGTH) {
            throw new RpmaLinkFailure("refused a connection of another program: length=" + length
                + " is not in 1.." + RpmaLink.MAX_MESSAGE_LENGTH);
        }
        return length;
    }

    @Override
    public void close() {
        RpmaLinkFailure.around(() -> CloseHelper.closeAll(endpoint, peer));
    }
}
