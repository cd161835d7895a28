/**
 * What a call of native code costs by each linker option, and what it costs other threads when it is slow.
 */
package io.sluice.perf.downcall;
