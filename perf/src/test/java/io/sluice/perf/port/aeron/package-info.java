/**
 * Samples in the manner of Aeron's, over Aeron's API; the twins are in the package beside it.
 */
package io.sluice.perf.port.aeron;
