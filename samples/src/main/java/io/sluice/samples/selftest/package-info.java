/**
 * A test for somebody with a card to run for a few minutes and send back: every attribute of a device, and whether it
 * does what the transport relies on, by each interface. Entry: {@link io.sluice.samples.selftest.SelfTest}. One thread,
 * and those that single checks start and await. Imports {@code io.sluice.verbs} and its providers; nothing of the
 * transport.
 */
package io.sluice.samples.selftest;
