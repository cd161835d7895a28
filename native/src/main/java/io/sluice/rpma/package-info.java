/**
 * librpma in Java's words: peers, endpoints, connections, messages, remote memory and completion queues, as its manual
 * pages have them.
 *
 * <pre>
 *   RpmaPeer ─┬─→ RpmaEndpoint ──→ RpmaConnectionRequest ──→ RpmaConnection ──→ RpmaCompletionQueue
 *             ├─→ RpmaMemoryRegion ┄┄ descriptor ┄┄→ RpmaRemoteRegion
 *             └─→ RpmaSharedReceiveQueue
 * </pre>
 *
 * <p>{@link io.sluice.rpma.RpmaPeer} is the entry. A connection and its completion queue belong to one thread at a
 * time, everything else to any. Whoever makes an object closes it, before what it was made of.
 *
 * <p>Imports {@code io.sluice.verbs}, {@code io.sluice.verbs.foreign} and {@code io.sluice.environment}.
 */
package io.sluice.rpma;
