/** Messages from offer and claim to handlers, dispatchers and graphs of consumers, with transports of one process. */
package io.sluice.transport.behaviour.message;
