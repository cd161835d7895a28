/**
 * RDMA verbs in Java's words: devices, protection domains, memory regions, completion queues, queue pairs, address
 * handles, connections.
 *
 * <pre>
 *   RdmaDevice ─┬─→ ProtectionDomain ─┬─→ MemoryRegion
 *               │                     └─→ QueuePair, SharedReceiveQueue, AddressHandle
 *               ├─→ CompletionChannel, CompletionQueue
 *               └─→ Listener ──→ ConnectionRequest ──→ Connection
 * </pre>
 *
 * <p>{@link io.sluice.verbs.RdmaDevice} is the entry; a provider opens it: {@code rdma} on libibverbs, {@code software}
 * in shared memory. Polls of a completion queue and posts to a queue pair are the data path: one thread at a time,
 * error numbers as results and no exceptions. Everything else is of any thread and throws
 * {@link io.sluice.verbs.VerbsException}.
 *
 * <p>Imports nothing of Sluice: providers import it.
 */
package io.sluice.verbs;
