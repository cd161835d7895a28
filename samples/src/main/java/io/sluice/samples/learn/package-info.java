/**
 * Programs to learn from, one for each thing, each in one file and in this order.
 *
 * <pre>
 *   1 PublishSubscribe   2 Claim          3 ControlledPoll
 *   4 SbeDispatch        5 HandlerGraph   6 BackPressure
 *   7 TaggedGroup        8 RdmaWithKey    9 OwnAgents
 * </pre>
 *
 * <p>From the folder of the checkout, with a JDK 25 or later as {@code java}; the launcher builds them first:
 * <pre>
 *   java @.config/jvm/access -cp "$(./sluice class-path samples)" io.sluice.samples.learn.Sample2Claim
 * </pre>
 *
 * <p>Each has its own {@code main}; begin with {@link io.sluice.samples.learn.Sample1PublishSubscribe}. All but the
 * eighth run on any host, in one process. They may import the API of the transport and SBE codecs, and no command line.
 */
package io.sluice.samples.learn;
