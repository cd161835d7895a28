/**
 * The writer of a transport's status: counters and distinct errors, in files that others read, and the words for why
 * something failed.
 *
 * <pre>
 *   any thread ──→ LiveCounters.increment           the transport's own counts, in memory
 *   monitor ─────→ StatusFiles.allocate, onRefreshed ──→ file "counters" ──┐
 *   any thread ──→ StatusFiles.errorHandler                                ├──→ status.StatusReader,
 *                      └─→ ErrorLog ─→ ErrorRecords ───→ file "errors" ────┘     perhaps in another process
 * </pre>
 *
 * <p>{@link io.sluice.transport.counters.StatusFiles} is the entry; the transport makes and closes it. The conductor's
 * thread allocates and sets counters; errors come from any thread and take a lock, which nobody needs who has none.
 * {@code FailureKind} says when two errors are the same, {@code BreakReason} why a link broke: all rooms share them.
 *
 * <p>May import {@code status}, {@code layout}, {@code verbs} and {@code environment}. The module does not export this
 * room: programs read, and only the transport writes.
 */
package io.sluice.transport.counters;
