package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Scale;
import io.sluice.transport.harness.UnderLoad;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that are killed with kill -9 with more than a mebibyte in flight, and processes that start again.
 */
class KillEndToEndTest {
    /** Few: {@link RandomKillsEndToEndTest} has a hundred. */
    private static final int ROUNDS = Scale.rounds(4);
    private static final int MOMENTS = Scale.messages(20_000);
    private static final long SEED = 20_260_704;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private final SplittableRandom random = new SplittableRandom(SEED);

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldLeaveAPrefixWhenThePublisherIsKilled(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=4m|log=" + log) + " stream=1";
        final ChildJvm first = fabric.start("first");
        final ChildJvm second = fabric.start("second");
        first.ask("subscribe name=s1" + channel, "OK");
        second.ask("subscribe name=s2 style=controlled" + channel.replace("?", "?mode=dedicated|"), "OK");
        final long[] pids = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            final ChildJvm publisher = fabric.start("publisher" + round);
            pids[round] = publisher.pid();
            // the same session every time: its lives must not be mixed
            publisher.ask("publish hold=true lengths=mix name=p" + round + " id=" + round
                + channel.replace("?", "?session-id=7|"), "OK");
            first.await("AVAILABLE session=7 index=" + round);
            second.await("AVAILABLE session=7 index=" + round);
            publisher.ask("go name=p" + round, "OK");
            first.awaitMessages("s1", messages(first, "s1") + 1 + random.nextInt(MOMENTS));
            final UnderLoad load = new UnderLoad(fabric, "p" + round, first, "s1", 7);
            load.slowDownAndStrike(publisher::kill);
            load.hurryUp();
            first.await("UNAVAILABLE end=false index=" + round);
            second.await("UNAVAILABLE end=false index=" + round);
        }
        first.exit();
        second.exit();
        for (int round = 0; round < ROUNDS; round++) {
            assertTrue(Reports.assertRuns(fabric, "p" + round, "s1") > 0);
            assertTrue(Reports.assertRuns(fabric, "p" + round, "s2") > 0);
            assertEquals(1, Reports.imagesOf(fabric, "s1", round).size());
            assertEquals(0, Reports.imagesOf(fabric, "s1", round).getFirst().firstPosition());
        }
        assertNothingLeftOf(pids);
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldGoOnWithTheOthersWhenASubscriberIsKilled(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=4m|log=" + log) + " stream=1";
        final ChildJvm publisher = fabric.start("publisher");
        final ChildJvm faithful = fabric.start("faithful");
        faithful.ask("subscribe name=f" + channel, "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + channel, "OK");
        final int session = faithful.await("AVAILABLE name=f join=0").intNumber("session");
        publisher.ask("go name=p", "OK");
        final long[] pids = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            final ChildJvm victim = fabric.start("victim" + round);
            pids[round] = victim.pid();
            final String mode = round % 2 == 0 ? "invoker" : "dedicated";
            victim.ask("subscribe name=v" + round + channel.replace("?", "?mode=" + mode + "|"), "OK");
            victim.awaitMessages("v" + round, 1 + random.nextInt(MOMENTS));
            new UnderLoad(fabric, "p", victim, "v" + round, session).slowDownAndStrike(victim::kill);
            faithful.awaitMessages("f", messages(faithful, "f") + MOMENTS);
            publisher.awaitCounter("links-gone", round + 1);
            publisher.awaitCounter("subscribers-lost", round + 1);
        }
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        faithful.await("UNAVAILABLE name=f end=true index=0");
        publisher.exit();
        faithful.exit();
        Reports.assertReceivedAll(fabric, "p", "f");
        for (int round = 0; round < ROUNDS; round++) {
            assertTrue(Reports.assertRuns(fabric, "p", "v" + round) > 0);
        }
        assertNothingLeftOf(pids);
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldNotBeConnectedWhenTheOnlySubscriberIsKilledUntilTheNextOne(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=4m|log=" + log) + " stream=1";
        final ChildJvm publisher = fabric.start("publisher");
        publisher.ask("publish lengths=mix name=p id=1" + channel, "OK");
        for (int round = 0; round < 3; round++) {
            final ChildJvm victim = fabric.start("victim" + round);
            victim.ask("subscribe name=v" + round + channel, "OK");
            final int session = victim.await("AVAILABLE name=v" + round).intNumber("session");
            victim.awaitMessages("v" + round, 1 + random.nextInt(MOMENTS));
            new UnderLoad(fabric, "p", victim, "v" + round, session).slowDownAndStrike(victim::kill);
            Await.until("the publisher to be disconnected", () -> !isConnected(publisher));
        }
        final ChildJvm last = fabric.start("last");
        last.ask("subscribe name=l" + channel, "OK");
        last.awaitMessages("l", MOMENTS);
        final Line published = publisher.ask("halt name=p", "PUBLISHED result=NONE");
        assertTrue(published.number("not-connected") > 0, "the publisher was told");
        publisher.ask("close name=p", "CLOSED drained=true");
        last.await("UNAVAILABLE name=l end=true index=0");
        publisher.exit();
        last.exit();
        assertTrue(Reports.assertRuns(fabric, "p", "l") >= MOMENTS);
        for (int round = 0; round < 3; round++) {
            assertTrue(Reports.assertRuns(fabric, "p", "v" + round) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldKeepTheLivesOfARestartedPublisherApart(final String log) {
        final String channel = " channel=" + fabric.channel("window=256k|log=" + log) + " stream=1";
        final ChildJvm subscriber = fabric.start("subscriber");
        subscriber.ask("subscribe name=s" + channel, "OK");
        for (int round = 0; round < 3; round++) {
            final ChildJvm publisher = fabric.start("publisher" + round);
            publisher.ask("publish hold=true lengths=mix count=" + MOMENTS + " name=p" + round + " id=" + round
                + channel.replace("?", "?session-id=7|"), "OK");
            subscriber.await("AVAILABLE session=7 index=" + round);
            publisher.ask("go name=p" + round, "OK");
            publisher.await("PUBLISHED result=NONE count=" + MOMENTS);
            // close() of the transport alone: its linger delivers what was offered
            publisher.exit();
            subscriber.await("UNAVAILABLE end=true index=" + round + " messages=" + MOMENTS);
        }
        subscriber.exit();
        for (int round = 0; round < 3; round++) {
            assertEquals(MOMENTS, Reports.assertReceivedAll(fabric, "p" + round, "s"));
        }
    }

    private static boolean isConnected(final ChildJvm publisher) {
        return publisher.ask("state name=p", "STATE name=p").flag("connected");
    }

    private static long messages(final ChildJvm subscriber, final String name) {
        return subscriber.ask("state name=" + name, "STATE name=" + name).number("messages");
    }

    /** The next process removes what killed ones have left, and its own when it ends. */
    private void assertNothingLeftOf(final long... pids) {
        final ChildJvm next = fabric.start("next");
        for (final long pid : pids) {
            Await.until("the folder of killed process " + pid + " to be removed", () -> !hasFolder(pid));
        }
        next.exit();
        assertTrue(!hasFolder(next.pid()), "a process removes its own folder");
    }

    private boolean hasFolder(final long pid) {
        try (Stream<java.nio.file.Path> entries = Files.list(fabric.directory())) {
            return entries.anyMatch(entry -> entry.getFileName().toString().startsWith(pid + "-"));
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }
}
