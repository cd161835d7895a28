/** A door into the rdma provider for benchmarks: what it does not show to applications, over tables of their own. */
package io.sluice.verbs.rdma;
