package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkOpcode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The other side is a program in C that knows librpma only, {@link RpmaPeerProgram}: two Java sides would agree on
 * anything. The beginning of {@code rpma_peer.c} tells what each flow is.
 */
class PeerInCTest extends RpmaDeviceTests {
    private static final int COUNT = 10;
    private static final long LAST_MESSAGE = -1;
    private static final int PATTERN_LENGTH = 1024;
    /** Seed of the program's pattern. */
    private static final int SEED = 3;
    private static final int FLAG_OFFSET = 1024;
    private static final long FLAG = 0x0102_0304_0506_0708L;
    private static final int SENT_LENGTH = 64;
    private static final int WRITTEN_LENGTH = 16;
    private static final int CLIENT_SENT = 0x0102_0304;
    private static final int CLIENT_WRITTEN = 0x8090_a0b0;
    private static final int SERVER_SENT = 0x0506_0708;
    private static final int SERVER_WRITTEN = 0xa1b2_c3d4;

    @TempDir
    private Path folder;

    private RpmaPeerProgram program;
    /** The port at which it listens as a server. */
    private String serverPort;
    private RpmaSide own;

    @BeforeEach
    void assumeProgram() {
        RpmaPeerProgram.assumeThere();
    }

    /** Start the program as a server. */
    private void startServer(final String flow) throws IOException {
        final int port = RpmaPlace.newPort();
        serverPort = Integer.toString(port);
        program = rig.keep(RpmaPeerProgram.server(folder, rig.address, port, flow));
    }

    /** Start the program as a client of this side. */
    private void startClient(final String flow) throws IOException {
        program = rig.keep(
            RpmaPeerProgram.client(folder, rig.address, Integer.parseInt(rig.port()), flow, COUNT));
    }

    /** Connected to the program as its client. */
    private void connect(final String flow, final SideOptions options) throws IOException {
        startServer(flow);
        own = new RpmaSide(rig, rig.clientPeer, options);
        tellRegion(flow.equals("imm"), options);
        own.connect(rig.clientPeer.requestConnection(rig.address, serverPort, options.configuration()));
        own.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
    }

    /** Connected to the program as its server. */
    private void accept(final String flow, final SideOptions options) throws IOException {
        startClient(flow);
        own = new RpmaSide(rig, rig.serverPeer, options);
        if (flow.equals("read")) {
            own.fill(0, PATTERN_LENGTH, SEED);
        }
        tellRegion(List.of("read", "write", "imm").contains(flow), options);
        own.connect(rig.awaitRequest(options.configuration()));
        own.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
    }

    private void tellRegion(final boolean isNeeded, final SideOptions options) {
        if (isNeeded) {
            options.privateData(told(own.region.descriptor()));
        }
    }

    private void assertEndsWith(final String line) throws IOException, InterruptedException {
        assertEquals(line, program.awaitResult());
    }

    /** Data with its length before it, since the network adds zeros. */
    private static byte[] told(final byte[] data) {
        final byte[] told = new byte[data.length + 1];
        told[0] = (byte) data.length;
        System.arraycopy(data, 0, told, 1, data.length);
        return told;
    }

