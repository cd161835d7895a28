/**
 * What people and tools see of a running transport: positions, states and counts, in a file.
 *
 * <pre>
 *   StatusAgent.doWork ──→ Conductor.doWork
 *        ├─ ten times a second ─→ CounterGroups ──→ CounterGroup of each publication, subscription and link ──→ StatusFiles (status)
 *        └─ each millisecond ───→ CycleWatch: the longest duty cycle of each poller
 * </pre>
 *
 * <p>{@link io.sluice.transport.monitor.StatusAgent} is the entry, and runs on the conductor's thread, around the
 * conductor. Counters of the data path are plain longs that their owners write; this room copies them.
 *
 * <p>May import {@code conductor}, {@code stream}, {@code agent} and {@code status}.
 */
package io.sluice.transport.monitor;
