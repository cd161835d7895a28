/** Back-pressure, its signal and its cause; several subscriptions of one publication, and the slow ones among them. */
package io.sluice.transport.behaviour.pressure;
