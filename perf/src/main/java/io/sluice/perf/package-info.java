/**
 * Benchmarks and rigs that measure Sluice beside its peers.
 */
package io.sluice.perf;
