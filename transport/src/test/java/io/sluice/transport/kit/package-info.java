/**
 * The kit of all tests of the transport, those of one room too: waiting, inputs of fuzzers, control messages, pages of
 * the guide. Nothing of it launches a transport; that is the harness, in a module of its own.
 */
package io.sluice.transport.kit;
