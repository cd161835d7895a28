/** Peers that say or write what no transport would: nothing crashes, nothing hangs, other streams go on. */
package io.sluice.transport.hostile;
