package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.AnswerEncoder;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.ChallengeEncoder;
import io.sluice.codec.control.GoodbyeEncoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HelloEncoder;
import io.sluice.codec.control.IntroductionEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes what sessions say for themselves into one reused buffer. Each method returns the message's length in
 * {@link #buffer()}. Conductor only.
 */
final class ControlEncoder {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    UnsafeBuffer buffer() {
        return buffer;
    }

    int hello(final TransportId id, final TransportParameters parameters, final String endpoint) {
        // whoever asks for a key tells names to those who have proved that they hold it
        final boolean isGuarded = parameters.peerRules().asksForKey();
        final HelloEncoder encoder = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.transportId().high(id.high()).low(id.low());
        encoder
            .processId(isGuarded ? 0 : parameters.environment().processId())
            .livenessTimeoutNs(parameters.durations().livenessTimeoutNs())
            .heartbeatIntervalNs(parameters.durations().heartbeatIntervalNs())
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .oldestProtocolVersion(ControlDescriptor.OLDEST_PROTOCOL_VERSION)
            .authentication(isGuarded ? Authentication.HMAC_SHA256 : Authentication.NONE);
        final byte[] name =
            ControlText.bounded(isGuarded ? "" : parameters.name().clientName(), ControlDescriptor.MAX_NAME_LENGTH);
        final byte[] endpointBytes =
            ControlText.bounded(isGuarded ? "" : endpoint, ControlDescriptor.MAX_ENDPOINT_LENGTH);
        encoder.putClientName(name, 0, name.length).putEndpoint(endpointBytes, 0, endpointBytes.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int introduction(final TransportParameters parameters, final String endpoint) {
        final IntroductionEncoder encoder = new IntroductionEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.processId(parameters.environment().processId());
        final byte[] name = ControlText.bounded(parameters.name().clientName(), ControlDescriptor.MAX_NAME_LENGTH);
        final byte[] endpointBytes = ControlText.bounded(endpoint, ControlDescriptor.MAX_ENDPOINT_LENGTH);
        encoder.putClientName(name, 0, name.length).putEndpoint(endpointBytes, 0, endpointBytes.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int challenge(final byte[] nonce, final TransportId id) {
        final ChallengeEncoder encoder = new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.putNonce(nonce, 0, nonce.length).transportId().high(id.high()).low(id.low());
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int answer(final byte[] digest) {
        final AnswerEncoder encoder = new AnswerEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.putDigest(digest, 0, digest.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int goodbye(final GoodbyeReason reason, final String text) {
        final GoodbyeEncoder encoder = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, header);
        final byte[] bytes = ControlText.bounded(text, ControlDescriptor.MAX_TEXT_LENGTH);
        encoder.reason(reason).putText(bytes, 0, bytes.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }
}
