/**
 * Streams, at either end: publications, subscriptions and the links between them, from set-up to the end.
 *
 * <pre>
 *   Publications  ──→ PublicationState  ──→ PublicationLinks  ──→ PublicationLink  ──→ PublicationEpochs
 *                          │ SendLog, LogPoster (send)              │ OutboundLink (send)
 *                          └─→ PublicationDelivery                  └─→ ResumeAttempts, StreamDelivery
 *   Subscriptions ──→ SubscriptionState ──→ SubscriptionLinks ──→ SubscriptionLink ──→ SubscriptionEpochs
 *      │                   │ Receiver (receive)                     │ InboundLink (receive)
 *      └─→ LinkRequests    │                                        ├─→ SubscriptionResumption
 *                          │                                        └─→ SubscriptionLinkEnd
 *                          └─→ SubscriptionConsumers, SlowConsumers: who holds the stream up, and what is done
 * </pre>
 *
 * <p>{@link io.sluice.transport.stream.Publications} and {@link io.sluice.transport.stream.Subscriptions} are the
 * entries; the API knows {@code PublicationEnd} and {@code SubscriptionEnd} only. The thread is the conductor's where a
 * class names no other one; queue pairs, rings and cells are made and destroyed on the set-up thread. The states of a
 * link stand in {@code PublicationLinkState} and {@code SubscriptionLinkState}. {@code PublicationLink.begin} and
 * {@code SubscriptionResumption.resume} resume a broken link; {@code ResumeAttempts} says when the next one is due.
 *
 * <p>A completion queue that has overrun is dead with all queue pairs on it: the conductor breaks their links, the
 * next set-up makes another queue, and the links resume there in a new epoch.
 *
 * <p>May import {@code peer}, {@code pressure}, {@code agent}, {@code settings}, {@code receive}, {@code send},
 * {@code carrier}, {@code buffer}, {@code counters}, {@code flight}, {@code status}, {@code codec}, {@code verbs} and
 * {@code environment}.
 *
 * <p>The reasons: docs/decisions/005-epochs-and-resumption.md and 007-completion-queues-that-overrun.md.
 */
package io.sluice.transport.stream;
