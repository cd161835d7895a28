/**
 * The public API of Sluice: publish and subscribe over RDMA verbs.
 */
package io.sluice.transport;
