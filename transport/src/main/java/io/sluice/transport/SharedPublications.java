package io.sluice.transport;

import io.sluice.transport.stream.PublicationEnd;
import io.sluice.transport.stream.PublicationOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The shared publications of a transport: which stream the handles of a channel and stream id share, and how many there
 * are. Any thread.
 */
final class SharedPublications {
    private record Key(String rendezvous, int streamId) {
    }

    private static final class Stream {
        private final PublicationOptions options;
        private final PublicationEnd state;
        private int handles;

        private Stream(final PublicationOptions options, final PublicationEnd state) {
            this.options = options;
            this.state = state;
        }

        private Key key() {
            return new Key(options.party().rendezvous(), options.streamId());
        }
    }

    private final Map<Key, Stream> streams = new HashMap<>();

    SharedPublications() {
    }

    /**
     * One more handle, on a stream that there is already or on a new one.
     *
     * @param options      that are asked for.
     * @param namesSession whether the channel itself says which session it is to be.
     * @param factory      of a new stream.
     * @return the handle.
     * @throws IllegalArgumentException when there is a stream, and it has other options.
     */
    ConcurrentPublication add(
        final PublicationOptions options,
        final boolean namesSession,
        final Function<PublicationOptions, PublicationEnd> factory) {
        final ConcurrentPublication present = handleOfPresent(options, namesSession);
        // one thread adds at a time; a handler that closes another handle meanwhile does not wait for a device
        return present != null ? present : handleOf(new Stream(options, factory.apply(options)));
    }

    private synchronized ConcurrentPublication handleOfPresent(
        final PublicationOptions options, final boolean namesSession) {
        final Stream stream = streams.get(new Key(options.party().rendezvous(), options.streamId()));
        if (stream == null || stream.state.isClosed()) {
            return null;
        }
        checkEqual(stream.options, options, namesSession);
        return handleOf(stream);
    }

    private synchronized ConcurrentPublication handleOf(final Stream stream) {
        streams.put(stream.key(), stream);
        stream.handles++;
        return new ConcurrentPublication(stream.state, handle -> close(handle, stream));
    }

    private static void checkEqual(
        final PublicationOptions present, final PublicationOptions wanted, final boolean namesSession) {
        final int sessionId = (namesSession ? wanted : present).session().sessionId();
        if (!wanted.as(present, sessionId).equals(present)) {
            throw new IllegalArgumentException("the shared publication was added with other values: channel="
                + wanted.channel() + " streamId=" + wanted.streamId() + " present=" + present + " wanted=" + wanted);
        }
    }

    private synchronized void close(final ConcurrentPublication handle, final Stream stream) {
        if (handle.shut() && --stream.handles == 0) {
            streams.remove(stream.key(), stream);
            stream.state.close();
        }
    }
}
