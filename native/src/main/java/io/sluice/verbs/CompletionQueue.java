package io.sluice.verbs;

/**
 * A completion queue with the contract of the extended one of ibv_create_cq_ex(3). One thread at a time polls it; until
 * it is empty, by:
 * <pre>{@code
 * while (cq.startPoll() == Errno.OK) {
 *     do {
 *         // read the current completion
 *     } while (cq.nextPoll() == Errno.OK);
 *     cq.endPoll();
 * }
 * }</pre>
 * After a failed {@link #startPoll()} (ENOENT included) {@link #endPoll()} must not be called; after a successful one
 * it must, whatever {@link #nextPoll()} returned. A batch ends after some completions (16, say), though there may be
 * more: the queue is empty when {@link #startPoll()} answers ENOENT, and not before. The readers throw
 * IllegalStateException outside a batch. The polling thread closes neither this nor a queue pair that completes here
 * within its batch: a device may wait for its end. When the completion's status is not {@link WorkStatus#SUCCESS},
 * only {@link #workRequestId()}, {@link #status()}, {@link #queuePairNumber()} and {@link #vendorError()} are valid:
 * all other readers throw IllegalStateException then. Polling allocates nothing and never blocks.
 * <p>
 * A queue that overruns raises {@link AsyncEventType#CQ_ERR} and is dead: it and its queue pairs must be rebuilt.
 */
public abstract class CompletionQueue implements AutoCloseable {
    private final Object context;

    /** Make a queue without a context; for providers. */
    protected CompletionQueue() {
        this(null);
    }

    /**
     * Make a queue with a context; for providers.
     *
     * @param context that it was asked for with.
     */
    protected CompletionQueue(final Object context) {
        this.context = context;
    }

    /**
     * The object that the program has given to this queue ({@code cq_context}), to find by an event what the event is
     * about. Any thread.
     *
     * @return {@link CompletionQueueAttributes#context()}, or null when there is none.
     */
    public final Object context() {
        return context;
    }

    /**
     * Start a batch and make its first completion current.
     *
     * @return OK, ENOENT when the queue is empty, EBUSY to try again, for example while the queue is resized or a queue
     *         pair of it is destroyed, or another error number.
     */
    public abstract int startPoll();

    /**
     * Make the next completion current.
     *
     * @return OK, ENOENT when the batch ends here, or another error number. A batch is bounded, so ENOENT does not say
     * that the queue is empty: only {@link #startPoll()} does.
     */
    public abstract int nextPoll();

    /**
     * The longest batch that there is. Any thread.
     *
     * @return completions after which {@link #nextPoll()} ends a batch though there may be more.
     */
    public int maxBatch() {
        return Integer.MAX_VALUE;
    }

    /**
     * End a batch that {@link #startPoll()} has started; hands the entries back to the device.
     */
    public abstract void endPoll();

    /**
     * The id given when the work request was posted.
     *
     * @return {@code wr_id}.
     */
    public abstract long workRequestId();

    /**
     * The status that the work request ended with.
     *
     * @return a {@link WorkStatus} value.
     */
    public abstract int status();

    /**
     * The operation that completed.
     *
     * @return a {@link WorkOpcode} value.
     */
    public abstract int opcode();

    /**
     * The device's own word for an error.
     *
     * @return vendor-specific number.
     */
    public abstract int vendorError();

    /**
     * The flags that tell which fields are valid.
     *
     * @return {@link WorkFlags} bits of a completion.
     */
    public abstract int flags();

    /**
     * Bytes that came in: a message, or what a READ or an atomic has fetched.
     *
     * @return length in bytes; means nothing for a SEND or a WRITE of this side.
     * @throws IllegalStateException when {@link CompletionField#BYTE_LENGTH} was not asked for.
     */
    public abstract int byteLength();

    /**
     * Immediate data, valid when {@link #flags()} has {@link WorkFlags#WITH_IMMEDIATE}.
     *
     * @return 32 bits in this host's byte order.
     * @throws IllegalStateException when {@link CompletionField#IMMEDIATE} was not asked for.
     */
    public abstract int immediateData();

