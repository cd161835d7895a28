package io.sluice.perf.peer;

import java.nio.file.Path;
import java.util.Map;

/**
 * A messaging system as one measuring process sees it. The two processes of a measurement launch it in the same folder;
 * one of them is the host and also starts what the system needs beside its clients, for example a driver.
 * <p>
 * Set-up may block and belongs to the main thread; it happens before that thread is pinned, so that threads which the
 * system starts may run anywhere. Whoever launched it closes it, which closes senders and receivers too.
 */
public interface Peer extends AutoCloseable {
    /**
     * Start the system for this process.
     *
     * @param folder        for its files, in memory where the machine offers that; shared by the two processes of a
     *                      measurement.
     * @param host          whether this process starts what both need.
     * @param messageLength bytes of the longest message.
     */
    void launch(Path folder, boolean host, int messageLength);

    /**
     * Add a sending end, used by one thread.
     *
     * @param streamId of the stream, positive.
     * @return the sender.
     */
    Sender addSender(int streamId);

    /**
     * Add a receiving end, polled by one thread. Several of one stream all get every message.
     *
     * @param streamId     of the stream, positive.
     * @param listener     told of each message, on the polling thread.
     * @param messageLimit messages that one poll handles, at most; fragments, where a system counts those.
     * @return the receiver.
     */
    Receiver addReceiver(int streamId, MessageListener listener, int messageLimit);

    /** Starts the peer, when all senders and receivers were added. Until then their connections may wait. */
    default void start() {
        // most systems connect each by itself
    }

    /**
     * The settings that it runs with, read back from the system itself where it tells them, and how it is used: they
     * are printed beside the result. Asked for once everything is connected.
     *
     * @return name and value, in the order to print.
     */
    Map<String, String> settings();

    @Override
    void close();
}
