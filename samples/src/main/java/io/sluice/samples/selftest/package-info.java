/**
 * A test for somebody with a card to run for a few minutes and send back: every attribute of a device, and whether it
 * does what the transport relies on, by each interface. Entry: {@link io.sluice.samples.selftest.SelfTest}, which
 * writes to a {@link io.sluice.samples.selftest.Report}. One thread; each check has a daemon thread of its own, since
 * it may hang, and awaits those that it starts. Imports {@code io.sluice.verbs}, its providers and
 * {@code io.sluice.environment}; nothing of the transport.
 */
package io.sluice.samples.selftest;