    private static byte[] told(final String text) {
        return told(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The private data that the program has told, without its length and the padding. */
    private byte[] heard() {
        final byte[] data = own.connection.privateData();
        return Arrays.copyOfRange(data, 1, 1 + data[0]);
    }

    private void disconnectFirst() {
        own.connection.disconnect();
        own.awaitEvent(RpmaConnectionEvent.CLOSED);
    }

    private void disconnectSecond() {
        own.awaitEvent(RpmaConnectionEvent.CLOSED);
        own.connection.disconnect();
    }

    @Test
    void shouldTellAServerInCPrivateData() throws IOException, InterruptedException {
        connect("connection", new SideOptions().privateData(told("Hello server!")));
        assertEquals("Hello client!", new String(heard(), StandardCharsets.US_ASCII));
        disconnectFirst();
        assertEndsWith("connection: Hello server!");
    }

    @Test
    void shouldTellAClientInCPrivateData() throws IOException, InterruptedException {
        accept("connection", new SideOptions().privateData(told("Hello client!")));
        assertEquals("Hello server!", new String(heard(), StandardCharsets.US_ASCII));
        disconnectSecond();
        assertEndsWith("connection: Hello client!");
    }

    /** The queues in which this side's receives complete, as the program's own do in that flow. */
    private SideOptions messageOptions(final String flow, final RpmaPeer peer, final boolean isServer) {
        final RpmaConnectionConfiguration two =
            RpmaRig.CONFIGURATION.withReceiveCompletionQueueSize(RpmaRig.RECEIVE_QUEUE_SIZE);
        return new SideOptions().receives(1).way(PollingWay.WAIT_SEVERAL).configuration(switch (flow) {
            case "rcq" -> two;
            case "scch" -> two.withSharedCompletionChannel(true);
            case "srq" -> isServer ? RpmaRig.CONFIGURATION.withSharedReceiveQueue(rig.keep(
                peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT))) : RpmaRig.CONFIGURATION;
            default -> RpmaRig.CONFIGURATION;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "rcq", "scch", "srq"})
    void shouldExchangeMessagesWithAServerInC(final String flow) throws IOException, InterruptedException {
        connect(flow, messageOptions(flow, rig.clientPeer, false));
        for (int number = 0; number < COUNT; number++) {
            own.sendNumber(number);
            assertEquals(number + 1, own.awaitNumber());
        }
        own.sendLastNumber(LAST_MESSAGE);
        disconnectSecond();
        assertEndsWith(flow + ": " + COUNT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "rcq", "scch", "srq"})
    void shouldExchangeMessagesWithAClientInC(final String flow) throws IOException, InterruptedException {
        accept(flow, messageOptions(flow, rig.serverPeer, true));
        for (int number = 0; number < COUNT; number++) {
            assertEquals(number, own.awaitNumber());
            own.sendNumber(number + 1);
        }
        assertEquals(LAST_MESSAGE, own.awaitNumber());
        disconnectFirst();
        assertEndsWith(flow + ": " + COUNT);
    }

    @Test
    void shouldReadFromAServerInC() throws IOException, InterruptedException {
        connect("read", new SideOptions());
        own.reach(heard());
        assertTrue(own.remote.length() >= PATTERN_LENGTH);
        assertEquals(RpmaError.OK, own.connection.read(
            own.region, RpmaSide.LOCAL, own.remote, 0, PATTERN_LENGTH, RpmaCompletionFlags.ALWAYS, 1));
        assertEquals(WorkOpcode.RDMA_READ, own.awaitSent().opcode());
        own.assertHolds(RpmaSide.LOCAL, PATTERN_LENGTH, SEED);
        disconnectFirst();
        assertEndsWith("read: ok");
    }

    @Test
    void shouldBeReadByAClientInC() throws IOException, InterruptedException {
        accept("read", new SideOptions().usages(RpmaUsage.READ_SOURCE));
        disconnectSecond();
        assertEndsWith("read: ok");
    }

    @Test
    void shouldWriteToAServerInC() throws IOException, InterruptedException {
        connect("write", new SideOptions());
        own.reach(heard());
        assertEquals(RpmaUsage.FLUSH_VISIBILITY, own.remote.flushUsages());
        own.fill(RpmaSide.LOCAL, PATTERN_LENGTH, SEED);
        final RpmaConnection connection = own.connection;
        assertEquals(RpmaError.OK, connection.write(
            own.remote, 0, own.region, RpmaSide.LOCAL, PATTERN_LENGTH, RpmaCompletionFlags.ON_ERROR, 1));
        assertEquals(RpmaError.OK, connection.flush(
            own.remote, 0, PATTERN_LENGTH, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ON_ERROR, 2));
        assertEquals(RpmaError.OK,
            connection.atomicWrite(own.remote, FLAG_OFFSET, FLAG, RpmaCompletionFlags.ON_ERROR, 3));
        assertEquals(RpmaError.OK, connection.flush(
            own.remote, FLAG_OFFSET, Long.BYTES, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ALWAYS, 4));
        assertEquals(4, own.awaitSent().workRequestId());
        disconnectFirst();
        assertEndsWith("write: ok");
    }

    @Test
    void shouldBeWrittenByAClientInC() throws IOException, InterruptedException {
        accept("write", new SideOptions().usages(RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY));
        disconnectSecond();
        own.assertHolds(0, PATTERN_LENGTH, SEED);
        assertEquals(FLAG, own.buffer.getLong(FLAG_OFFSET, ByteOrder.LITTLE_ENDIAN));
        assertEquals(0, own.buffer.getLong(FLAG_OFFSET + Long.BYTES));
        assertEndsWith("write: ok");
    }

    private void sendImmediates(final int sent, final int written) {
        own.fill(RpmaSide.LOCAL, SENT_LENGTH, SEED);
        assertEquals(RpmaError.OK, own.connection.sendWithImmediate(
            own.region, RpmaSide.LOCAL, SENT_LENGTH, RpmaCompletionFlags.ALWAYS, sent, 1));
        assertEquals(RpmaError.OK, own.connection.writeWithImmediate(own.remote, 0, own.region, RpmaSide.LOCAL,
            WRITTEN_LENGTH, RpmaCompletionFlags.ALWAYS, written, 2));
        assertEquals(WorkOpcode.SEND, own.awaitSent().opcode());
        assertEquals(WorkOpcode.RDMA_WRITE, own.awaitSent().opcode());
    }

    private void receiveImmediate(final int opcode, final int length, final int immediate) {
        final TakenCompletion completion = own.awaitReceived();
        assertEquals(opcode, completion.opcode());
        assertEquals(length, completion.byteLength());
        assertTrue(completion.hasImmediate(), completion::toString);
        assertEquals(Integer.toHexString(immediate), Integer.toHexString(completion.immediate()));
        own.assertHolds(opcode == WorkOpcode.RECV ? RpmaSide.slotOf(completion) : 0, length, SEED);
    }

    private void receiveImmediates(final int sent, final int written) {
        receiveImmediate(WorkOpcode.RECV, SENT_LENGTH, sent);
        receiveImmediate(WorkOpcode.RECV_RDMA_WITH_IMM, WRITTEN_LENGTH, written);
    }

    @Test
    void shouldExchangeImmediateDataWithAServerInC() throws IOException, InterruptedException {
        connect("imm", new SideOptions().receives(2));
        own.reach(heard());
        sendImmediates(CLIENT_SENT, CLIENT_WRITTEN);
        receiveImmediates(SERVER_SENT, SERVER_WRITTEN);
        own.sendLastNumber(LAST_MESSAGE);
        disconnectSecond();
        assertEndsWith("imm: 01020304 8090a0b0");
    }

    @Test
    void shouldExchangeImmediateDataWithAClientInC() throws IOException, InterruptedException {
        accept("imm", new SideOptions().receives(3));
        own.reach(heard());
        receiveImmediates(CLIENT_SENT, CLIENT_WRITTEN);
        sendImmediates(SERVER_SENT, SERVER_WRITTEN);
        assertEquals(LAST_MESSAGE, own.awaitNumber());
        disconnectFirst();
        assertEndsWith("imm: 05060708 a1b2c3d4");
    }
}
