/** The verbs object model over shared memory of one host, in pure Java, with hooks that inject faults. */
package io.sluice.verbs.software;
