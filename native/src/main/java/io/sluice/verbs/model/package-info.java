/**
 * Model cards: libibverbs and librdmacm in Java below the rdma provider, each behaving as one provider of rdma-core was
 * read to behave, with queue pairs that move data within this process. Entry: {@link io.sluice.verbs.model.Model}.
 *
 * <p>Threads: none of its own. What is called does its work under one monitor, {@code Fabric}'s; what must wait is
 * carried out by whoever calls next.
 *
 * <p>Imports: the provider's one door {@code io.sluice.verbs.rdma.LibraryDevices} and its bindings, and
 * {@code io.sluice.verbs.foreign}. Nothing of the product imports it but commands that show a model.
 */
package io.sluice.verbs.model;
