package io.sluice.transport.endtoend;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Reports;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A publisher that waits in another process for the session of one that is killed with kill -9. */
class SameSessionEndToEndTest {
    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @ParameterizedTest
    @ValueSource(strings = {"shared", "copied"})
    void shouldTakeTheSuccessorOfAPublisherThatIsKilled(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=64k|log=" + log) + " stream=1";
        final String session = channel.replace("?", "?session-id=7|");
        final ChildJvm subscriber = fabric.start("subscriber");
        subscriber.ask("subscribe name=s" + channel, "OK");
        final ChildJvm first = fabric.start("first");
        first.ask("publish hold=true lengths=mix name=p0 id=0" + session, "OK");
        subscriber.await("AVAILABLE session=7 index=0");
        final ChildJvm second = fabric.start("second");
        second.ask("publish hold=true lengths=mix name=p1 id=1" + session, "OK");
        second.awaitCounter("links-refused", 2);
        first.ask("go name=p0", "OK");
        subscriber.awaitMessages("s", 100);

        first.kill();
        subscriber.await("UNAVAILABLE end=false index=0");
        subscriber.await("AVAILABLE session=7 index=1");
        second.ask("go name=p1", "OK");
        subscriber.awaitMessages("s", subscriber.ask("state name=s", "STATE name=s").number("messages") + 100);
        second.exit();
        subscriber.exit();
        Reports.assertRuns(fabric, "p0", "s");
        Reports.assertRuns(fabric, "p1", "s");
    }
}
