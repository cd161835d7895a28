/**
 * The verbs object model over shared memory of one host, in pure Java, with hooks that inject faults.
 *
 * <p>The reasons: docs/decisions/023-software-device.md.
 */
package io.sluice.verbs.software;
