package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostileSocketTest {
    private static final String SERVICE = "ipc/victim/1";
    private static final byte[] NOTHING = {};

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SteppedEnvironment environment = new SteppedEnvironment();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private SoftwareDevice device;
    private SoftwareDevice other;
    private Listener listener;

    @BeforeEach
    void open() {
        device = SoftwareDevice.open(environment, fabric.path());
        other = SoftwareDevice.open(environment, fabric.path());
        listener = device.listen(SERVICE, 128);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).close();
        }
        listener.close();
        other.close();
        device.close();
        fabric.close();
    }

    private QueuePair newPair(final SoftwareDevice owner) {
        final CompletionQueue queue = owner.createCompletionQueue(new CompletionQueueAttributes(64, 0, null));
        resources.add(queue);
        final QueuePair pair = owner.allocateProtectionDomain().createQueuePair(
            new QueuePairAttributes(queue, queue, 8, 8, 0, 0, 12, 6, 14));
        resources.add(pair);
        pair.initialise(SoftwareLink.ACCESS);
        return pair;
    }

    private Path listeningSocket() {
        final ServiceDirectory services = device.context().services();
        return services.socket(services.find("test", SERVICE));
    }

    private LocalSocket connectRaw() throws IOException {
        final LocalSocket socket = environment.localSockets().connect(listeningSocket());
        resources.add(socket);
        return socket;
    }

    private static boolean hasEnded(final LocalSocket socket) {
        try {
            return socket.read(ByteBuffer.allocate(64)) < 0;
        } catch (final IOException e) {
            return true;
        }
    }

    /** The listener serves an honest client. */
    private void assertServes() {
        final Connection outgoing = other.connect(SERVICE, newPair(other), NOTHING, Long.MAX_VALUE);
        final ConnectionRequest request = pollUntilRequest();
        final Connection incoming = request.accept(newPair(device), NOTHING);
        assertEquals(Connection.State.ESTABLISHED, outgoing.poll());
        assertEquals(Connection.State.ESTABLISHED, incoming.poll());
        outgoing.close();
        incoming.close();
    }

    private ConnectionRequest pollUntilRequest() {
        ConnectionRequest request = listener.poll();
        for (int i = 0; i < 1000 && request == null; i++) {
            request = listener.poll();
        }
        assertNotNull(request);
        return request;
    }

    @Test
    void shouldTellThatTheClientOfARequestHasGivenUpWaiting() {
        final QueuePair client = newPair(other);
        final Connection outgoing = other.connect(SERVICE, client, NOTHING, Long.MAX_VALUE);
        final ConnectionRequest request = pollUntilRequest();
        outgoing.close();
        client.close();

        final QueuePair server = newPair(device);
        assertEquals(Errno.ETIMEDOUT,
            assertThrows(VerbsException.class, () -> request.accept(server, NOTHING)).errno());

        assertServes();
    }

    @Test
    void shouldCloseASocketThatSendsNoFrame() throws IOException {
        final Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            final LocalSocket socket = connectRaw();
            final byte[] garbage = new byte[10 + random.nextInt(3000)];
            random.nextBytes(garbage);
            socket.write(ByteBuffer.wrap(garbage));
            assertNull(listener.poll());
            assertTrue(hasEnded(socket));
        }
        assertServes();
    }

    private static ByteBuffer frame(final int magic, final int version, final int type, final int addressLength,
        final int dataLength) {
        return ByteBuffer.allocate(2000).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(magic).put((byte) version).put((byte) type)
            .putShort((short) addressLength).putShort((short) dataLength);
    }

    @Test
    void shouldCloseASocketWithADamagedRequest() throws IOException {
        final int magic = 0x5343_4d31;
        final ByteBuffer[] frames = {
            frame(magic + 1, 1, 1, 0, 0), frame(magic, 2, 1, 0, 0), frame(magic, 1, 0, 0, 0),
            frame(magic, 1, 5, 0, 0), frame(magic, 1, 1, 257, 0), frame(magic, 1, 1, -1, 0),
            frame(magic, 1, 1, 0, 257), frame(magic, 1, 1, 0, -1), frame(magic, 1, 1, 0, 56),
            frame(magic, 1, 2, 0, 0), frame(magic, 1, 3, 0, 0), frame(magic, 1, 4, 0, 0)};
        for (final ByteBuffer frame : frames) {
            final LocalSocket socket = connectRaw();
            socket.write(frame.clear());
            assertNull(listener.poll());
            assertTrue(hasEnded(socket));
        }
        assertServes();
    }

    @Test
    void shouldTakeARequestByteByByte() throws IOException {
        final QueuePair client = newPair(other);
        final byte[] address = client.localAddress();
        final ByteBuffer request = frame(0x5343_4d31, 1, 1, address.length, 56).put(address).put(new byte[56]).flip();
        final LocalSocket socket = connectRaw();
        while (request.hasRemaining()) {
            assertNull(listener.poll());
            socket.write(ByteBuffer.wrap(new byte[] {request.get()}));
        }

        assertEquals(56, pollUntilRequest().privateData().length);
    }

    @Test
    void shouldDropAClientThatSendsNothing() throws IOException {
        final LocalSocket silent = connectRaw();
        assertNull(listener.poll());
        assertEquals(0, silent.read(ByteBuffer.allocate(1)));

        environment.advance(SoftwareLimits.HALF_OPEN_TIMEOUT_NS);
        assertNull(listener.poll());

        assertTrue(hasEnded(silent));
    }

    @Test
    void shouldBoundClientsThatSendNothing() throws IOException {
        final List<LocalSocket> silent = new ArrayList<>();
        for (int i = 0; i < SoftwareLimits.MAX_HALF_OPEN_CONNECTIONS + 10; i++) {
            silent.add(connectRaw());
        }
        assertNull(listener.poll());
        final QueuePair client = newPair(other);
        final Connection outgoing = other.connect(SERVICE, client, NOTHING, Long.MAX_VALUE);
        assertNull(listener.poll(), "it waits behind them");

        environment.advance(SoftwareLimits.HALF_OPEN_TIMEOUT_NS);
        assertNull(listener.poll());

        pollUntilRequest().accept(newPair(device), NOTHING);
        assertEquals(Connection.State.ESTABLISHED, outgoing.poll());
    }

    @Test
    void shouldBeUnreachableWhenTheListenerAnswersGarbage() throws IOException {
        final Path socket = listeningSocket();
        listener.close();
        listener = device.listen("ipc/somebody/else", 1);
        final QueuePair client = newPair(other);
        try (LocalListener fake = environment.localSockets().listen(socket, 4)) {
            device.context().services().add("test", SERVICE, device.context().folder().name(), numberOf(socket));
            final Connection outgoing = other.connect(SERVICE, client, NOTHING, Long.MAX_VALUE);
            final LocalSocket accepted = fake.accept();
            accepted.write(frame(0x5343_4d31, 1, 2, 20, 196).clear());

            assertEquals(Connection.State.UNREACHABLE, outgoing.poll());
            assertEquals(QueuePairState.INIT, client.state());
            accepted.close();
        }
    }

    private static int numberOf(final Path socket) {
        return Integer.parseInt(socket.getFileName().toString().substring(1), 16);
    }

    @Test
    void shouldDisconnectAPeerThatTalksOnAnEstablishedConnection() {
        final QueuePair client = newPair(other);
        final byte[] address = client.localAddress();
        try (LocalSocket raw = connectRaw()) {
            raw.write(frame(0x5343_4d31, 1, 1, address.length, 0).put(address).flip());
            final QueuePair server = newPair(device);
            final Connection incoming = pollUntilRequest().accept(server, NOTHING);
            raw.write(frame(0x5343_4d31, 1, 4, 0, 0).flip());
            assertEquals(Connection.State.ESTABLISHED, incoming.poll());

            raw.write(ByteBuffer.wrap(new byte[64]));

            assertEquals(Connection.State.DISCONNECTED, incoming.poll());
            assertEquals(QueuePairState.ERROR, server.state());
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldIgnoreGarbageOnTheSocketOfAChannel() throws IOException {
        try (CompletionChannel channel = device.createCompletionChannel()) {
            final int number = ((SoftwareCompletionChannel) channel).number();
            final CompletionQueue queue = device.createCompletionQueue(new CompletionQueueAttributes(64, 0, channel));
            final LocalSocket socket = environment.localSockets().connect(
                device.context().folder().resolve(FabricNames.channelSocket(number)));
            final byte[] garbage = new byte[1001];
            new Random(3).nextBytes(garbage);
            socket.write(ByteBuffer.wrap(garbage));
            assertNull(channel.getEvent(0));
            socket.close();
            assertNull(channel.getEvent(0));

            final LocalSocket honest = environment.localSockets().connect(
                device.context().folder().resolve(FabricNames.channelSocket(number)));
            honest.write(ByteBuffer.allocate(4).putInt(((SoftwareCompletionQueue) queue).number()).flip());
            assertSame(queue, channel.getEvent(Long.MAX_VALUE));
            queue.acknowledgeEvents(1);
            honest.close();
            queue.close();
        }
    }
}
