/**
 * The public API of Sluice: publish and subscribe over RDMA verbs.
 *
 * <pre>
 *   Context ──→ Transport ──→ Publication, ExclusivePublication    offer, tryClaim
 *                        └──→ Subscription ──→ Image               poll, controlledPoll
 *                                         └──→ HandlerGraph        handlers on threads of their own
 *   Context ──→ Timeouts, LinkOptions, EvictionOptions, Quotas, PollerOptions    settings that are seldom changed
 * </pre>
 *
 * <p>{@link io.sluice.transport.Transport} is the entry; each class says which threads may call it. What is public
 * here is a facade: the data path is in {@code receive} and {@code send}, links and peers are in {@code conductor} and
 * the rooms below it. {@code ImageView} is where messages come out, {@code EventConsumer} hands those of a ring to a
 * graph's handlers, {@code Channels} and {@code Media} are where a channel's text becomes options and a device.
 *
 * <p>May import every room of the transport; none imports this one.
 */
package io.sluice.transport;
