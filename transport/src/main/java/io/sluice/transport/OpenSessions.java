package io.sluice.transport;

import io.sluice.transport.stream.PublicationEnd;
import io.sluice.transport.stream.PublicationOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The open publications of a transport, so that none is added by the name of a session that another one of its
 * channel and stream id has, named or drawn. The caller's lock guards it.
 */
final class OpenSessions {
    private record Key(String rendezvous, int streamId, int sessionId) {
    }

    private final Map<Key, PublicationEnd> open = new HashMap<>();

    OpenSessions() {
    }

    /**
     * Make a publication, unless its session is taken.
     *
     * @param options of the publication.
     * @param isNamed whether the channel says which session it is; one that was drawn is taken as it is.
     * @param factory of the publication.
     * @return what the factory made.
     * @throws IllegalArgumentException when an open publication of the stream id has the session id.
     */
    PublicationEnd add(
        final PublicationOptions options, final boolean isNamed, final Supplier<PublicationEnd> factory) {
        open.values().removeIf(PublicationEnd::isClosed);
        final Key key = new Key(options.party().rendezvous(), options.streamId(), options.session().sessionId());
        final PublicationEnd present = open.get(key);
        if (isNamed && present != null) {
            throw new IllegalArgumentException("two publications of one stream id are two sessions: "
                + ChannelUri.SESSION_ID + "=" + options.session().sessionId() + " streamId=" + options.streamId()
                + " channel=" + options.channel()
                + " is that of the open publication with channel=" + present.channel());
        }
        final PublicationEnd added = factory.get();
        open.put(key, added);
        return added;
    }
}
