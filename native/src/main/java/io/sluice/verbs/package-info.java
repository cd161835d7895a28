/**
 * RDMA verbs in Java's words: devices, protection domains, memory regions, completion queues, queue pairs, address
 * handles, connections.
 */
package io.sluice.verbs;
