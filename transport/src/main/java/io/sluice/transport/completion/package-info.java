/**
 * Completions of any completion queue as events of a Disruptor ring, for programs that post verbs themselves.
 *
 * <pre>
 *   CompletionQueue ── batches ──→ CompletionPoller ──→ RingBuffer&lt;CompletionEvent&gt; ──→ consumers of the program
 *                                     doWork               claims only what is free: the rest stays in the queue
 * </pre>
 *
 * <p>{@link io.sluice.transport.completion.CompletionPoller} is the entry: an agent, whose one thread polls the queue
 * and alone publishes to the ring. The program owns queue and ring, and closes them after the agent. A failure is an
 * event like a success; only an error of the queue itself goes to the error handler, once until it is over.
 *
 * <p>May import {@code verbs}. The transport itself does not use this room.
 */
package io.sluice.transport.completion;
