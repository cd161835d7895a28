/**
 * The receiving half of a stream: draining completions, or looking at the frames of a log that is shared; checking
 * frames in place; reporting what was consumed.
 */
package io.sluice.transport.receive;
