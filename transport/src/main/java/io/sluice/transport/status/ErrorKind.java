package io.sluice.transport.status;

/**
 * The kinds of errors that a transport tells its error handler, as far as a program acts on them differently; the text
 * of an error is for people. One enum and not a class for each kind: a new kind changes no hierarchy, and most have
 * nothing of their own to carry. A switch over it has a {@code default}: minor versions add kinds. Each constant says
 * what has happened and what there is to do about it. Immutable; any thread.
 *
 * <pre>{@code
 * context.errorHandler(error -> {
 *     if (error instanceof TransportException ex) {
 *         switch (ex.kind()) {
 *             case IMAGE_LOST, SUBSCRIBER_LOST -> recover(ex);
 *             case STORAGE -> alert(ex);
 *             default -> log(ex);
 *         }
 *     } else {
 *         log(error); // thrown by a handler of this program
 *     }
 * });
 * }</pre>
 */
public enum ErrorKind {
    /**
     * A subscription has lost an image before its end: what the publication still sends, or had sent and it had not
     * received, does not reach it. The image may come back as a new one, which joins live.
     */
    IMAGE_LOST,
    /**
     * A publication has lost a subscriber that it owed messages to: those do not reach it. The subscriber may come
     * back, and joins live.
     */
    SUBSCRIBER_LOST,
    /** A consumer was taken out of a subscription, as it held others up; with the last one the subscription closes. */
    CONSUMER_EVICTED,
    /**
     * A consumer has left, as its thread has ended or was interrupted, or after its eviction; with the last one its
     * subscription closes. Only a new subscription brings it back.
     */
    CONSUMER_LEFT,
    /** A handler may have seen bytes that are not those of its message: they were overwritten, or it read beyond. */
    MESSAGE_MISREAD,
    /** A peer was refused by its key or its address, or has refused this transport by those. */
    PEER_REFUSED,
    /** A link was refused for another reason, its session for example; it is tried again, but for its window. */
    LINK_REFUSED,
    /** A peer has as much as its quota allows, and was refused more. */
    QUOTA_REACHED,
    /** A link could not be made, or is made anew; nothing is lost yet, and it is tried again. */
    LINK_FAILED,
    /** A peer cannot be reached or listened for, or its control connection was lost; it is tried again. */
    CONNECTION_FAILED,
    /**
     * An RDMA device, or a port of it, is broken or was removed, and links resume when it is back in time; or there is
     * none: no device has the address that something was added for, or a device refuses what is needed of it.
     */
    DEVICE_FAILED,
    /** The shared folder is full or cannot be used, or somebody has removed from it what is in use. */
    STORAGE,
    /** Memory, descriptors or places are used up: what was asked for waits until there are some. */
    RESOURCES,
    /** A thread or memory stays with a handler, a listener or a claim that does not give it back. */
    ABANDONED,
    /** The transport goes on with less than was asked of it: a poller is not pinned, say. */
    DEGRADED,
    /** A bug of the transport. */
    INTERNAL
}
