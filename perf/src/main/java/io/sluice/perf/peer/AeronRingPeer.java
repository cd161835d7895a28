package io.sluice.perf.peer;

import io.sluice.transport.Configuration;
import io.sluice.transport.RestingIdleStrategy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * Aeron with a ring of a program's own, for handlers that must not hold up the polling: a thread polls the image and
 * copies each message into a ring of the Disruptor, which the measured thread takes them from. The thread idles as a
 * poller of Sluice does by default.
 */
final class AeronRingPeer implements Peer {
    /** The bytes that may be on their way, as many as Sluice's window has by default. */
    private static final int MAX_RING_BYTES = Configuration.WINDOW_DEFAULT;
    /** Fragments of a poll before its messages are published: as many as a poller of Sluice takes of a link. */
    private static final int POLL_LIMIT = 64;

    private final AeronPeer aeron = new AeronPeer();
    private final DisruptorPeer rings = new DisruptorPeer(MAX_RING_BYTES);
    private final Map<Integer, HandOver> handOvers = new HashMap<>();

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        rings.launch(folder, host, messageLength);
        aeron.launch(folder, host, messageLength);
    }

    @Override
    public Sender addSender(final int streamId) {
        return aeron.addSender(streamId);
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        if (handOvers.containsKey(streamId)) {
            throw new IllegalStateException("a ring has one writer: receivers of the stream=2 streamId=" + streamId);
        }
        final Receiver fromRing = rings.addReceiver(streamId, listener, messageLimit);
        final HandOver handOver = new HandOver(rings.addSender(streamId), fromRing);
        handOvers.put(streamId, handOver);
        handOver.from(aeron.addReceiver(streamId, handOver, POLL_LIMIT));
        return handOver;
    }

    @Override
    public Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>(aeron.settings());
        if (!handOvers.isEmpty()) {
            settings.put("subscription", settings.get("subscription").replace("the measured thread", "a thread")
                + ", into a ring of " + rings.settings().get("channel") + ", EventPoller on the measured thread");
            settings.put("own threads", settings.get("own threads") + ", 1 that polls and idles by "
                + new RestingIdleStrategy().alias());
        }
        return settings;
    }

    @Override
    public void close() {
        handOvers.values().forEach(HandOver::end);
        CloseHelper.closeAll(aeron, rings);
    }

    /**
     * Takes messages from Aeron on a thread of its own, and gives them to whoever polls it, another thread. Events are
     * published once for all that a poll has found, as Sluice's poller does.
     */
    private static final class HandOver implements MessageListener, Receiver, Runnable {
        private final Sender intoRing;
        private final Receiver fromRing;
        private final IdleStrategy idleStrategy = new RestingIdleStrategy();
        private Receiver fromAeron;
        private Thread thread;
        private volatile boolean isConnected;
        private volatile boolean isEnded;

        HandOver(final Sender intoRing, final Receiver fromRing) {
            this.intoRing = intoRing;
            this.fromRing = fromRing;
        }

        /** Begins to take messages. */
        void from(final Receiver receiver) {
            fromAeron = receiver;
            thread = Thread.ofPlatform().daemon().name("hand-over").start(this);
        }

        @Override
        public void run() {
            while (!isEnded && !fromAeron.isConnected()) {
                idleStrategy.idle();
            }
            isConnected = true;
            while (!isEnded) {
                final int work = fromAeron.poll();
                intoRing.flush();
                idleStrategy.idle(work);
            }
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length) {
            while (!intoRing.offer(buffer, offset, length) && !isEnded) {
                // what waits for room is not to wait for itself
                intoRing.flush();
                // the consumer may need the processor
                idleStrategy.idle();
            }
        }

        @Override
        public boolean isConnected() {
            return isConnected;
        }

        @Override
        public int poll() {
            return fromRing.poll();
        }

        /** Ends the thread before what it polls is closed. */
        void end() {
            isEnded = true;
            try {
                thread.join();
            } catch (final InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
