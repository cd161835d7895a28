package io.sluice.perf.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TCP gives bytes as it likes: messages must come whole, in order, and each once.
 */
class TcpConnectionTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_LENGTH = 64 * 1024;
    private static final int MESSAGE_LIMIT = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;
    private final List<Long> received = new ArrayList<>();
    private TcpConnection host;
    private TcpConnection guest;

    @BeforeEach
    void connect() {
        final EndpointFile file = EndpointFile.of(folder, "tcp", 1);
        host = new TcpConnection(file, MAX_LENGTH);
        guest = new TcpConnection(file, MAX_LENGTH);
        host.listen(LOOPBACK);
        host.receiveWith(this::onMessage, MESSAGE_LIMIT);
        assertTimeoutPreemptively(LIMIT, () -> {
            while (!guest.isConnected() | !host.isConnected()) {
                Thread.onSpinWait();
            }
        });
    }

    @AfterEach
    void close() {
        CloseHelper.closeAll(guest, host);
    }

    /** More than sockets and buffers hold, so that calls write and read parts of messages. */
    @Test
    void shouldKeepMessagesWholeAndInOrder() {
        final int count = 500;
        assertTimeoutPreemptively(LIMIT, () -> {
            int refused = 0;
            for (int i = 0; i < count; i++) {
                final UnsafeBuffer message = message(i);
                while (!guest.offer(message, 0, message.capacity())) {
                    refused++;
                    host.poll();
                }
            }
            assertTrue(refused > 0, "the connection is full before the last message");
            while (received.size() < count) {
                guest.flush();
                host.poll();
            }
        });
        for (int i = 0; i < count; i++) {
            assertEquals(i, received.get(i));
        }
    }

    @Test
    void shouldHandOnWhatWasOfferedOnlyWhenFlushed() {
        final UnsafeBuffer message = message(0);
        assertTrue(guest.offer(message, 0, message.capacity()));
        assertEquals(0, host.poll());
        guest.flush();
        assertTimeoutPreemptively(LIMIT, () -> {
            while (host.poll() == 0) {
                Thread.onSpinWait();
            }
        });
        assertEquals(List.of(0L), received);
    }

    @Test
    void shouldHandleNoMoreMessagesPerPollThanAskedFor() {
        final UnsafeBuffer message = message(0);
        for (int i = 0; i <= MESSAGE_LIMIT; i++) {
            guest.offer(message, 0, Long.BYTES);
        }
        guest.flush();
        assertTimeoutPreemptively(LIMIT, () -> {
            while (received.size() <= MESSAGE_LIMIT) {
                assertTrue(host.poll() <= MESSAGE_LIMIT);
            }
        });
    }

    @Test
    void shouldSayThatTheOtherEndIsGone() {
        guest.close();
        assertTimeoutPreemptively(LIMIT, () -> assertThrows(IllegalStateException.class, () -> {
            while (true) {
                host.poll();
            }
        }));
    }

    @Test
    void shouldNotDelaySmallMessages() {
        assertTrue(guest.settings().toString().contains("TCP_NODELAY true"), guest.settings().toString());
        assertTrue(host.settings().toString().contains("TCP_NODELAY true"), host.settings().toString());
    }

    private static UnsafeBuffer message(int sequence) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Math.max(Long.BYTES, sequence * 131 % MAX_LENGTH)]);
        message.setMemory(0, message.capacity(), (byte) sequence);
        message.putLong(0, sequence);
        return message;
    }

    private void onMessage(DirectBuffer buffer, int offset, int length) {
        final long sequence = buffer.getLong(offset);
        assertEquals(length > Long.BYTES ? message((int) sequence).capacity() : Long.BYTES, length);
        for (int i = Long.BYTES; i < length; i++) {
            assertEquals((byte) sequence, buffer.getByte(offset + i));
        }
        received.add(sequence);
    }
}
