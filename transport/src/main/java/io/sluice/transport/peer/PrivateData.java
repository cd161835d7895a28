package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.PrivateDataDescriptor;
import io.sluice.codec.control.AcceptPrivateDataDecoder;
import io.sluice.codec.control.AcceptPrivateDataEncoder;
import io.sluice.codec.control.ConnectPrivateDataDecoder;
import io.sluice.codec.control.ConnectPrivateDataEncoder;
import io.sluice.codec.control.ConnectionPurpose;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RejectPrivateDataDecoder;
import io.sluice.codec.control.RejectPrivateDataEncoder;
import io.sluice.transport.settings.TransportId;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The private data of control connections: who connects, and whether it is a Sluice at all. Stateless.
 */
final class PrivateData {
    /** The number of bytes shown of a stranger's private data, enough to know a protocol by. */
    private static final int BYTES_SHOWN = 16;

    /** Stands for the process id of a transport that tells it after a proof only. */
    static final long UNTOLD = 0;

    private PrivateData() {
    }

    static byte[] connect(final TransportId id, final long processId) {
        final byte[] bytes = new byte[ConnectPrivateDataEncoder.ENCODED_LENGTH];
        new ConnectPrivateDataEncoder().wrap(new UnsafeBuffer(bytes), 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(bytes.length)
            .transportIdHigh(id.high())
            .transportIdLow(id.low())
            .connectionId(0)
            .epoch(0)
            .purpose(ConnectionPurpose.CONTROL)
            .processId(processId);
        return bytes;
    }

    static byte[] accept(final TransportId id, final long processId) {
        final byte[] bytes = new byte[AcceptPrivateDataEncoder.ENCODED_LENGTH];
        new AcceptPrivateDataEncoder().wrap(new UnsafeBuffer(bytes), 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(bytes.length)
            .transportIdHigh(id.high())
            .transportIdLow(id.low())
            .connectionId(0)
            .epoch(0)
            .purpose(ConnectionPurpose.CONTROL)
            .processId(processId);
        return bytes;
    }

    static byte[] reject(final TransportId id, final long processId, final GoodbyeReason reason) {
        final byte[] bytes = new byte[RejectPrivateDataEncoder.ENCODED_LENGTH];
        new RejectPrivateDataEncoder().wrap(new UnsafeBuffer(bytes), 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(bytes.length)
            .transportIdHigh(id.high())
            .transportIdLow(id.low())
            .processId(processId)
            .reason(reason);
        return bytes;
    }

    /** The reason why a connect request is not one of ours, or null when it is. */
    static String connectProblem(final byte[] privateData) {
        final UnsafeBuffer buffer = new UnsafeBuffer(privateData);
        final int result = PrivateDataDescriptor.checkConnect(buffer, 0, privateData.length);
        if (result != ControlMessageReader.OK) {
            return ControlMessageReader.resultString(result);
        }
        final ConnectionPurpose purpose = new ConnectPrivateDataDecoder().wrap(buffer, 0).purpose();
        return purpose == ConnectionPurpose.CONTROL ? null : "purpose=" + purpose;
    }

    /** The id of the transport that has accepted, as it says itself, or null when it is not one of ours. */
    static TransportId acceptor(final byte[] privateData) {
        final UnsafeBuffer buffer = new UnsafeBuffer(privateData);
        if (PrivateDataDescriptor.checkAccept(buffer, 0, privateData.length) != ControlMessageReader.OK) {
            return null;
        }
        final AcceptPrivateDataDecoder decoder = new AcceptPrivateDataDecoder().wrap(buffer, 0);
        return new TransportId(decoder.transportIdHigh(), decoder.transportIdLow());
    }

    /**
     * Describes why a connection was rejected, and by whom, for people.
     *
     * @param privateData that came with it.
     * @param problem     what the device says of it, or nothing.
     */
    static ConnectProblem rejection(final byte[] privateData, final String problem) {
        final UnsafeBuffer buffer = new UnsafeBuffer(privateData);
        final String more = problem.isEmpty() ? "" : ": " + problem;
        if (isNothing(privateData)) {
            final String kind = "rejected without private data, which would say by whom: a program that is closing, or"
                + " that more ask to connect than may wait, another program than a Sluice, or the kernel of a host that"
                + " does not have the GID that it is asked by";
            return new ConnectProblem(kind + wayOf(problem), kind + more);
        }
        final int result = PrivateDataDescriptor.checkReject(buffer, 0, privateData.length);
        if (result != ControlMessageReader.OK) {
            final String kind = "rejected by who is no Sluice, or one of another version: "
                + ControlMessageReader.resultString(result);
            return new ConnectProblem(kind, kind + ", private data begins with " + beginning(privateData) + more);
        }
        final RejectPrivateDataDecoder decoder = new RejectPrivateDataDecoder().wrap(buffer, 0);
        final String kind = "rejected: " + decoder.reason();
        return new ConnectProblem(
            kind, kind + (decoder.processId() == UNTOLD ? "" : " by pid " + decoder.processId()));
    }

    /** The way that this end took, which is not the peer's word: told again when it changes. */
    private static String wayOf(final String problem) {
        return problem.substring(0, Math.max(0, problem.lastIndexOf(": ")));
    }

    /** Describe an acceptor that is none of ours, for people. */
    static ConnectProblem stranger(final byte[] privateData) {
        final String kind = "accepted by who is no Sluice, or one of another version: ";
        return new ConnectProblem(kind, kind + (isNothing(privateData)
            ? "without private data" : "private data begins with " + beginning(privateData)));
    }

    /** Whether there is no private data: devices pad with zeroes. */
    private static boolean isNothing(final byte[] privateData) {
        for (final byte each : privateData) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private static String beginning(final byte[] privateData) {
        return HexFormat.of().formatHex(privateData, 0, Math.min(privateData.length, BYTES_SHOWN));
    }
}
