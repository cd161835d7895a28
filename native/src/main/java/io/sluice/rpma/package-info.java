/**
 * librpma in Java's words: peers, endpoints, connections, messages, remote memory and completion queues, as its manual
 * pages have them.
 */
package io.sluice.rpma;
