/**
 * jcstress tests: what two threads may see of each other in the lock-free parts, tried a billion times in every way the
 * compilers offer.
 */
package io.sluice.perf.stress;
