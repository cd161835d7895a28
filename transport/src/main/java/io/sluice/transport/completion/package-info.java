/**
 * Completions of any completion queue as events of a Disruptor ring, for programs that post verbs themselves.
 */
package io.sluice.transport.completion;
