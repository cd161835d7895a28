package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Scale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A burst larger than receive credit, send queue and writes in flight, after which the application never calls the
 * transport again: everything arrives all the same.
 */
@Tag("slow")
class BurstEndToEndTest {
    private static final int MESSAGE_LENGTH = 300;
    private static final int MESSAGES = 2_900;
    private static final int MANY_MESSAGES = Scale.messages(50_000);
    private static final int DEFAULT_BOUNDS = 0;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    static Stream<Arguments> boundsAndPostedLogs() {
        return Stream.of(1, 2, DEFAULT_BOUNDS)
            .flatMap(bound -> Stream.of("shared|completion=queue", "copied").map(log -> Arguments.of(bound, log)));
    }

    static Stream<Arguments> boundsAndLogs() {
        return Stream.concat(
            boundsAndPostedLogs(), Stream.of(1, DEFAULT_BOUNDS).map(bound -> Arguments.of(bound, "shared")));
    }

    private ChildJvm start(final String name, final int bound) {
        return bound == DEFAULT_BOUNDS
            ? fabric.start(name, "test.hook=true")
            : fabric.start(
                name,
                "test.hook=true",
                "sluice.receive.depth=" + bound,
                "sluice.writes.in.flight=" + bound,
                "sluice.send.queue.length=" + bound);
    }

    @ParameterizedTest
    @MethodSource("boundsAndPostedLogs")
    void shouldDeliverTheTailOfABurst(final int bound, final String log) {
        final String channel = " channel=" + fabric.channel("window=1m|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber", bound);
        final ChildJvm publisher = start("publisher", bound);
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 length=" + MESSAGE_LENGTH + " count=" + MESSAGES + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        subscriber.ask("pause name=s", "PAUSED messages=0");
        publisher.ask("go name=p", "OK");
        final Line published = publisher.await("PUBLISHED back-pressured=0 result=NONE count=" + MESSAGES);
        // from here on no thread of the publisher's application calls the transport
        final Line posted = publisher.ask("posted", "POSTED");
        assertTrue(posted.number("bytes") < published.number("position"), () -> "no tail left: " + posted);
        subscriber.ask("resume name=s", "RESUMED");
        subscriber.awaitMessages("s", MESSAGES);
        publisher.exit();
        subscriber.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @ParameterizedTest
    @MethodSource("boundsAndLogs")
    void shouldDeliverUnderSteadyLoad(final int bound, final String log) {
        final String channel = " channel=" + fabric.channel("window=64k|log=" + log) + " stream=1";
        final ChildJvm subscriber = start("subscriber", bound);
        final ChildJvm publisher = start("publisher", bound);
        subscriber.ask("subscribe name=s style=controlled" + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 lengths=mix count=" + MANY_MESSAGES + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        publisher.ask("go name=p", "OK");
        publisher.await("PUBLISHED result=NONE count=" + MANY_MESSAGES);
        subscriber.awaitMessages("s", MANY_MESSAGES);
        publisher.exit();
        subscriber.exit();
        assertEquals(MANY_MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }
}
