package io.sluice.transport.receive;

import io.sluice.transport.buffer.WorkRequestId;
import java.util.Arrays;

/** The links of a receiver by the index that their work-request ids carry. Polling thread only. */
final class LinkIndex {
    private InboundLink[] links = {};

    /** The link that a completion belongs to, or null when it, or its epoch, is over. */
    InboundLink find(final long workRequestId) {
        final int index = WorkRequestId.index(workRequestId);
        final InboundLink link = index < links.length ? links[index] : null;
        return link != null && link.isCurrent(workRequestId) ? link : null;
    }

    void put(final long workRequestId, final InboundLink link) {
        final int index = WorkRequestId.index(workRequestId);
        if (index >= links.length) {
            links = Arrays.copyOf(links, index + 1);
        }
        links[index] = link;
    }

    void remove(final InboundLink link) {
        for (int i = 0; i < links.length; i++) {
            if (links[i] == link) {
                links[i] = null;
            }
        }
    }
}
