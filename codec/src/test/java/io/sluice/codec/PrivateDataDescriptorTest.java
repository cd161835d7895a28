package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.AcceptPrivateDataEncoder;
import io.sluice.codec.control.ConnectPrivateDataDecoder;
import io.sluice.codec.control.ConnectPrivateDataEncoder;
import io.sluice.codec.control.ConnectionPurpose;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RejectPrivateDataEncoder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PrivateDataDescriptorTest {
    private static final byte[] CONNECT = GoldenMessage.parse("""
        53 4c 43 45                # magic: SLCE
        02 00                      # protocolVersion: 2
        2c 00                      # ownLength: 44
        ef cd ab 89 67 45 23 01    # transportIdHigh
        11 32 54 76 98 ba dc fe    # transportIdLow
        08 07 06 05 04 03 02 01    # connectionId
        09 00 00 00                # epoch: 9
        02 00                      # purpose: SUBSCRIPTION_LINK
        00 00                      # reserved
        92 10 00 00                # processId: 4242
        """);
    private static final byte[] REJECT = GoldenMessage.parse("""
        53 4c 43 45                # magic: SLCE
        02 00                      # protocolVersion: 2
        20 00                      # ownLength: 32
        ef cd ab 89 67 45 23 01    # transportIdHigh
        11 32 54 76 98 ba dc fe    # transportIdLow
        92 10 00 00                # processId: 4242
        04                         # reason: NOT_ALLOWED
        00 00 00                   # reserved
        """);

    @Test
    void shouldFitIntoWhatConnectionManagementCarries() {
        assertTrue(ConnectPrivateDataEncoder.ENCODED_LENGTH <= PrivateDataDescriptor.MAX_CONNECT_LENGTH);
        assertTrue(AcceptPrivateDataEncoder.ENCODED_LENGTH <= PrivateDataDescriptor.MAX_ACCEPT_LENGTH);
        assertTrue(RejectPrivateDataEncoder.ENCODED_LENGTH <= PrivateDataDescriptor.MAX_REJECT_LENGTH);
    }

    @Test
    void shouldEncodeTheGoldenBytes() {
        UnsafeBuffer connect = new UnsafeBuffer(new byte[ConnectPrivateDataEncoder.ENCODED_LENGTH]);
        new ConnectPrivateDataEncoder().wrap(connect, 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(ConnectPrivateDataEncoder.ENCODED_LENGTH)
            .transportIdHigh(0x0123456789ABCDEFL)
            .transportIdLow(-0x0123456789ABCDEFL)
            .connectionId(0x0102030405060708L)
            .epoch(9)
            .purpose(ConnectionPurpose.SUBSCRIPTION_LINK)
            .reserved(0)
            .processId(4242);
        assertArrayEquals(CONNECT, connect.byteArray());

        UnsafeBuffer accept = new UnsafeBuffer(new byte[AcceptPrivateDataEncoder.ENCODED_LENGTH]);
        new AcceptPrivateDataEncoder().wrap(accept, 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(AcceptPrivateDataEncoder.ENCODED_LENGTH)
            .transportIdHigh(0x0123456789ABCDEFL)
            .transportIdLow(-0x0123456789ABCDEFL)
            .connectionId(0x0102030405060708L)
            .epoch(9)
            .purpose(ConnectionPurpose.SUBSCRIPTION_LINK)
            .reserved(0)
            .processId(4242);
        assertArrayEquals(CONNECT, accept.byteArray());

        UnsafeBuffer reject = new UnsafeBuffer(new byte[RejectPrivateDataEncoder.ENCODED_LENGTH]);
        new RejectPrivateDataEncoder().wrap(reject, 0)
            .magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(RejectPrivateDataEncoder.ENCODED_LENGTH)
            .transportIdHigh(0x0123456789ABCDEFL)
            .transportIdLow(-0x0123456789ABCDEFL)
            .processId(4242)
            .reason(GoodbyeReason.NOT_ALLOWED);
        assertArrayEquals(REJECT, reject.byteArray());
    }

    @Test
    void shouldTakeThemWithAnyPaddingAndOfANewerVersion() {
        byte[] padded = Arrays.copyOf(CONNECT, PrivateDataDescriptor.MAX_CONNECT_LENGTH);
        assertEquals(ControlMessageReader.OK, connect(CONNECT));
        assertEquals(ControlMessageReader.OK, connect(padded));
        padded[4] = 2;
        padded[6] = PrivateDataDescriptor.MAX_CONNECT_LENGTH;
        assertEquals(ControlMessageReader.OK, connect(padded));
        UnsafeBuffer accept = new UnsafeBuffer(Arrays.copyOf(CONNECT, PrivateDataDescriptor.MAX_ACCEPT_LENGTH));
        assertEquals(ControlMessageReader.OK, PrivateDataDescriptor.checkAccept(accept, 0, accept.capacity()));
        UnsafeBuffer reject = new UnsafeBuffer(Arrays.copyOf(REJECT, PrivateDataDescriptor.MAX_REJECT_LENGTH));
        assertEquals(ControlMessageReader.OK, PrivateDataDescriptor.checkReject(reject, 0, reject.capacity()));
    }

    @Test
    void shouldRefuseWhatIsNotOurs() {
        for (int length = 0; length < CONNECT.length; length++) {
            assertEquals(ControlMessageReader.TRUNCATED, connect(Arrays.copyOf(CONNECT, length)));
        }
        UnsafeBuffer buffer = new UnsafeBuffer(CONNECT);
        assertEquals(ControlMessageReader.TRUNCATED, PrivateDataDescriptor.checkConnect(buffer, 1, CONNECT.length));
        assertEquals(ControlMessageReader.TRUNCATED, PrivateDataDescriptor.checkConnect(buffer, -1, CONNECT.length));
        assertEquals(ControlMessageReader.TRUNCATED, PrivateDataDescriptor.checkAccept(buffer, 0, CONNECT.length - 1));
        assertEquals(ControlMessageReader.UNKNOWN_SCHEMA, connect(patched(3, 0)));
        assertEquals(ControlMessageReader.UNKNOWN_VERSION, connect(patched(4, 0)));
        assertEquals(ControlMessageReader.BAD_LENGTH, connect(patched(6, CONNECT.length - 1)));
        assertEquals(ControlMessageReader.BAD_LENGTH, connect(patched(6, CONNECT.length + 1)));
        assertEquals(ControlMessageReader.BAD_LENGTH, connect(patched(7, 0xFF)));
    }

    @Test
    void shouldReadAnUnknownPurposeAsUnknown() {
        byte[] unknown = patched(36, 3);
        assertEquals(ControlMessageReader.OK, connect(unknown));
        ConnectPrivateDataDecoder decoder = new ConnectPrivateDataDecoder().wrap(new UnsafeBuffer(unknown), 0);
        assertEquals(ConnectionPurpose.SBE_UNKNOWN, decoder.purpose());
    }

    @Test
    void shouldSurviveRandomBytes() {
        Random random = new Random(3);
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(80)];
            random.nextBytes(bytes);
            System.arraycopy(CONNECT, 0, bytes, 0, Math.min(bytes.length, random.nextInt(9)));
            if (connect(bytes) == ControlMessageReader.OK) {
                taken++;
                assertTrue(new ConnectPrivateDataDecoder().wrap(new UnsafeBuffer(bytes), 0).toString().length() > 0);
            }
        }
        assertTrue(taken > 100, "taken=" + taken);
    }

    private static int connect(byte[] bytes) {
        return PrivateDataDescriptor.checkConnect(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private static byte[] patched(int offset, int value) {
        byte[] bytes = CONNECT.clone();
        bytes[offset] = (byte) value;
        return bytes;
    }
}
