package io.sluice.verbs.model;

/** Differences of rdma-core's providers, as far as a caller can do something wrong by them. */
public enum Trait {
    /** Completion queues can be polled by {@code ibv_cq_ex}. */
    EXTENDED_QUEUES,
    /** A queue's lock is held from {@code start_poll} to {@code end_poll}, unless it is for a single thread. */
    LOCKS_BATCHES,
    /** A queue for a single thread is granted, and its lock taken all the same. */
    IGNORES_SINGLE_THREADED,
    /** A post to a full send queue takes the lock of the completion queue. */
    LOCKS_QUEUE_WHEN_FULL,
    /** {@code ibv_destroy_qp} takes the locks of both completion queues and removes the queue pair's entries. */
    CLEANS_QUEUES,
    /**
     * {@code ibv_destroy_qp} takes those locks and leaves the entries: a poll that meets one answers EINVAL, once.
     */
    FORGETS_QUEUE_PAIRS,
    /** A poll finds queue pairs by a pointer that no lock guards while {@code ibv_destroy_qp} takes one away. */
    FOLLOWS_QUEUE_PAIRS,
    /** Completions of a queue pair that is destroyed stay, and a poll that meets one reads what was freed. */
    FOLLOWS_FREED_QUEUE_PAIRS,
    /** Completion queues can be resized. */
    RESIZES,
    /** A completion queue's lock is held during the system call that resizes the queue. */
    RESIZES_UNDER_LOCK,
    /** {@code ibv_query_qp} is not there. */
    LACKS_STATE_QUERY,
    /** Any length of inline bytes is granted, and the flag ignored: the bytes are read after the post. */
    IGNORES_INLINE,
    /** Grants the inline bytes that there are where more are asked for, instead of refusing. */
    GRANTS_LESS_INLINE,
    /** Sends can be posted by {@code ibv_qp_ex}. */
    BUILDER,
    /** A post by {@code ibv_qp_ex} to a full queue writes into the request that was posted last. */
    OVERWRITES_WHEN_FULL,
    /** Polls take the lock that is held from {@code wr_start} to {@code wr_complete}. */
    POLLS_UNDER_SEND_LOCK,
    /** The send completion queue's lock, which polls take, is held from {@code wr_start} to {@code wr_complete}. */
    HOLDS_QUEUE_WHILE_BUILDING,
    /** Any post takes the lock of its completion queue. */
    POSTS_UNDER_QUEUE_LOCK,
    /** A queue pair's path without a global route is taken, and leads nowhere; that of an address handle is refused. */
    REQUIRES_GLOBAL_ROUTE,
    /** The device has no reliable connected queue pairs. */
    LACKS_CONNECTIONS,
    /** The device has shared receive queues. */
    SHARED_RECEIVES,
    /** The device has atomic operations. */
    ATOMICS,
    /** The clock of the device can be read by {@code ibv_query_rt_values_ex}, and its rate is told. */
    READS_CLOCK,
    /** Parent domains can be allocated. */
    PARENT_DOMAINS,
    /** The device has no datagram queue pairs. */
    LACKS_DATAGRAMS,
    /** A send that is not signalled, or that asks for an event of its peer, is called invalid: EINVAL. */
    TAKES_SIGNALLED_SENDS_ONLY,
    /** A post to a queue pair that the library knows to have failed is a system call, without which none is flushed. */
    ENTERS_KERNEL_IN_ERROR,
    /** A post to a queue pair that the library knows to have failed is refused: EIO. */
    REFUSES_POSTS_IN_ERROR,
    /** A post to a queue pair that the library knows to have failed is called invalid: EINVAL. */
    CALLS_POSTS_IN_ERROR_INVALID,
    /** Posts return error numbers negative. */
    ANSWERS_NEGATIVE_ERRORS,
    /** A queue cannot be armed for solicited completions only: EOPNOTSUPP. */
    LACKS_SOLICITED_EVENTS,
    /** Arming returns error numbers negative. */
    ARMS_WITH_NEGATIVE_ERRORS,
    /** A queue without a channel cannot be armed: the device writes where it has no doorbell, or refuses, ENOENT. */
    ARMS_WITH_CHANNEL_ONLY,
    /** A queue that is armed again with nothing polled since claims one entry more: one that is empty is not armed. */
    LOSES_REPEATED_ARMING,
    /** A poll that finds an error is a system call, and changes the queue pair's state. */
    POLLS_ENTER_KERNEL,
    /** A poll that finds an error takes the lock of the queue pair's other completion queue. */
    POLLS_LOCK_OTHER_QUEUE,
    /** A post of a send is a system call. */
    SENDS_ENTER_KERNEL,
    /** A post of a datagram is a system call now and then. */
    DATAGRAMS_ENTER_KERNEL,
    /** The locks of posts are held while the kernel changes a queue pair to the ERROR state. */
    LOCKS_POSTS_WHILE_FAILING,
    /** Flushed receives come before the completion of the error, else after it. */
    FLUSHES_RECEIVES_FIRST,
    /** READs have a ring of 128 places, too, and one that finds it full is called invalid: EINVAL. */
    READS_IN_A_RING,
    /** A place of the send queue is free when its request is done, else when a completion is polled. */
    FREES_PLACES_WHEN_DONE
}
