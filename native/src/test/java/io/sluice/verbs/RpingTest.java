package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The other side is a C program of somebody else: rping, which plays this with librdmacm and libibverbs. For each ping
 * its client SENDs where its bytes lie, its server READs them and SENDs an answer, the client SENDs where it wants them
 * back, and the server WRITEs them there and SENDs another answer. Where bytes lie is told by their address (8 bytes),
 * key (4) and length (4), most significant byte first; an answer is as long, and its content does not matter.
 */
class RpingTest extends VerbsSuite {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final int PINGS = 20;
    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final byte[] NOTHING = {};
    /** Room that rping's server at least wants to have for the bytes, whatever comes. */
    private static final int LEAST_ROOM = 64;

    private static final int PLACE_LENGTH = 16;
    private static final int KEY_OFFSET = 8;
    private static final int LENGTH_OFFSET = 12;
    /** Offsets in our region: of what is sent, what is received, the bytes that go, and those that come. */
    private static final int SENT = 0;
    private static final int RECEIVED = 64;
    private static final int SOURCE = 128;
    private static final int SINK = 128 + 64 * 1024;
    private static final int REGION_LENGTH = SINK + 64 * 1024;

    @TempDir
    private Path folder;

    private String address;
    private Endpoint own;
    private Connection connection;

    @BeforeEach
    void assumeRping() {
        rig.assumeHas(DeviceFixture.Ability.REACHES_OTHER_PROGRAMS);
        // The lab has it: there it must not be missing.
        assumeTrue(Rping.isInstalled() || System.getenv("SLUICE_LAB") != null,
            "no rping here (Debian: apt install rdmacm-utils)");
        address = fixture.newAddress();
    }

    private static EndpointOptions options() {
        return new EndpointOptions().grants(ACCESS).regionLength(REGION_LENGTH);
    }

    private void postReceive() {
        assertEquals(Errno.OK, own.receive(1, RECEIVED, PLACE_LENGTH));
    }

    /** Awaits a message of the peer: 16 bytes; room for the next must be there before it is answered. */
    private void awaitMessage() {
        final Completion received = rig.awaitSuccess(own.receiveQueue);
        assertEquals(WorkOpcode.RECV, received.opcode());
        assertEquals(PLACE_LENGTH, received.byteLength());
    }

    private void send() {
        assertEquals(Errno.OK, own.send(2, WorkFlags.SIGNALED, SENT, PLACE_LENGTH));
        assertEquals(WorkOpcode.SEND, rig.awaitSuccess(own.sendQueue).opcode());
    }

    private void sendPlace(final int offset, final int length) {
        own.buffer.putLong(SENT, own.address(offset), ByteOrder.BIG_ENDIAN);
        own.buffer.putInt(SENT + KEY_OFFSET, own.region.remoteKey(), ByteOrder.BIG_ENDIAN);
        own.buffer.putInt(SENT + LENGTH_OFFSET, length, ByteOrder.BIG_ENDIAN);
        send();
    }

    /** The client's part of a ping with a text, which rping's server takes to end with a zero. */
    private void ping(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        final int length = bytes.length + 1;
        own.buffer.putBytes(SOURCE, bytes);
        own.buffer.putByte(SOURCE + bytes.length, (byte) 0);
        own.buffer.setMemory(SINK, length + 1, (byte) 1);
        sendPlace(SOURCE, length);
        awaitMessage();
        postReceive();
        sendPlace(SINK, length);
        awaitMessage();
        postReceive();
        assertEquals(text, own.buffer.getStringWithoutLengthAscii(SINK, bytes.length));
        assertEquals(0, own.buffer.getByte(SINK + bytes.length));
        assertEquals(1, own.buffer.getByte(SINK + length), "beyond what was written");
    }

