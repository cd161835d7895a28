package io.sluice.transport.receive;

/** A link's place among those of its receiver; {@link AttachedLinks} alone writes it. Polling thread. */
final class LinkPlace {
    /** {@link #index}: the link is not attached to a receiver. */
    static final int NOT_ATTACHED = -1;

    /** The link's index in {@link AttachedLinks#all()}, or {@link #NOT_ATTACHED}. */
    int index = NOT_ATTACHED;
    /** The position that the link had received up to when it was looked whether anything arrives. */
    long receivedBefore;
}
