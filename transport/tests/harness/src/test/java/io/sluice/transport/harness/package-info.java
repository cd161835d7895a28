/**
 * Child JVMs, journals and load for the end-to-end tests: what was sent and received is judged from files, by the
 * parent.
 */
package io.sluice.transport.harness;
