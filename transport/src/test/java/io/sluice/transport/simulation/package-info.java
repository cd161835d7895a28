/** Whole transports on a virtual machine with one thread, a virtual clock and a seeded scheduler: same seed, same run. */
package io.sluice.transport.simulation;
