package io.sluice.transport.receive;

/** A link's place among those of its receiver; {@link AttachedLinks} alone writes it. Polling thread. */
final class LinkPlace {
    /** {@link #index}: the link is not attached to a receiver. */
    static final int NOT_ATTACHED = -1;

    /** Where the link stands in {@link AttachedLinks#all()}, or {@link #NOT_ATTACHED}. */
    int index = NOT_ATTACHED;
    /** How far the link was when it was looked whether anything arrives. */
    long receivedBefore;
}
