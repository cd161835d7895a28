package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.control.AcceptEncoder;
import io.sluice.codec.control.BackPressureEncoder;
import io.sluice.codec.control.CloseLinkEncoder;
import io.sluice.codec.control.EndOfStreamEncoder;
import io.sluice.codec.control.EndOfStreamReceivedEncoder;
import io.sluice.codec.control.EstablishedEncoder;
import io.sluice.codec.control.EvictEncoder;
import io.sluice.codec.control.GoodbyeEncoder;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.HelloEncoder;
import io.sluice.codec.control.LinkBrokenEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.RefuseEncoder;
import io.sluice.codec.control.SetupEncoder;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of every message whose values are judged, one bad value at a time. */
class ControlMessageValuesTest {
    private static final long[] BAD_EPOCHS = {0, 0xFFFF_FFFFL};
    private static final long[] BAD_POSITIONS = {-1, 1, 31, (1L << 62) + 32, Long.MIN_VALUE};
    private static final long[] BAD_OPTIONAL_POSITIONS = {-2, 1, 31, (1L << 62) + 32, Long.MIN_VALUE};
    private static final long[] NEGATIVE = {-1, Long.MIN_VALUE};
    private static final long[] NOT_POSITIVE = {0, -1, Integer.MIN_VALUE};
    private static final int LINKS_OFFSET =
        HeartbeatEncoder.BLOCK_LENGTH + HeartbeatEncoder.LinksEncoder.sbeHeaderSize();

    private final DecodingHandler handler = new DecodingHandler();
    private final ControlMessageReader reader = new ControlMessageReader(handler);

    private record Field(GoldenMessage golden, String name, int offset, int length, long... badValues) {
        @Override
        public String toString() {
            return golden + "." + name;
        }
    }

    private static Stream<Field> epochs() {
        return Stream.of(
            epoch(GoldenMessage.SETUP, SetupEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.ACCEPT, AcceptEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.REFUSE, RefuseEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.ESTABLISHED, EstablishedEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.HEARTBEAT, LINKS_OFFSET + HeartbeatEncoder.LinksEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.END_OF_STREAM, EndOfStreamEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.END_OF_STREAM_RECEIVED, EndOfStreamReceivedEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.LINK_BROKEN, LinkBrokenEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.EVICT, EvictEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.CLOSE_LINK, CloseLinkEncoder.epochEncodingOffset()),
            epoch(GoldenMessage.BACK_PRESSURE, BackPressureEncoder.epochEncodingOffset()));
    }

    private static Stream<Field> positions() {
        return Stream.of(
            new Field(GoldenMessage.SETUP, "resumePosition",
                SetupEncoder.resumePositionEncodingOffset(), 8, BAD_OPTIONAL_POSITIONS),
            new Field(GoldenMessage.SETUP, "publicationPosition",
                SetupEncoder.publicationPositionEncodingOffset(), 8, BAD_POSITIONS),
            new Field(GoldenMessage.ACCEPT, "receivedPosition",
                AcceptEncoder.receivedPositionEncodingOffset(), 8, BAD_OPTIONAL_POSITIONS),
            new Field(GoldenMessage.ESTABLISHED, "joinPosition",
                EstablishedEncoder.joinPositionEncodingOffset(), 8, BAD_POSITIONS),
            new Field(GoldenMessage.HEARTBEAT, "position",
                LINKS_OFFSET + HeartbeatEncoder.LinksEncoder.positionEncodingOffset(), 8, BAD_POSITIONS),
            new Field(GoldenMessage.END_OF_STREAM, "endPosition",
                EndOfStreamEncoder.endPositionEncodingOffset(), 8, BAD_POSITIONS),
            new Field(GoldenMessage.END_OF_STREAM_RECEIVED, "receivedPosition",
                EndOfStreamReceivedEncoder.receivedPositionEncodingOffset(), 8, BAD_POSITIONS),
            new Field(GoldenMessage.LINK_BROKEN, "receivedPosition",
                LinkBrokenEncoder.receivedPositionEncodingOffset(), 8, BAD_OPTIONAL_POSITIONS),
            new Field(GoldenMessage.LINK_BROKEN, "publicationPosition",
                LinkBrokenEncoder.publicationPositionEncodingOffset(), 8, BAD_OPTIONAL_POSITIONS));
    }

