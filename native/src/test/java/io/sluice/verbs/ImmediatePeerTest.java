package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Immediate data between Java and a C program of our own, {@code src/test/c/immediate_peer.c}, which
 * {@code native/lab/suite} compiles: two Java sides would agree on any order of its bytes.
 */
class ImmediatePeerTest extends VerbsSuite {
    /** The property that says where the compiled program is. */
    private static final String PROGRAM_PROP_NAME = "sluice.verbs.immediate.peer";
    private static final Path PROGRAM = Path.of(System.getProperty(PROGRAM_PROP_NAME, ""));
    private static final long TIMEOUT_NS = 20_000_000_000L;
    /** An address and a key. */
    private static final int PLACE_LENGTH = Long.BYTES + Integer.BYTES;
    /** Bytes that the program sends, and writes. */
    private static final int LENGTH = 64;
    /** Offsets in our region: of what is sent, what a message brings and what is written by the peer. */
    private static final int SENT = 0;
    private static final int RECEIVED = 64;
    private static final int WRITTEN = 128;
    /** Each byte is another one, and the first bit of one is set. */
    private static final int SENT_IMMEDIATE = 0x0102_0304;
    private static final int WRITTEN_IMMEDIATE = 0x8090_a0b0;

    @TempDir
    private Path folder;

    private String address;
    private Endpoint own;
    private Connection connection;

    @BeforeEach
    void assumePeer() {
        rig.assumeHas(DeviceFixture.Ability.REACHES_OTHER_PROGRAMS);
        assumeTrue(Files.isExecutable(PROGRAM) && !Files.isDirectory(PROGRAM), "no immediate_peer here:"
            + " native/lab/suite compiles it where gcc and the headers of libibverbs and librdmacm are");
        address = fixture.newAddress();
    }

    private byte[] ownPlace() {
        return ByteBuffer.allocate(PLACE_LENGTH).putLong(own.address(WRITTEN)).putInt(own.region.remoteKey()).array();
    }

    /** Connected to the program, which may not listen yet. */
    private void connect(final ForeignProgram peer) {
        rig.until("the peer to listen", () -> {
            assertTrue(peer.isAlive(), peer::errors);
            connection = rig.first.connect(address, own.queuePair, ownPlace(), TIMEOUT_NS);
            rig.until("an answer", () -> connection.poll() != Connection.State.CONNECTING);
            if (connection.poll() == Connection.State.ESTABLISHED) {
                rig.keep(connection);
                return true;
            }
            connection.close();
            return false;
        });
    }

    private void sendBoth() {
        final ByteBuffer place = ByteBuffer.wrap(connection.privateData());
        final long remoteAddress = place.getLong();
        final int remoteKey = place.getInt();
        assertEquals(Errno.OK, own.queuePair.postSendWithImmediate(
            1, WorkFlags.SIGNALED, own.address(SENT), own.region.localKey(), 8, SENT_IMMEDIATE));
        assertEquals(WorkOpcode.SEND, rig.awaitSuccess(own.sendQueue).opcode());
        assertEquals(Errno.OK, own.queuePair.postWriteWithImmediate(2, WorkFlags.SIGNALED, own.address(SENT),
            own.region.localKey(), 16, remoteAddress, remoteKey, WRITTEN_IMMEDIATE));
        assertEquals(WorkOpcode.RDMA_WRITE, rig.awaitSuccess(own.sendQueue).opcode());
    }

    private void assertReceived(final int opcode, final int immediate) {
        final Completion received = rig.awaitSuccess(own.receiveQueue);
        assertEquals(opcode, received.opcode());
        assertTrue(received.hasImmediate(), received::toString);
        assertEquals(Integer.toHexString(immediate), Integer.toHexString(received.immediate()));
        assertEquals(LENGTH, received.byteLength());
    }

    @Test
    void shouldExchangeImmediateDataWithAPeerInC() throws IOException, InterruptedException {
        final int colon = address.lastIndexOf(':');
        final ForeignProgram peer = rig.keep(ForeignProgram.start(folder,
            List.of(PROGRAM.toString(), address.substring(0, colon), address.substring(colon + 1))));
        own = rig.onFirst(new EndpointOptions());
        own.initialise();
        assertEquals(Errno.OK, own.receive(3, RECEIVED, LENGTH));
        assertEquals(Errno.OK, own.receive(4, RECEIVED, LENGTH));
        connect(peer);

        sendBoth();
        assertReceived(WorkOpcode.RECV, 0x0506_0708);
        assertReceived(WorkOpcode.RECV_RDMA_WITH_IMM, 0xa1b2_c3d4);
        rig.until("the end", () -> connection.poll() == Connection.State.DISCONNECTED);

        peer.assertSuccess();
        assertEquals("RECV imm=01020304 length=8\nRECV_RDMA_WITH_IMM imm=8090a0b0 length=16\n", peer.output());
    }
}
