package io.sluice.verbs;

/**
 * How to create a completion queue (ibv_create_cq_ex(3)).
 *
 * @param capacity completions that it must hold, at least 1.
 * @param fields   {@link CompletionField} bits to make readable.
 * @param channel  that its events go to, or null when it is only polled.
 */
public record CompletionQueueAttributes(int capacity, int fields, CompletionChannel channel) {
}
