/** Whole transports on one thread with a virtual clock and a seeded scheduler: same seed, same run. */
package io.sluice.transport.simulation;
