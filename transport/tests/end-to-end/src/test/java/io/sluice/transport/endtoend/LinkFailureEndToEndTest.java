package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.InFlight;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Timeouts;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that break between two living processes resume with nothing lost and nothing twice. */
class LinkFailureEndToEndTest {
    private static final int LONG_MESSAGE = 40_000;
    private static final int LONG_MESSAGES = 300;
    /** The writes from one fault to the next. */
    private static final int WRITES = 200;
    private static final int FEEDBACK_WRITES = 5;
    /** Each with more than a mebibyte in flight. */
    private static final int FAULTS = 5;
    /** The publisher is faster than its subscriber, so that a window's worth is in flight. */
    private static final String PACE = " limit=4 pace-ns=1000000";

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    /** A child in which nothing times out: links resume, however long a busy machine takes for it. */
    private ChildJvm start(final String name, final String... properties) {
        return fabric.start(name, Stream.concat(
            Stream.of(properties), Stream.of(Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME)).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "shared|completion=queue, invoker", "copied, invoker", "shared|completion=queue, dedicated", "copied, dedicated"
    })
    void shouldResumeWithMoreThanAMebibyteInFlight(final String log, final String mode) {
        final String channel = " channel=" + fabric.channel("window=4m|log=" + log + "|mode=" + mode) + " stream=1";
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm publisher = start("publisher", "test.hook=true");
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 length=" + LONG_MESSAGE + " count=" + LONG_MESSAGES
            + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        subscriber.ask("pause name=s", "PAUSED messages=0");
        publisher.ask("fault kind=fail after-bytes=" + (3 * InFlight.MEBIBYTE / 2), "OK");
        publisher.ask("go name=p", "OK");
        final Line fired = publisher.await("FIRED fault=fail");
        publisher.awaitCounter("links-broken", 1);
        assertTrue(fired.number("posted") >= InFlight.MEBIBYTE, "posted before the break");
        subscriber.ask("pause name=s", "PAUSED messages=0");
        subscriber.ask("resume name=s", "RESUMED");
        publisher.await("PUBLISHED result=NONE count=" + LONG_MESSAGES);
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE end=true index=0 messages=" + LONG_MESSAGES);
        assertEquals(1, publisher.counter("links-broken"));
        assertEquals(1, publisher.counter("links-resumed"));
        assertEquals(1, publisher.counter("links-established"));
        publisher.exit();
        subscriber.exit();
        assertEquals(LONG_MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared|completion=queue", "copied"})
    void shouldResumeAgainAndAgainUnderLoad(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=4m|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm other = start("other");
        final ChildJvm publisher = start("publisher", "test.hook=true");
        subscriber.ask("subscribe name=s" + PACE + channel, "OK");
        other.ask("subscribe name=o style=controlled" + channel.replace("?", "?mode=dedicated|"), "OK");
        publisher.ask("publish hold=true name=p id=1 lengths=mix" + channel, "OK");
        final int session = subscriber.await("AVAILABLE name=s join=0").intNumber("session");
        other.await("AVAILABLE name=o join=0");
        publisher.ask("go name=p", "OK");
        failUnderLoad(publisher, publisher, "fail-each writes=" + WRITES, session);
        end(publisher, subscriber, other);
        assertEquals(2, publisher.counter("links-established"));
        publisher.exit();
        subscriber.exit();
        other.exit();
        assertEquals(Reports.assertReceivedAll(fabric, "p", "s"), Reports.assertReceivedAll(fabric, "p", "o"));
    }

    /** Let operations of one of them fail again and again until enough of them have found a mebibyte in flight. */
    private static void failUnderLoad(
        final ChildJvm publisher, final ChildJvm failing, final String fault, final int session) {
        failing.ask("fault from=p to=s session=" + session + " kind=" + fault, "OK");
        int underLoad = 0;
        while (underLoad < FAULTS) {
            underLoad += failing.await("FIRED").number("in-flight") >= InFlight.MEBIBYTE ? 1 : 0;
        }
        publisher.awaitCounter("links-resumed", FAULTS);
        failing.ask("release", "OK command=release");
    }

    private static void end(final ChildJvm publisher, final ChildJvm... subscribers) {
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        for (final ChildJvm subscriber : subscribers) {
            subscriber.await("UNAVAILABLE end=true index=0");
        }
    }

    /** So small that a link breaks wherever a frame can lie. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared|completion=queue", "copied"})
    void shouldResumeAgainAndAgainInATinyWindow(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=4k|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm other = start("other");
        final ChildJvm publisher = start("publisher", "test.hook=true");
        subscriber.ask("subscribe name=s" + channel, "OK");
        other.ask("subscribe name=o style=controlled" + channel.replace("?", "?mode=dedicated|"), "OK");
        publisher.ask("publish hold=true name=p id=1 lengths=even" + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        other.await("AVAILABLE name=o join=0");
        publisher.ask("fault kind=fail-each writes=" + WRITES, "OK");
        publisher.ask("go name=p", "OK");
        publisher.awaitCounter("links-resumed", FAULTS);
        publisher.ask("release", "OK command=release");
        end(publisher, subscriber, other);
        assertEquals(2, publisher.counter("links-established"));
        publisher.exit();
        subscriber.exit();
        other.exit();
        assertEquals(Reports.assertReceivedAll(fabric, "p", "s"), Reports.assertReceivedAll(fabric, "p", "o"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldResumeWhenTheSubscribersEndBreaks(final String log) {
        final String channel = " channel=" + fabric.channel("window=4m|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber", "test.hook=true");
        final ChildJvm publisher = start("publisher");
        subscriber.ask("subscribe name=s" + PACE + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 lengths=mix" + channel, "OK");
        final int session = subscriber.await("AVAILABLE name=s join=0").intNumber("session");
        publisher.ask("go name=p", "OK");
        failUnderLoad(publisher, subscriber, "fail-feedback writes=" + FEEDBACK_WRITES, session);
        end(publisher, subscriber);
        publisher.exit();
        subscriber.exit();
        Reports.assertReceivedAll(fabric, "p", "s");
    }

    /** The failed write was the last: nobody posts again but the transport itself. */
    @ParameterizedTest
    @ValueSource(strings = {"shared|completion=queue", "copied"})
    void shouldDeliverTheTailThatBrokeWhenThePublisherHadNothingMoreToSay(final String log) {
        final String channel = " channel=" + fabric.channel("window=1m|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm publisher = start("publisher", "test.hook=true");
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 length=100 count=1" + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        publisher.ask("fault kind=fail after-bytes=0", "OK");
        publisher.ask("go name=p", "OK");
        publisher.await("FIRED fault=fail");
        publisher.await("PUBLISHED result=NONE count=1");
        subscriber.awaitMessages("s", 1);
        assertEquals(1, publisher.counter("links-resumed"));
        publisher.exit();
        subscriber.exit();
        assertEquals(1, Reports.assertReceivedAll(fabric, "p", "s"));
    }
}
