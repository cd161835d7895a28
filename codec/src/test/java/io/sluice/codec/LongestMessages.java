package io.sluice.codec;

import io.sluice.codec.control.EvictEncoder;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.HelloEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupEncoder;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages that reach all their bounds, with the same blocks as the golden ones. */
final class LongestMessages {
    private LongestMessages() {
    }

    static List<byte[]> all() {
        return List.of(hello(), setup(), heartbeat(), evict());
    }

    private static byte[] hello() {
        UnsafeBuffer buffer = bufferWithBlockOf(GoldenMessage.HELLO);
        HelloEncoder message = new HelloEncoder().wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH);
        put(ControlDescriptor.MAX_NAME_LENGTH, message::putClientName);
        put(ControlDescriptor.MAX_ENDPOINT_LENGTH, message::putEndpoint);
        return bytes(buffer, message.encodedLength());
    }

    private static byte[] setup() {
        UnsafeBuffer buffer = bufferWithBlockOf(GoldenMessage.SETUP);
        SetupEncoder message = new SetupEncoder().wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH);
        put(ControlDescriptor.MAX_QUEUE_PAIR_ADDRESS_LENGTH, message::putQueuePairAddress);
        put(ControlDescriptor.MAX_LOG_TOKEN_LENGTH, message::putLogToken);
        put(ControlDescriptor.MAX_CHANNEL_LENGTH, message::putChannel);
        return bytes(buffer, message.encodedLength());
    }

    private static byte[] evict() {
        UnsafeBuffer buffer = bufferWithBlockOf(GoldenMessage.EVICT);
        EvictEncoder message = new EvictEncoder().wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH);
        put(ControlDescriptor.MAX_NAME_LENGTH, message::putConsumerName);
        put(ControlDescriptor.MAX_TEXT_LENGTH, message::putText);
        return bytes(buffer, message.encodedLength());
    }

    private static byte[] heartbeat() {
        UnsafeBuffer buffer = bufferWithBlockOf(GoldenMessage.HEARTBEAT);
        HeartbeatEncoder message = new HeartbeatEncoder().wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH);
        HeartbeatEncoder.LinksEncoder links = message.linksCount(ControlDescriptor.MAX_HEARTBEAT_LINKS);
        for (int i = 0; i < ControlDescriptor.MAX_HEARTBEAT_LINKS; i++) {
            links.next().linkId(i).position(i * 32L).epoch(i + 1).role(Role.SUBSCRIPTION);
        }
        return bytes(buffer, message.encodedLength());
    }

    private static UnsafeBuffer bufferWithBlockOf(GoldenMessage golden) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH]);
        byte[] bytes = golden.bytes();
        buffer.putBytes(0, bytes, 0, MessageHeaderEncoder.ENCODED_LENGTH + bytes[0]);
        return buffer;
    }

    private static byte[] bytes(UnsafeBuffer buffer, int encodedLength) {
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }

    private static void put(int length, VariablePart part) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 'x');
        part.put(bytes, 0, length);
    }

    private interface VariablePart {
        Object put(byte[] source, int offset, int length);
    }
}
