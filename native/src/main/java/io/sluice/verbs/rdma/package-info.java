/**
 * The rdma provider of the object model: libibverbs and librdmacm, called through the foreign function interface.
 */
package io.sluice.verbs.rdma;
