/**
 * The sending half of a stream: the send log, its links to subscriptions, and the accounting of their send queues.
 *
 * <p>The reasons: docs/decisions/002-wire.md, 003-frames-and-lap-words.md, 006-credits-and-batching.md and
 * 013-offers-and-copies.md.
 */
package io.sluice.transport.send;
