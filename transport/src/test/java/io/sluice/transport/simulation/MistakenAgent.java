package io.sluice.transport.simulation;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import org.agrona.concurrent.Agent;

/** Makes a {@link Mistake} again and again in the memory of a publication. */
final class MistakenAgent implements Agent {
    private static final int INTERVAL_NS = 20_000;

    private final SimulatedMachine machine;
    private final Mistake mistake;
    private final ExclusivePublication publication;
    private final OfferedMessages offered;

    MistakenAgent(
        final SimulatedMachine machine,
        final Mistake mistake,
        final ExclusivePublication publication,
        final OfferedMessages offered) {
        this.machine = machine;
        this.mistake = mistake;
        this.publication = publication;
        this.offered = offered;
    }

    @Override
    public int doWork() {
        machine.parkRunning(INTERVAL_NS);
        final SendLog log = Internals.state(publication).log();
        if (mistake == Mistake.CHANGED_BYTE) {
            final long start = offered.lastNonEmptyStart();
            if (start >= 0) {
                final int index = log.offset(start) + FrameDescriptor.HEADER_LENGTH;
                log.buffer().putByte(index, (byte) ~log.buffer().getByte(index));
            }
        } else if (mistake == Mistake.EARLY_REPORT) {
            for (final OutboundLink link : Internals.state(publication).poster().links()) {
                link.parameters().feedbackRegion().buffer().putLongRelease(
                    FeedbackDescriptor.CONSUMED_POSITION_OFFSET, log.tail());
            }
        }
        return 0;
    }

    @Override
    public String roleName() {
        return "mistakes@0";
    }
}
