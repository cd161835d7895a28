/**
 * The rdma provider of the object model: libibverbs and librdmacm, called through the foreign function interface.
 * Entry: {@link io.sluice.verbs.rdma.RdmaDevices}, or {@link io.sluice.verbs.rdma.LibraryDevices} for libraries that
 * somebody gives.
 *
 * <p>Each opens a {@code VerbsDevice}, which makes all other objects. None of them holds it: they have its
 * {@code DeviceContext}, and tell it of their ends through narrow interfaces or take themselves out of its tables. So
 * no class here is in a cycle with another one.
 *
 * <p>Threads: none of its own. Whoever polls a device does its duties; a poll of a completion queue or a post is of one
 * thread, and everything else of any.
 *
 * <p>Imports: {@code io.sluice.verbs}, {@code io.sluice.verbs.foreign}, {@code io.sluice.environment}, and bindings of
 * its own, {@code generated}.
 */
package io.sluice.verbs.rdma;
