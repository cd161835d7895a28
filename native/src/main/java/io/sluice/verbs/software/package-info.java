/**
 * The verbs object model over shared memory of one host, in pure Java, with hooks that inject faults.
 *
 * <pre>
 *   a post ──→ SendQueue ──→ Transmitter ──→ the peer's mapped ring or region ──→ its completion queue
 *   RdmaDevice.poll ──→ DeviceDuties: waiting sends, peers' deaths, events
 *   files of a device: queues, regions, connections, a lock by which others see that its process lives
 * </pre>
 *
 * <p>{@link io.sluice.verbs.software.SoftwareDevice} is the entry. No thread of its own: who posts carries its work to
 * the peer, and who polls the device does the rest.
 *
 * <p>Imports {@code io.sluice.verbs}, {@code io.sluice.environment}, and of
 * {@code io.sluice.verbs.foreign} what there is to do about failures.
 *
 * <p>The reasons: docs/decisions/023-software-device.md.
 */
package io.sluice.verbs.software;