    /**
     * The key of this side that the peer's SEND WITH INVALIDATE has invalidated, valid when {@link #flags()} has
     * {@link WorkFlags#WITH_INVALIDATED_KEY}.
     *
     * @return an rkey.
     * @throws IllegalStateException when {@link CompletionField#IMMEDIATE}, whose place it takes, was not asked for.
     */
    public int invalidatedKey() {
        throw notAskedFor("invalidatedKey");
    }

    /**
     * Number of the queue pair that the work request was posted to.
     *
     * @return the local queue pair number.
     * @throws IllegalStateException when {@link CompletionField#QUEUE_PAIR_NUMBER} was not asked for.
     */
    public abstract int queuePairNumber();

    /**
     * Number of the peer's queue pair.
     *
     * @return the remote queue pair number.
     * @throws IllegalStateException when {@link CompletionField#SOURCE_QUEUE_PAIR} was not asked for.
     */
    public abstract int sourceQueuePair();

    /**
     * The peer's local identifier, on InfiniBand.
     *
     * @return 16 bits, or more with extended addresses.
     * @throws IllegalStateException when {@link CompletionField#SOURCE_LID} was not asked for.
     */
    public int sourceLid() {
        throw notAskedFor("sourceLid");
    }

    /**
     * The service level that the message came by.
     *
     * @return 4 bits.
     * @throws IllegalStateException when {@link CompletionField#SERVICE_LEVEL} was not asked for.
     */
    public int serviceLevel() {
        throw notAskedFor("serviceLevel");
    }

    /**
     * The path bits of this side's local identifier that the message came to.
     *
     * @return 7 bits.
     * @throws IllegalStateException when {@link CompletionField#DESTINATION_PATH_BITS} was not asked for.
     */
    public int destinationPathBits() {
        throw notAskedFor("destinationPathBits");
    }

    /**
     * The time at which the work request completed, by the device's clock: {@link DeviceClock#elapsedTicks} and
     * {@link DeviceClock#toNs} of {@link DeviceAttributes#clock()} convert, {@link RdmaDevice#clockTicks()} is now.
     *
     * @return ticks of that clock.
     * @throws IllegalStateException when {@link CompletionField#COMPLETION_TIMESTAMP} was not asked for.
     */
    public long completionTimestamp() {
        throw notAskedFor("completionTimestamp");
    }

    /**
     * The time at which the work request completed, by the wall clock.
     *
     * @return nanoseconds since 1970.
     * @throws IllegalStateException when {@link CompletionField#COMPLETION_TIMESTAMP_WALL_CLOCK} was not asked for.
     */
    public long completionTimestampWallClockNs() {
        throw notAskedFor("completionTimestampWallClockNs");
    }

    /**
     * The customer VLAN of a received packet.
     *
     * @return 16 bits.
     * @throws IllegalStateException when {@link CompletionField#CUSTOMER_VLAN} was not asked for.
     */
    public int customerVlan() {
        throw notAskedFor("customerVlan");
    }

    /**
     * The tag of the flow rule that a received packet matched.
     *
     * @return 24 bits.
     * @throws IllegalStateException when {@link CompletionField#FLOW_TAG} was not asked for.
     */
    public int flowTag() {
        throw notAskedFor("flowTag");
    }

    /**
     * The tag of a tag-matching message.
     *
     * @return 64 bits.
     * @throws IllegalStateException when {@link CompletionField#TAG_MATCHING} was not asked for.
     */
    public long matchedTag() {
        throw notAskedFor("matchedTag");
    }

    /**
     * The opaque word that came with a tag-matching message.
     *
     * @return 32 bits.
     * @throws IllegalStateException when {@link CompletionField#TAG_MATCHING} was not asked for.
     */
    public int matchedUserData() {
        throw notAskedFor("matchedUserData");
    }

