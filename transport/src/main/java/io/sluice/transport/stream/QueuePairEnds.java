package io.sluice.transport.stream;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.status.ErrorKind;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.VerbsException;

/** Moves the queue pairs of a stream's links to the ERROR state. Conductor only; it owns nothing. */
final class QueuePairEnds {
    private final Failures failures;
    private final String subject;

    QueuePairEnds(final Failures failures, final int streamId, final String channel) {
        this.failures = failures;
        subject = "end of a link of streamId=" + streamId + " channel=" + channel;
    }

    /**
     * Fails a queue pair that is to be destroyed. When the device refuses, the application is told and the link ends
     * all the same: the destruction ends the queue pair, whatever its state.
     *
     * @return false when the device has refused: until the destruction the queue pair goes on.
     */
    boolean fail(final QueuePair ending) {
        try {
            ending.fail();
            return true;
        } catch (final VerbsException ex) {
            failures.report(ErrorKind.LINK_FAILED, subject, ex);
            return false;
        }
    }
}
