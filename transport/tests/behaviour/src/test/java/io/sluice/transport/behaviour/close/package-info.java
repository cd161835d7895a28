/** Closing: from callbacks, under handlers, while others are inside, with linger. */
package io.sluice.transport.behaviour.close;
