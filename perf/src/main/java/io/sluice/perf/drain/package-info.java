/**
 * What draining a completion queue of the rdma provider costs, beside the same loop in C.
 */
package io.sluice.perf.drain;
