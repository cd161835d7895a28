package io.sluice.samples;

import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pings by a publication, and answers by a subscription, which the thread that pings polls: nothing is handed over
 * between threads. They belong to their transport, and are closed with it.
 */
final class TransportPingLink extends PingLink {
    private static final int MESSAGE_LIMIT = 10;

    private final Publication publication;
    private final Subscription subscription;

    TransportPingLink(final Publication publication, final Subscription subscription) {
        this.publication = publication;
        this.subscription = subscription;
    }

    /** Add both on an endpoint. */
    static TransportPingLink open(final Endpoint here, final EndpointOptions endpoint) {
        final Subscription pongs = endpoint.ofPongs(here).addSubscription(endpoint.pongStream());
        return new TransportPingLink(here.addExclusivePublication(endpoint.pingStream()), pongs);
    }

    @Override
    boolean isConnected() {
        return publication.isConnected() && subscription.isConnected();
    }

    @Override
    boolean offer(final UnsafeBuffer message) {
        return publication.offer(message, 0, message.capacity()) > 0;
    }

    @Override
    int poll(final PongHandler pongs) {
        return subscription.poll(pongs, MESSAGE_LIMIT);
    }

    @Override
    int maxMessageLength() {
        return publication.maxMessageLength();
    }

    @Override
    String place() {
        return "channel=" + publication.channel() + " stream=" + publication.streamId();
    }
}
