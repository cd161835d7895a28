/**
 * Samples in the manner of Aeron's, over Sluice's API; the twins are in the package beside it.
 */
package io.sluice.perf.port.sluice;
