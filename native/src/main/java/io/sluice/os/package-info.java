/**
 * Answers of the operating system that are no part of an environment: the processors that a thread runs on, and the
 * files that a process has open.
 *
 * <p>Entries: {@link io.sluice.os.CpuAffinity}, which pins the calling thread, {@link io.sluice.os.CpuIsolation}, which
 * tells how isolated a processor is, and {@link io.sluice.os.OpenFiles}. Any thread may call; nothing is kept.
 *
 * <p>Imports nothing of Sluice.
 */
package io.sluice.os;