    private static Stream<Field> numbers() {
        return Stream.of(
            new Field(GoldenMessage.HELLO, "protocolVersion",
                HelloEncoder.protocolVersionEncodingOffset(), 4, BAD_EPOCHS),
            new Field(GoldenMessage.HELLO, "oldestProtocolVersion",
                HelloEncoder.oldestProtocolVersionEncodingOffset(), 4, 0, 2, 0xFFFF_FFFFL),
            new Field(GoldenMessage.HELLO, "livenessTimeoutNs",
                HelloEncoder.livenessTimeoutNsEncodingOffset(), 8, NOT_POSITIVE),
            new Field(GoldenMessage.HELLO, "heartbeatIntervalNs",
                HelloEncoder.heartbeatIntervalNsEncodingOffset(), 8, NOT_POSITIVE),
            new Field(GoldenMessage.SETUP, "windowLength", SetupEncoder.windowLengthEncodingOffset(), 4, NOT_POSITIVE),
            new Field(GoldenMessage.SETUP, "writesInFlight",
                SetupEncoder.writesInFlightEncodingOffset(), 4, NOT_POSITIVE),
            new Field(GoldenMessage.ACCEPT, "receiveDepth",
                AcceptEncoder.receiveDepthEncodingOffset(), 4, NOT_POSITIVE),
            new Field(GoldenMessage.EVICT, "consumerBytesBehind",
                EvictEncoder.consumerBytesBehindEncodingOffset(), 8, NEGATIVE),
            new Field(GoldenMessage.BACK_PRESSURE, "bytesBehind",
                BackPressureEncoder.bytesBehindEncodingOffset(), 8, NEGATIVE),
            new Field(GoldenMessage.BACK_PRESSURE, "durationNs",
                BackPressureEncoder.durationNsEncodingOffset(), 8, NEGATIVE));
    }

    private static Stream<Field> enumsAndSets() {
        return Stream.of(
            new Field(GoldenMessage.HELLO, "authentication", HelloEncoder.authenticationEncodingOffset(), 1, 2, 255),
            new Field(GoldenMessage.REFUSE, "reason", RefuseEncoder.reasonEncodingOffset(), 1, 9, 255),
            new Field(GoldenMessage.HEARTBEAT, "role",
                LINKS_OFFSET + HeartbeatEncoder.LinksEncoder.roleEncodingOffset(), 1, 2, 255),
            new Field(GoldenMessage.LINK_BROKEN, "role", LinkBrokenEncoder.roleEncodingOffset(), 1, 2, 255),
            new Field(GoldenMessage.LINK_BROKEN, "reason", LinkBrokenEncoder.reasonEncodingOffset(), 1, 9, 255),
            new Field(GoldenMessage.LINK_BROKEN, "flags", LinkBrokenEncoder.flagsEncodingOffset(), 4, 2, 1L << 31),
            new Field(GoldenMessage.SETUP, "flags", SetupEncoder.flagsEncodingOffset(), 4, 8, 1L << 31),
            new Field(GoldenMessage.ACCEPT, "flags", AcceptEncoder.flagsEncodingOffset(), 4, 8, 1L << 31),
            new Field(GoldenMessage.CLOSE_LINK, "role", CloseLinkEncoder.roleEncodingOffset(), 1, 2, 255),
            new Field(GoldenMessage.CLOSE_LINK, "reason", CloseLinkEncoder.reasonEncodingOffset(), 1, 5, 255),
            new Field(GoldenMessage.GOODBYE, "reason", GoodbyeEncoder.reasonEncodingOffset(), 1, 6, 255),
            new Field(GoldenMessage.BACK_PRESSURE, "state", BackPressureEncoder.stateEncodingOffset(), 1, 3, 255),
            new Field(GoldenMessage.BACK_PRESSURE, "cause", BackPressureEncoder.causeEncodingOffset(), 1, 7, 255));
    }

    private static Field epoch(GoldenMessage golden, int offset) {
        return new Field(golden, "epoch", offset, 4, BAD_EPOCHS);
    }

    @ParameterizedTest
    @MethodSource({"epochs", "positions", "numbers", "enumsAndSets"})
    void shouldRefuseEveryBadValue(Field field) {
        for (long value : field.badValues) {
            byte[] bytes = field.golden.bytes();
            UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            int offset = MessageHeaderEncoder.ENCODED_LENGTH + field.offset;
            switch (field.length) {
                case 1 -> buffer.putByte(offset, (byte) value);
                case 4 -> buffer.putInt(offset, (int) value);
                default -> buffer.putLong(offset, value);
            }
            assertEquals(ControlMessageReader.BAD_VALUE, reader.read(buffer, 0, bytes.length), () -> "value=" + value);
        }
        assertEquals(0, handler.count());
    }
}
