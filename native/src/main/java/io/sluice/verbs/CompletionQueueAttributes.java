package io.sluice.verbs;

/**
 * The attributes to create a completion queue with (ibv_create_cq_ex(3)).
 *
 * @param capacity     completions that it must hold, at least 1.
 * @param fields       {@link CompletionField} bits to make readable.
 * @param channel      that its events go to, or null when it is only polled.
 * @param vector       completion vector that its events come by, from 0 to
 *                     {@link DeviceAttributes#completionVectors()}, exclusive.
 * @param flags        {@link CompletionQueueFlags} bits.
 * @param parentDomain from {@link ProtectionDomain#allocateParentDomain()}, or null.
 * @param context      the program's own, which {@link CompletionQueue#context()} answers, or null.
 */
public record CompletionQueueAttributes(
    int capacity, int fields, CompletionChannel channel, int vector, int flags, ProtectionDomain parentDomain,
    Object context) {

    /**
     * A completion queue of the first vector, without flags, parent domain and context.
     *
     * @param capacity completions that it must hold, at least 1.
     * @param fields   {@link CompletionField} bits to make readable.
     * @param channel  that its events go to, or null when it is only polled.
     */
    public CompletionQueueAttributes(final int capacity, final int fields, final CompletionChannel channel) {
        this(capacity, fields, channel, 0, CompletionQueueFlags.NONE, null, null);
    }

    /**
     * A copy of these attributes with another completion vector.
     *
     * @param newVector the new {@link #vector()}.
     * @return new attributes.
     */
    public CompletionQueueAttributes withVector(final int newVector) {
        return new CompletionQueueAttributes(capacity, fields, channel, newVector, flags, parentDomain, context);
    }

    /**
     * A copy of these attributes with other flags.
     *
     * @param newFlags the new {@link #flags()}.
     * @return new attributes.
     */
    public CompletionQueueAttributes withFlags(final int newFlags) {
        return new CompletionQueueAttributes(capacity, fields, channel, vector, newFlags, parentDomain, context);
    }

    /**
     * A copy of these attributes with a parent domain.
     *
     * @param newParentDomain the new {@link #parentDomain()}.
     * @return new attributes.
     */
    public CompletionQueueAttributes withParentDomain(final ProtectionDomain newParentDomain) {
        return new CompletionQueueAttributes(capacity, fields, channel, vector, flags, newParentDomain, context);
    }

    /**
     * A copy of these attributes with a context.
     *
     * @param newContext the new {@link #context()}.
     * @return new attributes.
     */
    public CompletionQueueAttributes withContext(final Object newContext) {
        return new CompletionQueueAttributes(capacity, fields, channel, vector, flags, parentDomain, newContext);
    }
}
