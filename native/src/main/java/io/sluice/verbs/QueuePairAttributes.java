package io.sluice.verbs;

/**
 * How to create a queue pair (ibv_create_qp(3), ibv_modify_qp(3)), and what was granted.
 *
 * @param sendQueue       completion queue of its sends.
 * @param receiveQueue    completion queue of its receives.
 * @param maxSendWork     work requests that its send queue must hold.
 * @param maxReceiveWork  work requests that its receive queue must hold.
 * @param maxInlineData   bytes that can be posted inline.
 * @param rnrRetryCount   how often a send is repeated when the peer has no receive posted: 0 never, 7 for ever.
 * @param minRnrTimerCode delay between those repeats that this side asks of its peers, as the code of
 *                        ibv_modify_qp(3): 12 is 0.64 ms, 0 is 655 ms.
 * @param retryCount      how often a lost packet is repeated, 0 to 7.
 * @param ackTimeoutCode  4.096 µs times two to this power is the acknowledgement timeout, 14 is 67 ms.
 */
public record QueuePairAttributes(
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    int maxSendWork,
    int maxReceiveWork,
    int maxInlineData,
    int rnrRetryCount,
    int minRnrTimerCode,
    int retryCount,
    int ackTimeoutCode) {
}
