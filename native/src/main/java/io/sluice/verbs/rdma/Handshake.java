package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;

/** The rules of all steps of the connection manager's handshakes. Stateless; any thread. */
final class Handshake {
    private Handshake() {
    }

    static void checkLength(final String call, final byte[] privateData, final int max) {
        if (privateData.length > max) {
            throw new VerbsException(
                call, Errno.EINVAL, "privateData.length=" + privateData.length + " is more than " + max);
        }
    }

    /**
     * Make a step of a handshake. When the peer of a request gives up, the kernel tells nobody before the request is
     * accepted, but refuses every further step as invalid, as it does a step that is.
     *
     * @param what cannot be done when it fails, for the message.
     * @throws VerbsException ETIMEDOUT when the peer has given up or the step is invalid; others as they are.
     */
    static void step(final SetupCall call, final String what, final Object... arguments) {
        final int error = call.invoke(arguments).error();
        if (error == Errno.EINVAL) {
            throw new VerbsException(call.name(), Errno.ETIMEDOUT, what + ": the peer has given up waiting, or"
                + " the device refuses what it was given, " + Errno.describe(error));
        }
        if (error != 0) {
            throw call.failure(error, what);
        }
    }

    /** The failure of a step after the peer has said that it has given up waiting. */
    static VerbsException givenUp(final SetupCall call) {
        return new VerbsException(call.name(), Errno.ETIMEDOUT, "the peer has given up waiting");
    }
}
