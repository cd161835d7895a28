package io.sluice.transport.stream;

import io.sluice.transport.settings.TransportId;

/**
 * The publication that asks for a link, as its transport names it. Immutable; any thread.
 *
 * @param streamId    of the publication.
 * @param sessionId   of the publication.
 * @param incarnation of the session.
 */
record PublicationId(int streamId, int sessionId, TransportId incarnation) {
}
