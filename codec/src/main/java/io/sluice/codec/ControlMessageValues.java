package io.sluice.codec;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.CloseLinkDecoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.EndOfStreamDecoder;
import io.sluice.codec.control.EndOfStreamReceivedDecoder;
import io.sluice.codec.control.EstablishedDecoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.GoodbyeDecoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.codec.control.MessageHeaderDecoder;
import io.sluice.codec.control.PressureCause;
import io.sluice.codec.control.PressureState;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupDecoder;

/**
 * Judges those values of a control message that no state of the transport could make right. What depends on state (does
 * the link exist, is the position within the window) is the transport's to judge. Stateless; any thread may call it.
 */
final class ControlMessageValues {
    /** The choices that each set has in this schema version. */
    private static final long SETUP_FLAGS = 0b111;
    private static final long ACCEPT_FLAGS = 0b111;
    private static final long LINK_BROKEN_FLAGS = 0b1;

    private ControlMessageValues() {
    }

    static boolean areLegal(final HelloDecoder hello) {
        return isVersionNumber(hello.protocolVersion())
            && isVersionNumber(hello.oldestProtocolVersion())
            && hello.oldestProtocolVersion() <= hello.protocolVersion()
            && hello.livenessTimeoutNs() > 0
            && hello.heartbeatIntervalNs() > 0
            && isKnown(hello.authentication(), Authentication.SBE_UNKNOWN);
    }

    static boolean areLegal(final SetupDecoder setup) {
        return isEpoch(setup.epoch())
            && isPositionOrNull(setup.resumePosition())
            && isPosition(setup.publicationPosition())
            && setup.windowLength() > 0
            && setup.writesInFlight() > 0
            && areFlagsKnown(setup.flags().getRaw(), SETUP_FLAGS, setup.actingVersion());
    }

    static boolean areLegal(final AcceptDecoder accept) {
        return isEpoch(accept.epoch())
            && isPositionOrNull(accept.receivedPosition())
            && accept.receiveDepth() > 0
            && areFlagsKnown(accept.flags().getRaw(), ACCEPT_FLAGS, accept.actingVersion());
    }

    static boolean areLegal(final RefuseDecoder refuse) {
        return isEpoch(refuse.epoch())
            && informs(refuse.reason(), RefuseReason.SBE_UNKNOWN, refuse.actingVersion());
    }

    static boolean areLegal(final EstablishedDecoder established) {
        return isEpoch(established.epoch()) && isPosition(established.joinPosition());
    }

    static boolean areLegal(final HeartbeatDecoder heartbeat) {
        final HeartbeatDecoder.LinksDecoder links = heartbeat.links();
        while (links.hasNext()) {
            links.next();
            if (!isEpoch(links.epoch()) || !isPosition(links.position()) || !isKnown(links.role(), Role.SBE_UNKNOWN)) {
                return false;
            }
        }
        return true;
    }

    static boolean areLegal(final EndOfStreamDecoder endOfStream) {
        return isEpoch(endOfStream.epoch()) && isPosition(endOfStream.endPosition());
    }

    static boolean areLegal(final EndOfStreamReceivedDecoder received) {
        return isEpoch(received.epoch()) && isPosition(received.receivedPosition());
    }

    static boolean areLegal(final LinkBrokenDecoder linkBroken) {
        return isEpoch(linkBroken.epoch())
            && isPositionOrNull(linkBroken.receivedPosition())
            && isPositionOrNull(linkBroken.publicationPosition())
            && areFlagsKnown(linkBroken.flags().getRaw(), LINK_BROKEN_FLAGS, linkBroken.actingVersion())
            && isKnown(linkBroken.role(), Role.SBE_UNKNOWN)
            && informs(linkBroken.reason(), LinkBrokenReason.SBE_UNKNOWN, linkBroken.actingVersion());
    }

    static boolean areLegal(final EvictDecoder evict) {
        return isEpoch(evict.epoch()) && evict.consumerBytesBehind() >= 0;
    }

    static boolean areLegal(final CloseLinkDecoder closeLink) {
        return isEpoch(closeLink.epoch())
            && isKnown(closeLink.role(), Role.SBE_UNKNOWN)
            && informs(closeLink.reason(), CloseReason.SBE_UNKNOWN, closeLink.actingVersion());
    }

    static boolean areLegal(final GoodbyeDecoder goodbye) {
        return informs(goodbye.reason(), GoodbyeReason.SBE_UNKNOWN, goodbye.actingVersion());
    }

    static boolean areLegal(final BackPressureDecoder backPressure) {
        return isEpoch(backPressure.epoch())
            && backPressure.bytesBehind() >= 0
            && backPressure.durationNs() >= 0
            && informs(backPressure.state(), PressureState.SBE_UNKNOWN, backPressure.actingVersion())
            && informs(backPressure.cause(), PressureCause.SBE_UNKNOWN, backPressure.actingVersion());
    }

    private static boolean isEpoch(final long epoch) {
        return epoch >= SetupDecoder.epochMinValue() && epoch <= SetupDecoder.epochMaxValue();
    }

    private static boolean isVersionNumber(final long version) {
        return version >= HelloDecoder.protocolVersionMinValue() && version <= HelloDecoder.protocolVersionMaxValue();
    }

    private static boolean isPosition(final long position) {
        return position >= 0
            && position <= FrameDescriptor.MAX_POSITION
            && position % FrameDescriptor.FRAME_ALIGNMENT == 0;
    }

    private static boolean isPositionOrNull(final long position) {
        return isPosition(position) || position == SetupDecoder.resumePositionNullValue();
    }

    private static boolean areFlagsKnown(final long flags, final long knownFlags, final int version) {
        return (flags & ~knownFlags) == 0 || version > MessageHeaderDecoder.SCHEMA_VERSION;
    }

    /** Checks an enum that decides what happens next: the generated constants end with SBE_UNKNOWN and NULL_VAL. */
    private static <E extends Enum<E>> boolean isKnown(final E value, final E unknown) {
        return value.compareTo(unknown) < 0;
    }

    /** Checks an enum that only informs: a newer peer may say what this version has no word for. */
    private static <E extends Enum<E>> boolean informs(final E value, final E unknown, final int version) {
        return isKnown(value, unknown) || value == unknown && version > MessageHeaderDecoder.SCHEMA_VERSION;
    }
}
