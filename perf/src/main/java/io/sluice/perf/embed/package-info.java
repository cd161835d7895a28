/**
 * Measures what embedding costs a program: to connect, an idle turn of its loop, and a process at rest, beside Aeron.
 */
package io.sluice.perf.embed;
