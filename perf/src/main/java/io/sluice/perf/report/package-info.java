/**
 * Tables of what was measured, for people to read.
 */
package io.sluice.perf.report;
