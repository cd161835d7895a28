/**
 * The receiving data path: from what a device has written to the handler's call, and back to the publication's window.
 *
 * <pre>
 *   INVOKER                                    DEDICATED
 *   DirectPoll.poll                            Poller.doWork
 *     SingleImagePoll.look   one image only, then LogScan.receiveNext
 *     Receiver.drain         received            Receiver.drain         received
 *     FrameWalk.next         walked              EventRing.walk         walked, by FrameWalk.next
 *     MessageView.onMessage  consumed              └─→ PolledConsumer.poll, EventConsumer.doWork
 *     Receiver.maintain      reported            EventRing.reclaim      consumed
 *                                                Receiver.maintain      reported
 *   InboundLink: an epoch, and what ties the others     LogScan: which frames of a shared log are committed
 *   ImagePositions: the four positions                  ReceiveCredits: the receives that are posted
 *   FrameReader: which bytes of a ring are a frame      FeedbackWriter: what the publication is told, and when
 *   LinkIndex: which link a completion is of               HeldEvent: the copy of a consumer that may be evicted
 * </pre>
 *
 * <p>{@link io.sluice.transport.receive.DirectPoll} and {@link io.sluice.transport.receive.Poller} are the entries.
 * One thread polls a receiver and its links; the conductor talks to it by {@code ReceiverCommands}, and messages leave
 * it by {@code MessageView} or {@code EventSlot}. Nothing here allocates, blocks or logs while messages flow.
 *
 * <p>May import {@code buffer}, {@code counters}, {@code status}, {@code codec}, {@code verbs}, {@code os} and
 * {@code environment}. Knows of no publication, conductor or API.
 *
 * <p>The reasons: docs/decisions/004-feedback.md, 008-memory-completion.md, 010-short-way-of-a-poll.md,
 * 011-moderation.md, 014-hand-off-over-a-ring.md, 015-many-links.md and 032-rooms.md.
 */
package io.sluice.transport.receive;
