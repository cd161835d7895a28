package io.sluice.rpma;

/**
 * The objects that a connection, and the request before it, keeps from being closed: its peer, and the shared receive
 * queue that it draws on. Released once, unless it is handed on. One thread.
 */
final class ConnectionResources implements AutoCloseable {
    private final NativePeer peer;
    private final RpmaConnectionConfiguration configuration;
    private boolean isReleased;

    private ConnectionResources(final NativePeer peer, final RpmaConnectionConfiguration configuration) {
        this.peer = peer;
        this.configuration = configuration;
    }

    static ConnectionResources attach(
        final NativePeer peer, final RpmaConnectionConfiguration configuration, final String call) {
        peer.objects().attach(call);
        try {
            if (configuration.sharedReceiveQueue() != null) {
                configuration.sharedReceiveQueue().attach(peer, call);
            }
        } catch (final RuntimeException e) {
            peer.objects().detach();
            throw e;
        }
        return new ConnectionResources(peer, configuration);
    }

    NativePeer peer() {
        return peer;
    }

    RpmaConnectionConfiguration configuration() {
        return configuration;
    }

    /** Hand the objects on to another owner; this one releases nothing any more. */
    ConnectionResources keep() {
        isReleased = true;
        return new ConnectionResources(peer, configuration);
    }

    @Override
    public void close() {
        if (!isReleased) {
            isReleased = true;
            if (configuration.sharedReceiveQueue() != null) {
                configuration.sharedReceiveQueue().detach();
            }
            peer.objects().detach();
        }
    }
}
