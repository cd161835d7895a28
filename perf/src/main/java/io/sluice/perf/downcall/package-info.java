/**
 * Measures the cost of a call of native code by each linker option, and its cost for other threads when it is slow.
 */
package io.sluice.perf.downcall;
