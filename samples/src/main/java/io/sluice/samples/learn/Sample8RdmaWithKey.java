package io.sluice.samples.learn;

import io.sluice.transport.Context;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sample 8: between two hosts over RDMA, with a key that both must hold. One host subscribes, the other publishes:
 * <pre>
 *   (umask 077; openssl rand -hex 32 &gt; sluice.key)             once; copy it to the other host
 *   Sample8RdmaWithKey subscribe 10.0.0.1:40123 sluice.key     on the host with this address
 *   Sample8RdmaWithKey publish   10.0.0.1:40123 sluice.key     on the other one, with the same address
 * </pre>
 */
public final class Sample8RdmaWithKey {
    private static final int STREAM_ID = 10;
    private static final int ARGUMENTS = 3;

    private Sample8RdmaWithKey() {
    }

    /**
     * Run it.
     *
     * @param args {@code subscribe} or {@code publish}, the address of the subscriber, and the file of the key.
     */
    public static void main(final String[] args) {
        if (args.length != ARGUMENTS) {
            System.err.println("usage: Sample8RdmaWithKey subscribe|publish HOST:PORT KEY-FILE");
            System.exit(2);
        }
        final String channel = "sluice:rdma?endpoint=" + args[1];
        // whoever does not hold the key is told nothing; errors come on the thread of listeners
        final Context context = new Context().preSharedKeyFile(Path.of(args[2])).errorHandler(
            error -> System.err.println(error.getMessage()));
        // the close of the transport waits until the subscriber has the message, at most for the linger
        try (Transport transport = Transport.launch(context)) {
            if (args[0].equals("subscribe")) {
                subscribe(transport, channel);
            } else {
                publish(transport, channel);
            }
        }
    }

    private static void subscribe(final Transport transport, final String channel) {
        final FragmentHandler print = (buffer, offset, length, header) ->
            System.out.println(buffer.getStringWithoutLengthUtf8(offset, length));
        try (Subscription subscription = transport.addSubscription(channel, STREAM_ID)) {
            while (subscription.poll(print, 1) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void publish(final Transport transport, final String channel) {
        final MutableDirectBuffer message = new ExpandableArrayBuffer();
        final int length = message.putStringWithoutLengthUtf8(0, "EURUSD 1.0842");
        try (Publication publication = transport.addExclusivePublication(channel, STREAM_ID)) {
            while (publication.offer(message, 0, length) < 0) {
                Thread.onSpinWait();
            }
            System.out.println("sent");
        }
    }
}