    private static String text(final int ping, final int length) {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) ('a' + ping % 26));
        final String number = "ping " + ping + " ";
        return number + new String(bytes, number.length(), length - number.length(), StandardCharsets.US_ASCII);
    }

    /** Connected to a program that may not listen yet. */
    private void connect(final ForeignProgram server) {
        rig.until("rping to listen", () -> {
            assertTrue(server.isAlive(), server::errors);
            connection = rig.first.connect(address, own.queuePair, NOTHING, TIMEOUT_NS);
            rig.until("an answer", () -> connection.poll() != Connection.State.CONNECTING);
            if (connection.poll() == Connection.State.ESTABLISHED) {
                rig.keep(connection);
                return true;
            }
            connection.close();
            return false;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 100, 4096, 60_000})
    void shouldPingAServerInC(final int length) throws IOException, InterruptedException {
        final ForeignProgram server = rig.keep(
            Rping.start(folder, address, "-s", "-S", Integer.toString(Math.max(LEAST_ROOM, length + 1))));
        own = rig.onFirst(options());
        own.initialise();
        postReceive();
        connect(server);

        for (int i = 0; i < PINGS; i++) {
            ping(text(i, length));
        }
        connection.disconnect();

        server.assertSuccess();
        for (int i = 0; i < PINGS; i++) {
            assertTrue(server.output().contains("server ping data: " + text(i, length) + "\n"), "ping " + i);
        }
    }

    /** Start a client at our listener, with pings of a length, and accept it. */
    private ForeignProgram accept(final int length) throws IOException {
        final Listener listener = rig.keep(rig.second.listen(address, 1));
        own = rig.onSecond(options());
        own.initialise();
        postReceive();
        final ForeignProgram client = rig.keep(Rping.start(
            folder, address, "-c", "-C", Integer.toString(PINGS), "-S", Integer.toString(length)));
        final ConnectionRequest[] found = new ConnectionRequest[1];
        rig.until("rping to connect", () -> {
            found[0] = listener.poll();
            assertTrue(found[0] != null || client.isAlive(), client::errors);
            return found[0] != null;
        });
        connection = rig.keep(found[0].accept(own.queuePair, NOTHING));
        rig.until("the connection", () -> connection.poll() == Connection.State.ESTABLISHED);
        return client;
    }

    private long remoteAddress() {
        return own.buffer.getLong(RECEIVED, ByteOrder.BIG_ENDIAN);
    }

    private int remoteKey() {
        return own.buffer.getInt(RECEIVED + KEY_OFFSET, ByteOrder.BIG_ENDIAN);
    }

    private void assertPlaceOf(final int length) {
        assertEquals(length, own.buffer.getInt(RECEIVED + LENGTH_OFFSET, ByteOrder.BIG_ENDIAN));
    }

    /** The server's part of a ping until it has the bytes. */
    private void fetch(final int length) {
        awaitMessage();
        assertPlaceOf(length);
        assertEquals(Errno.OK, own.queuePair.postRead(3, WorkFlags.SIGNALED, own.address(SOURCE),
            own.region.localKey(), length, remoteAddress(), remoteKey()));
        assertEquals(WorkOpcode.RDMA_READ, rig.awaitSuccess(own.sendQueue).opcode());
        postReceive();
        send();
    }

    /** The rest of it. */
    private void giveBack(final int length) {
        awaitMessage();
        assertPlaceOf(length);
        assertEquals(Errno.OK, own.queuePair.postWrite(4, WorkFlags.SIGNALED, own.address(SOURCE),
            own.region.localKey(), length, remoteAddress(), remoteKey()));
        assertEquals(WorkOpcode.RDMA_WRITE, rig.awaitSuccess(own.sendQueue).opcode());
        postReceive();
        // Not signalled: after the last one the client disconnects, perhaps before it has acknowledged it.
        assertEquals(Errno.OK, own.send(2, WorkFlags.NONE, SENT, PLACE_LENGTH));
    }

    /** A text of rping's client: the ping's number, then characters from A on, one later with each ping, and a zero. */
    private static String textOfClient(final int ping, final int length) {
        final StringBuilder text = new StringBuilder("rdma-ping-" + ping + ": ");
        for (char next = (char) ('A' + ping); text.length() < length - 1; next++) {
            if (next > 'z') {
                next = 'A';
            }
            text.append(next);
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 100, 4096, 60_000})
    void shouldServeAClientInC(final int length) throws IOException, InterruptedException {
        final ForeignProgram client = accept(length);

        for (int i = 0; i < PINGS; i++) {
            fetch(length);
            assertEquals(textOfClient(i, length), own.buffer.getStringWithoutLengthAscii(SOURCE, length - 1));
            giveBack(length);
        }

        client.assertSuccess();
        rig.until("the end", () -> connection.poll() == Connection.State.DISCONNECTED);
        for (int i = 0; i < PINGS; i++) {
            assertTrue(client.output().contains("ping data: " + textOfClient(i, length) + "\n"), "ping " + i);
        }
    }

    @Test
    void shouldBeFoundOutByAClientInCWhenWrongBytesComeBack() throws IOException, InterruptedException {
        final ForeignProgram client = accept(64);

        fetch(64);
        own.buffer.putByte(SOURCE + 40, (byte) '?');
        giveBack(64);

        assertNotEquals(0, client.awaitEnd());
        assertTrue(client.errors().contains("data mismatch"), client::errors);
    }
}
