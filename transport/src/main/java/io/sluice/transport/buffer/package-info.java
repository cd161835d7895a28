/**
 * The parts that both halves of a link share, and that decide when memory may be touched.
 *
 * <pre>
 *   WorkRequestId      64 bits of a request: kind, index, generation
 *   SendQueueLedger    slots of a send queue: posted, signalled, free again
 *   EntryGuard         is the one thread inside?     SharedEntryGuard   are any of several threads?
 *   RemoteMemory       address and key of a place at the peer
 *   DrainWatch         how full a completion queue was found, and when what it held is drained
 * </pre>
 *
 * <p>Each class is an entry of its own, and says which threads may call it. A guard is entered by the data path and
 * asked by the conductor, after a fence of all threads.
 *
 * <p>May import {@code verbs}. Both data paths, streams, peers and the monitor import this one.
 *
 * <p>The reasons: docs/decisions/006-credits-and-batching.md and 019-threads-and-hand-overs.md.
 */
package io.sluice.transport.buffer;
