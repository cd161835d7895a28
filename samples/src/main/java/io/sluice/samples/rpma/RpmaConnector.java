package io.sluice.samples.rpma;

import io.sluice.environment.Environment;
import io.sluice.os.CpuAffinity;
import io.sluice.rpma.RpmaConnectionRequest;
import io.sluice.rpma.RpmaException;
import io.sluice.rpma.RpmaPeer;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The side that connects. Opened by a thread that is not pinned, for the sake of threads that links start; then one
 * thread uses it. Whoever opened it closes it, after its links.
 */
public final class RpmaConnector implements AutoCloseable {
    private final RpmaLinkOptions options;
    private final int messageLength;
    private final RpmaPeer peer;
    private final int[] cpus = CpuAffinity.allowedCpus();

    private RpmaConnector(final RpmaLinkOptions options, final int messageLength, final RpmaPeer peer) {
        this.options = options;
        this.messageLength = messageLength;
        this.peer = peer;
    }

    /**
     * Find the device that leads to the other side.
     *
     * @param environment   to reach the clock through.
     * @param options       where the other side is.
     * @param messageLength of the longest message, in bytes; the other side is told.
     * @return a connector without a link.
     * @throws RpmaLinkFailure when the library or the device is missing, with what to do.
     */
    public static RpmaConnector open(
        final Environment environment, final RpmaLinkOptions options, final int messageLength) {
        try {
            return new RpmaConnector(
                options, messageLength, RpmaPeer.ofRemoteAddress(environment, options.address()));
        } catch (final RpmaException | VerbsException e) {
            throw new RpmaLinkFailure(e);
        }
    }

    /**
     * Connect. Blocks for some seconds at most.
     *
     * @return the link, owned by the caller; null when nobody listens there now.
     * @throws RpmaLinkFailure when there is no way there.
     */
    public RpmaLink connect() {
        try (RpmaConnectionRequest request =
            peer.requestConnection(options.address(), options.portText(), RpmaLink.configuration())) {
            return RpmaLink.establish(peer, request, lengthAlong(messageLength), messageLength, options, cpus);
        } catch (final RpmaException | VerbsException e) {
            throw new RpmaLinkFailure(e);
        }
    }

    /** Encodes the length that a connector sends along. */
    private static byte[] lengthAlong(final int length) {
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array();
    }

    @Override
    public void close() {
        RpmaLinkFailure.around(peer::close);
    }
}
