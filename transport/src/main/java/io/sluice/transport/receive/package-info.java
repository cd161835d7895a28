/** The receiving half of a stream: draining completions, checking frames in place, reporting what was consumed. */
package io.sluice.transport.receive;
