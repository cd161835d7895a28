package io.sluice.perf.peer;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.MessageHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Sluice with its defaults and what further channel parameters say; the folder of its shared memory is the
 * measurement's own.
 */
final class SluicePeer implements Peer {
    private final String channel;
    private Transport transport;

    SluicePeer(final String furtherParameters) {
        channel = "sluice:ipc?endpoint=bench|mode=invoker" + furtherParameters;
    }

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        transport = Transport.launch(new Context().directory(folder.resolve("sluice")));
    }

    @Override
    public Sender addSender(final int streamId) {
        return new SluiceSender(transport.addExclusivePublication(channel, streamId));
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        return new SluiceReceiver(transport.addSubscription(channel, streamId), listener, messageLimit);
    }

    @Override
    public Map<String, String> settings() {
        final Context context = transport.context();
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("channel", channel);
        settings.put("publication", "ExclusivePublication.offer");
        settings.put("subscription", "Subscription.poll on the measured thread (INVOKER)");
        settings.put("own threads", "agents " + context.threadingMode());
        settings.put("log", "window " + context.windowLength() + " B, receives " + context.receiveDepth()
            + ", writes in flight " + context.writesInFlight());
        return settings;
    }

    @Override
    public void close() {
        if (transport != null) {
            transport.close();
        }
    }

    /** {@return whether the message was taken; false when it is to be offered again} */
    static boolean offer(
        final Publication publication, final DirectBuffer buffer, final int offset, final int length) {
        final long result = publication.offer(buffer, offset, length);
        if (result > 0) {
            return true;
        }
        if (result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION) {
            return false;
        }
        throw new IllegalStateException("offer failed: " + Publication.errorString(result));
    }

    private static final class SluiceSender implements Sender {
        private final ExclusivePublication publication;

        SluiceSender(final ExclusivePublication publication) {
            this.publication = publication;
        }

        @Override
        public boolean isConnected() {
            return publication.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return SluicePeer.offer(publication, buffer, offset, length);
        }
    }

    private static final class SluiceReceiver implements Receiver {
        private final Subscription subscription;
        private final MessageHandler handler;
        private final int messageLimit;

        SluiceReceiver(final Subscription subscription, final MessageListener listener, final int messageLimit) {
            this.subscription = subscription;
            this.messageLimit = messageLimit;
            handler = (buffer, offset, length, header) -> listener.onMessage(buffer, offset, length);
        }

        @Override
        public boolean isConnected() {
            return subscription.isConnected();
        }

        @Override
        public int poll() {
            return subscription.poll(handler, messageLimit);
        }
    }
}
