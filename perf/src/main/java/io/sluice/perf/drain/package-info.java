/**
 * Measures the cost of draining a completion queue of the rdma provider, beside the same loop in C.
 */
package io.sluice.perf.drain;
