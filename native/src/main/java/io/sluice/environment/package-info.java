/**
 * The one door to threads, clocks, randomness, files and local sockets, so that a test can replace all of them.
 *
 * <pre>
 *   Environment ─┬─ clock, randomness, parking, Worker: an agent on a thread of its own
 *                ├─ SharedFiles ──→ MappedMemory, LockWatch
 *                └─ LocalSockets ──→ LocalListener, LocalSocket
 *   SystemEnvironment: the machine itself; tests have one that they step
 * </pre>
 *
 * <p>{@link io.sluice.environment.Environment} is the entry, and {@link io.sluice.environment.SystemEnvironment} what
 * programs run on. Any thread may call, but for a socket, which belongs to one at a time. Calls on files and sockets
 * belong to the set-up; the clock and the parking to any.
 *
 * <p>Imports nothing of Sluice. The reasons: docs/decisions/001-environment.md, and 028-file-locks.md of the locks.
 */
package io.sluice.environment;
