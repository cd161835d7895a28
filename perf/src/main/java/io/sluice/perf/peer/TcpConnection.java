package io.sluice.perf.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A non-blocking connection and its two buffers; one thread once it is connected. A message is its length in four bytes
 * and then its own bytes. What was offered is written by a flush, or when the buffer is full; what the system did not
 * take then goes with the next flush, offer or poll.
 */
final class TcpConnection implements Sender, Receiver, AutoCloseable {
    private static final int LENGTH_BYTES = Integer.BYTES;
    /** Bytes that are written or read by one call at most, beside one whole message. */
    private static final int BATCH_LENGTH = 64 * 1024;

    private final EndpointFile endpointFile;
    private final ByteBuffer outgoing;
    private final ByteBuffer incoming;
    private final UnsafeBuffer outgoingBytes;
    private final UnsafeBuffer incomingBytes;
    private ServerSocketChannel server;
    private SocketChannel channel;
    private MessageListener listener;
    private int messageLimit;
    /** Incoming bytes that are handled. */
    private int handledLength;

    /** A connection with the file that tells where it can be reached, and the length of the longest message. */
    TcpConnection(final EndpointFile endpointFile, final int messageLength) {
        this.endpointFile = endpointFile;
        final int capacity = BATCH_LENGTH + LENGTH_BYTES + messageLength;
        outgoing = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        incoming = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        outgoingBytes = new UnsafeBuffer(outgoing);
        incomingBytes = new UnsafeBuffer(incoming);
    }

    /** Makes this the end that is connected to; without it, this is the end that connects. */
    void listen(final String address) {
        try {
            server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(address, 0)).configureBlocking(false);
            endpointFile.publish(address + " " + ((InetSocketAddress) server.getLocalAddress()).getPort());
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot listen: address=" + address, ex);
        }
    }

    void receiveWith(final MessageListener newListener, final int newMessageLimit) {
        listener = newListener;
        messageLimit = newMessageLimit;
    }

    @Override
    public boolean isConnected() {
        if (channel == null) {
            try {
                channel = server == null ? connect() : server.accept();
                if (channel != null) {
                    channel.configureBlocking(false);
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
            } catch (final IOException ex) {
                throw new UncheckedIOException("cannot connect: endpoint=" + endpointFile.lookUp(), ex);
            }
        }
        return channel != null;
    }

    private SocketChannel connect() throws IOException {
        final String endpoint = endpointFile.lookUp();
        if (endpoint == null) {
            return null;
        }
        final String[] addressAndPort = endpoint.split(" ");
        return SocketChannel.open(new InetSocketAddress(addressAndPort[0], Integer.parseInt(addressAndPort[1])));
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
        if (outgoing.remaining() < LENGTH_BYTES + length) {
            write();
            if (outgoing.remaining() < LENGTH_BYTES + length) {
                return false;
            }
        }
        outgoing.putInt(length);
        outgoingBytes.putBytes(outgoing.position(), buffer, offset, length);
        outgoing.position(outgoing.position() + length);
        return true;
    }

    @Override
    public void flush() {
        if (outgoing.position() > 0) {
            write();
        }
    }

    private void write() {
        try {
            outgoing.flip();
            channel.write(outgoing);
            outgoing.compact();
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot write", ex);
        }
    }

    @Override
    public int poll() {
        flush();
        final int handled = handleWhole();
        if (handled > 0) {
            return handled;
        }
        read();
        return handleWhole();
    }

    private int handleWhole() {
        int handled = 0;
        while (handled < messageLimit && incoming.position() - handledLength >= LENGTH_BYTES) {
            final int length = incoming.getInt(handledLength);
            if (incoming.position() - handledLength < LENGTH_BYTES + length) {
                break;
            }
            final int offset = handledLength + LENGTH_BYTES;
            handledLength = offset + length;
            handled++;
            listener.onMessage(incomingBytes, offset, length);
        }
        return handled;
    }

    private void read() {
        try {
            if (handledLength > 0) {
                incoming.flip().position(handledLength);
                incoming.compact();
                handledLength = 0;
            }
            if (channel.read(incoming) < 0) {
                throw new IllegalStateException("the other end has closed the connection");
            }
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read", ex);
        }
    }

    /** {@return the settings that the connection runs with, read back from its socket} */
    Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        try {
            settings.put("channel", "tcp " + ((InetSocketAddress) channel.getLocalAddress()).getHostString());
            settings.put("publication", "SocketChannel.write of what was offered, TCP_NODELAY "
                + channel.getOption(StandardSocketOptions.TCP_NODELAY));
            settings.put("subscription", "SocketChannel.read on the measured thread, blocking " + channel.isBlocking());
            settings.put("own threads", "none");
            settings.put("log", "send buffer " + channel.getOption(StandardSocketOptions.SO_SNDBUF)
                + " B, receive buffer " + channel.getOption(StandardSocketOptions.SO_RCVBUF) + " B");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read the socket's options", ex);
        }
        return settings;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(channel, server);
    }
}
