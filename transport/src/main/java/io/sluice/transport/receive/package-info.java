/**
 * The receiving data path: from what a device has written to the handler's call, and back to the publication's window.
 *
 * <pre>
 *   INVOKER                                    DEDICATED
 *   DirectPoll.poll, pollAll, pollWhole        Poller.doWork
 *     SingleImagePoll.look   one image only, then LogScan.receiveNext ──→ FrameReader.messageAt
 *     Receiver.drain         received            Receiver.drain         received
 *     FrameWalk.next         walked              EventRing.walk         walked, by FrameWalk.next and EventSlot.set
 *     MessageView.onMessage  consumed              └─→ EventSlot.view: PolledConsumer.poll, EventConsumer.doWork
 *     Receiver.maintain      reported            EventRing.reclaim      consumed
 *       at once when InboundLink.isMaintenanceDue  Receiver.maintain    reported, by FeedbackWriter.write
 *   Receiver.drain ──→ LogScan.find ──→ FrameReader.committedEnd          of a shared log, without completions
 *                  └─→ LinkIndex.find ──→ InboundLink.onWrite             of a completion
 *   FrameReader.frameAt: which bytes are a frame        ImagePositions: the four positions
 *   ReceiveCredits: the receives that are posted        HeldEvent.take: the copy of a consumer that may be evicted
 * </pre>
 *
 * <p>{@link io.sluice.transport.receive.DirectPoll} and {@link io.sluice.transport.receive.Poller} are the entries.
 * One thread polls a receiver and its links; the conductor talks to it by {@code ReceiverCommands}, and messages leave
 * it by {@code MessageView} or {@code EventSlot}. Nothing here allocates, blocks or logs while messages flow.
 *
 * <p>May import {@code carrier}, {@code buffer}, {@code counters}, {@code status}, {@code codec}, {@code verbs},
 * {@code os} and {@code environment}. Knows of no publication, conductor or API.
 *
 * <p>The reasons: docs/decisions/004-feedback.md, 008-memory-completion.md, 010-short-way-of-a-poll.md,
 * 011-moderation.md, 014-hand-off-over-a-ring.md, 015-many-links.md and 032-rooms.md.
 */
package io.sluice.transport.receive;
