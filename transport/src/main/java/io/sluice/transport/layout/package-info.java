/**
 * The places where things lie in the files of a transport's status.
 *
 * <pre>
 *   counters  (writes, not exported) ──┐
 *       │                              ├──→ layout: StatusLayout
 *       └──→ status (reads, exported) ─┘
 * </pre>
 *
 * <p>{@link io.sluice.transport.layout.StatusLayout} is the entry and all there is: names of files, lengths, offsets,
 * fields of labels. It stands below the reader and the writer, so that neither imports the other for it. Constants and
 * pure functions, for any thread.
 *
 * <p>May import nothing of the transport.
 */
package io.sluice.transport.layout;