    /**
     * Index of the partition key that a datagram came by, which only the manual page's legacy record has.
     *
     * @return 16 bits.
     * @throws UnsupportedOperationException when this is an extended queue: {@code ibv_cq_ex} has no reader for it.
     */
    public int partitionKeyIndex() {
        throw new UnsupportedOperationException(
            "partitionKeyIndex: this completion queue has no such field, only legacy ones of an RDMA device have");
    }

    /**
     * Make the exception for a field that is not readable; for providers.
     *
     * @param field name of its reader.
     * @return the exception to throw.
     */
    public static final IllegalStateException notAskedFor(final String field) {
        return new IllegalStateException(field + " was not asked for when the completion queue was created");
    }

    /**
     * Make the exception for a field of a completion that has failed; for providers.
     *
     * @param field  name of its reader.
     * @param status of the completion, a {@link WorkStatus} value.
     * @return the exception to throw.
     */
    public static final IllegalStateException notValid(final String field, final int status) {
        return new IllegalStateException(
            field + " is not valid: the completion's status is " + WorkStatus.name(status));
    }

    /**
     * Make the exception for a start within a batch; for providers.
     *
     * @return the exception to throw.
     */
    public static final IllegalStateException batchNotEnded() {
        return new IllegalStateException("startPoll within a batch: endPoll has not been called");
    }

    /**
     * Make the exception for a call that needs a batch; for providers.
     *
     * @param call name of it.
     * @return the exception to throw.
     */
    public static final IllegalStateException outsideBatch(final String call) {
        return new IllegalStateException(call + " outside a batch: startPoll has not succeeded");
    }

    /**
     * The readable fields.
     *
     * @return {@link CompletionField} bits asked for at creation.
     */
    public abstract int fields();

    /**
     * The number of completions that fit in the queue.
     *
     * @return {@code cqe}, never less than asked; 0 once the queue is closed.
     */
    public abstract int capacity();

    /**
     * Change the capacity (ibv_resize_cq(3)). Any thread but a poller within its batch; it may wait for the end of
     * another thread's. Who polls meanwhile is told EBUSY.
     *
     * @param capacity completions that must fit.
     * @throws VerbsException        EINVAL when more are waiting than would fit or the device cannot, EOPNOTSUPP when
     *                               it resizes none, EBUSY when another thread does not leave its batch.
     * @throws IllegalStateException within a batch of this thread, for whose end a device may wait.
     */
    public abstract void resize(int capacity);

    /**
     * Ask for one event on the channel when the next completion arrives (ibv_req_notify_cq(3)). Poll after this and
     * before waiting, until {@link #startPoll()} answers ENOENT: what arrived before makes no event, the end of a
     * batch does not tell that nothing did, and some devices (ionic) are armed by that poll only. A queue without a
     * channel has nobody to tell, and does nothing. On mana, whose library would undo the first request by a second
     * one, there is one event for all requests until it is taken.
     *
     * @param solicitedOnly only for solicited completions and errors.
     * @return OK, or a positive error number: EINVAL when the queue is closed or has overrun, EOPNOTSUPP when the
     * device has no events for solicited completions only (mana, efa), where all can be asked for.
     */
    public abstract int requestNotify(boolean solicitedOnly);

    /**
     * Acknowledge events got from the channel (ibv_ack_cq_events(3)). Any thread.
     *
     * @param count events, at least 1.
     * @throws IllegalArgumentException when fewer than that are not acknowledged yet.
     */
    public abstract void acknowledgeEvents(int count);

    /**
     * Destroy the queue (ibv_destroy_cq(3)); idempotent. Its queue pairs must be closed before, and its events
     * acknowledged.
     *
     * @throws VerbsException        EBUSY while a queue pair uses it or an event is not acknowledged, and nothing has
     *                               changed then; EBUSY when another thread does not leave a batch, and another error
     *                               when the device refuses: it can be closed again then, not used.
     * @throws IllegalStateException within a batch of this thread, for whose end a device may wait.
     */
    @Override
    public abstract void close();
}
