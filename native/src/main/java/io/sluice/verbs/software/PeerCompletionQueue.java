package io.sluice.verbs.software;

import io.sluice.environment.LocalSocket;
import io.sluice.environment.MappedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.UnsafeApi;

/**
 * A peer's receive completion queue, mapped, with the socket of its channel when it has one. Posts tell it; closed with
 * the queue pair that uses it.
 */
final class PeerCompletionQueue {
    private final MappedMemory memory;
    private final LocalSocket socket;
    private final ByteBuffer message = ByteBuffer.allocateDirect(Integer.BYTES);

    PeerCompletionQueue(final MappedMemory memory, final LocalSocket socket) {
        this.memory = memory;
        this.socket = socket;
    }

    ReadySignal signal(final int slot) {
        return new ReadySignal(memory.address(), slot, this::announce);
    }

    private void announce() {
        if (socket == null) {
            return;
        }
        message.clear();
        message.putInt(UnsafeApi.getInt(memory.address() + CompletionQueueLayout.NUMBER_OFFSET)).flip();
        try {
            // What does not fit is not needed: the bytes that fill the socket wake the same reader.
            socket.write(message);
        } catch (final IOException e) {
            // The peer has closed or died, which its state word and its process folder's lock tell everybody.
            socket.close();
        }
    }

    void close() {
        if (socket != null) {
            socket.close();
        }
        memory.close();
    }
}
