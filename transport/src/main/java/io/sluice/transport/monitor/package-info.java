/**
 * The counters of a running transport: positions, states and counts, copied into a file for people and tools.
 *
 * <pre>
 *   StatusAgent.doWork ──→ Conductor.doWork
 *        ├─ ten times a second ─→ CounterGroups ──→ CounterGroup of each link, image … ──→ StatusFiles
 *        └─ each millisecond ───→ CycleWatch: the longest duty cycle of each poller
 * </pre>
 *
 * <p>{@link io.sluice.transport.monitor.StatusAgent} is the entry, and runs on the conductor's thread, around the
 * conductor. Counters of the data path are plain longs that their owners write; this room copies them.
 *
 * <p>May import {@code conductor}, {@code stream}, {@code agent}, {@code settings}, {@code receive}, {@code send},
 * {@code buffer}, {@code counters}, {@code flight} and {@code status}.
 */
package io.sluice.transport.monitor;
