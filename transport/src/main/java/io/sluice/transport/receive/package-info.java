/**
 * The receiving half of a stream: draining completions, or looking at the frames of a log that is shared; checking
 * frames in place; reporting what was consumed.
 *
 * <p>The reasons: docs/decisions/004-feedback.md, 008-memory-completion.md, 010-short-way-of-a-poll.md,
 * 011-moderation.md, 014-hand-off-over-a-ring.md and 015-many-links.md.
 */
package io.sluice.transport.receive;
