/**
 * Programs to learn from, one for each thing, each in one file and in this order.
 *
 * <pre>
 *   1 PublishSubscribe   2 Claim          3 ControlledPoll
 *   4 SbeDispatch        5 HandlerGraph   6 BackPressure
 *   7 TaggedGroup        8 RdmaWithKey    9 OwnAgents
 * </pre>
 *
 * <p>After {@code mvn -q -Dquick -DskipTests package}, from the folder of the checkout:
 * <pre>
 *   M="samples/target/classes:transport/target/classes:codec/target/classes:native/target/classes"
 *   java @.config/jvm/access -cp "$M:$(cat samples/target/classpath.txt)" io.sluice.samples.learn.Sample2Claim
 * </pre>
 *
 * <p>Each has its own {@code main}; begin with {@link io.sluice.samples.learn.Sample1PublishSubscribe}. All but the
 * eighth run on any host, in one process. They may import the API of the transport and SBE codecs, and no command line.
 */
package io.sluice.samples.learn;
