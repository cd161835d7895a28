package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.CounterFiles;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.InFlight;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Scale;
import io.sluice.transport.harness.Timeouts;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterType;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of two consumers takes a hundred times as long for each message as before, while the publisher offers as fast as
 * it can: the counters files tell who it is, nothing is lost, and when it is itself again, so is the publisher. For the
 * seconds of the system property {@value #SECONDS}; from {@value #LONG_SECONDS} on, how long the publisher takes to
 * recover is judged, too, which is for a machine that is not slow and does nothing else.
 */
class SlowConsumerEndToEndTest {
    private static final String SECONDS = "sluice.test.slow.seconds";
    private static final int LONG_SECONDS = 60;
    private static final int SHORT_SECONDS = 3;
    private static final long TIMEOUT_SECONDS = 400;

    private static final int SLOWNESS = 100;
    private static final int MESSAGES = Scale.messages(20_000);
    private static final int RING = 256;
    private static final long WINDOW = 4 * InFlight.MEBIBYTE;
    private static final String SLOW = "consumer=slow ";
    private static final String QUICK = "consumer=quick ";

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private ChildJvm subscriber;
    private ChildJvm publisher;
    private CounterFiles counters;

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared", "copied"})
    @Timeout(value = TIMEOUT_SECONDS, unit = TimeUnit.SECONDS)
    void shouldWaitForAConsumerThatIsAHundredTimesSlowerAndRecoverAfterwards(final String log) {
        final int seconds = Integer.parseInt(System.getProperty(SECONDS, String.valueOf(SHORT_SECONDS)));
        connect(log);
        final long pauseNs = SLOWNESS * nsForEach();
        subscriber.ask("slow name=slow pause-ns=" + pauseNs, "OK");
        final long beginNs = System.nanoTime();
        final long endNs = beginNs + TimeUnit.SECONDS.toNanos(seconds);
        final long before = state(subscriber, "slow").number("messages");
        awaitTold();
        final long refused = state(publisher, "p").number("back-pressured");
        Await.until(() -> "the end of the slow time", () -> System.nanoTime() - endNs >= 0, seconds + 1);
        awaitTold();
        assertTrue(state(publisher, "p").number("back-pressured") > refused, "refused all the time");
        assertTrue(state(publisher, "p").flag("connected"));
        final long messages = state(subscriber, "slow").number("messages") - before;
        final long most = 2 * (System.nanoTime() - beginNs) / pauseNs + 1;
        assertTrue(messages <= most, () -> "it was not slow: messages=" + messages + " most=" + most);
        final long recoveryMs = release();
        System.out.println("slowed to 1/" + SLOWNESS + " (" + pauseNs + " ns for each message) for " + seconds
            + " s: recovered after " + recoveryMs + " ms");
        assertTrue(seconds < LONG_SECONDS || Scale.isReduced() || recoveryMs <= TimeUnit.SECONDS.toMillis(1),
            () -> recoveryMs + " ms");
        end();
    }

    private void connect(final String log) {
        subscriber = fabric.start("subscriber", Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME);
        publisher = fabric.start("publisher", Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME);
        counters = new CounterFiles(fabric);
        subscriber.ask("consume names=quick,slow stream=1 channel="
            + fabric.channel("mode=dedicated|ring=" + RING + "|log=" + log), "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1 stream=1 channel="
            + fabric.channel("window=" + WINDOW + "|log=" + log), "OK");
        subscriber.await("AVAILABLE join=0 index=0 name=quick");
        subscriber.await("AVAILABLE join=0 index=0 name=slow");
        publisher.ask("go name=p", "OK");
    }

    /** The time that a message takes at full speed. */
    private long nsForEach() {
        subscriber.awaitMessages("slow", MESSAGES);
        final long beginNs = System.nanoTime();
        final long before = state(subscriber, "slow").number("messages");
        subscriber.awaitMessages("slow", before + MESSAGES);
        return (System.nanoTime() - beginNs) / (state(subscriber, "slow").number("messages") - before);
    }

    /** The counters files say that the window is exhausted, the ring is full, and who it is. */
    private void awaitTold() {
        final long refused = counters.value(CounterType.PUBLICATION_WINDOW_EXHAUSTED, "");
        final long full = counters.value(CounterType.RING_FULL, "");
        Await.until(() -> "the counters to tell who is slow: " + describe(), () ->
            counters.value(CounterType.PUBLICATION_WINDOW_EXHAUSTED, "") > refused
                && counters.value(CounterType.RING_FULL, "") > full
                && counters.value(CounterType.CONSUMER_DISTANCE, SLOW) >= RING / 2
                && counters.value(CounterType.CONSUMER_DISTANCE, QUICK) < RING / 4
                && counters.value(CounterType.PUBLICATION_POSITION, "")
                    - counters.value(CounterType.LINK_CONSUMED, "") >= InFlight.MEBIBYTE,
            Await.DEADLINE_SECONDS);
    }

    private String describe() {
        return "window-exhausted=" + counters.value(CounterType.PUBLICATION_WINDOW_EXHAUSTED, "")
            + " ring-full=" + counters.value(CounterType.RING_FULL, "")
            + " slow=" + counters.value(CounterType.CONSUMER_DISTANCE, SLOW)
            + " quick=" + counters.value(CounterType.CONSUMER_DISTANCE, QUICK)
            + " position=" + counters.value(CounterType.PUBLICATION_POSITION, "")
            + " consumed=" + counters.value(CounterType.LINK_CONSUMED, "");
    }

    /** The time from the release until the publisher has sent twice what it was held up with. */
    private long release() {
        final long held = state(publisher, "p").number("position");
        final long beginNs = System.nanoTime();
        subscriber.tell("slow name=slow pause-ns=0");
        Await.until("the publisher to recover", () -> state(publisher, "p").number("position") >= held + 2 * WINDOW);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private void end() {
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE index=0 end=true name=quick");
        subscriber.await("UNAVAILABLE index=0 end=true name=slow");
        publisher.exit();
        subscriber.exit();
        assertEquals(Reports.assertReceivedAll(fabric, "p", "quick"), Reports.assertReceivedAll(fabric, "p", "slow"));
    }

    private static Line state(final ChildJvm process, final String name) {
        return process.ask("state name=" + name, "STATE name=" + name);
    }
}
