/**
 * The parts that both halves of a link share: work-request ids, send-queue accounts, how full completion queues are
 * found, and the guards of memory in use.
 *
 * <p>The reasons: docs/decisions/006-credits-and-batching.md and 019-threads-and-hand-overs.md.
 */
package io.sluice.transport.buffer;
