package io.sluice.perf.peer;

import java.nio.file.Path;
import java.util.Map;
import org.agrona.CloseHelper;

/**
 * Plain TCP through the JDK's channels, as one would write it by hand for the lowest latency: one connection between
 * the two processes, without Nagle's delay, that the measured threads poll. It carries one stream each way.
 */
final class TcpPeer implements Peer {
    private final String address;
    private TcpConnection connection;
    private boolean hasSender;
    private boolean hasReceiver;

    /** A peer with the address, of this host, at which the host process listens. */
    TcpPeer(final String address) {
        this.address = address;
    }

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        connection = new TcpConnection(new EndpointFile(folder.resolve("tcp.endpoint")), messageLength);
        if (host) {
            connection.listen(address);
        }
    }

    @Override
    public Sender addSender(final int streamId) {
        if (hasSender) {
            throw new IllegalStateException("a connection carries one stream each way: streamId=" + streamId);
        }
        hasSender = true;
        return connection;
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        if (hasReceiver) {
            throw new IllegalStateException("a connection carries one stream each way: streamId=" + streamId);
        }
        hasReceiver = true;
        connection.receiveWith(listener, messageLimit);
        return connection;
    }

    @Override
    public Map<String, String> settings() {
        return connection.settings();
    }

    @Override
    public void close() {
        CloseHelper.close(connection);
    }
}
