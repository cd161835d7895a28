/**
 * The sending data path: from a claim in the log to a write on each link, and the limit of the next claim.
 *
 * <pre>
 *   ExclusiveOffers.offer, commit, commitFrame  ConcurrentOffers.offer        both by Publication.offer
 *     ExclusivePoster.enter                       ConcurrentPoster.enter
 *     SendLog.append, or claim and commit         ConcurrentClaims.offer, end
 *        └─ FrameWriter.write, or mark, putMessage and commit ─┘   header, message, length last
 *     ExclusivePoster.post                        ConcurrentPoster.post
 *        └──→ LogPoster.postOnLinks ──→ OutboundLink.post ──→ QueuePair.postWriteWithImmediate
 *   LogPoster.lowestLimit ──→ FlowControl.limit ──→ OutboundLink.consumedPosition: the feedback cell;
 *     an offer that would end beyond that limit answers BACK_PRESSURED
 * </pre>
 *
 * <p>{@link io.sluice.transport.send.LogOffers} is the entry of writing threads, which claim and commit, and
 * {@link io.sluice.transport.send.LogPoster} the conductor's: whoever holds the poster's token posts, the conductor too
 * when a tail must wait. Nothing here allocates, blocks or logs while messages flow.
 *
 * <p>May import {@code carrier}, {@code buffer}, {@code counters}, {@code status}, {@code codec} and {@code verbs}.
 * Knows of no subscription, conductor or API.
 *
 * <p>The reasons: docs/decisions/002-wire.md, 003-frames-and-lap-words.md, 006-credits-and-batching.md and
 * 013-offers-and-copies.md.
 */
package io.sluice.transport.send;
