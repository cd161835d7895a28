package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Life;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.PublicationStatus;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Verdict;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Eight publishing and eight subscribing processes of one stream, each linked to all of the other kind, under load all
 * the time. One of each kind joins late, one leaves and comes back, one is killed and replaced, one stands still for a
 * moment, one for longer than every timeout, and one subscriber is a hundred times slower for a while: it is waited
 * for, or left behind and taken back, as the flow control has it. Half of the publications are shared by two writing
 * threads. At the end each of the pairs is judged by the journals of both.
 */
@Tag("long")
class ManyProcessesEndToEndTest {
    private static final int PROCESSES = 8;
    /** The parts of the processes, by their numbers; those not named are there all the time. */
    private static final int SLOW = 2;
    private static final int LEAVING = 3;
    private static final int KILLED = 4;
    private static final int PAUSING = 5;
    private static final int FROZEN = 6;
    private static final int LATE = 7;

    /** The logs of subscribers that gate. Who is given up must not look at a log that others go on with: copied. */
    private static final List<String> LOGS = List.of(
        "shared", "copied", "shared", "shared|completion=queue", "copied", "shared", "copied",
        "shared|completion=queue");

    /** The messages that each subscriber receives between one event and the next. */
    private static final int MESSAGES = 2_000;
    /** The number of messages while somebody stands still who must not be given up. */
    private static final int SOME_MESSAGES = 200;
    private static final int SLOWNESS = 100;
    private static final int SLOW_MESSAGES = 200;
    private static final int SMALL_WINDOW = 16 * 1024;
    private static final int MESSAGES_PER_WINDOW = SMALL_WINDOW / 32;
    /** The window where subscribers are left behind: some milliseconds more, for those that do follow. */
    private static final int LARGE_WINDOW = 128 * 1024;
    private static final int REFUSALS = 200;
    /** Between two bursts of a publisher that waits for its subscribers: as much as they can take. */
    private static final long GATED_PAUSE_NS = 2_000_000;
    /**
     * The pause of a publisher that leaves subscribers behind: two cores can follow then. When they cannot, subscribers
     * are left behind faster than they come back, and the test is one of the scheduler.
     */
    private static final long UNGATED_PAUSE_NS = 10_000_000;
    private static final long SECONDS = 300;

    /** A busy machine with many processes: longer than elsewhere. */
    private static final String[] SETTINGS = {
        "-Xmx64m", "-XX:TieredStopAtLevel=1",
        "sluice.heartbeat.interval=200ms", "sluice.liveness.timeout=4s", "sluice.resume.timeout=2s"
    };
    private static final List<String> DAMAGES = List.of(
        "frames-rejected", "positions-rejected", "feedback-rejected", "control-messages-rejected", "memory-abandoned",
        "linger-expired");

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private final List<Life> publishers = new ArrayList<>();
    private final List<Life> subscribers = new ArrayList<>();
    private final List<ChildJvm> processes = new ArrayList<>();
    private String flowControl;
    private int window;
    private int tick;

    /** Some are waited for, and others left behind: what the two extremes do stands here side by side. */
    @Test
    @Timeout(value = SECONDS, unit = TimeUnit.SECONDS)
    void shouldLoseNothingWhileProcessesOfAGroupComeAndGo() {
        comeAndGo("tagged,g:7", LARGE_WINDOW);
    }

    @ParameterizedTest
    @CsvSource({"min, " + SMALL_WINDOW, "max, " + LARGE_WINDOW})
    @Timeout(value = SECONDS, unit = TimeUnit.SECONDS)
    void shouldLoseNothingWhileProcessesComeAndGo(final String strategy, final int windowLength) {
        comeAndGo(strategy, windowLength);
    }

    private void comeAndGo(final String strategy, final int windowLength) {
        flowControl = strategy;
        window = windowLength;
        startAll();
        joinLate();
        slowDown();
        leaveAndComeBack();
        killAndReplace();
        standStillForAMoment();
        standStillForLong();
        end();
        judge();
    }

    /** Whether publishers wait for a subscriber of this number. */
    private boolean gates(final int number) {
        return switch (flowControl) {
            case "min" -> true;
            case "max" -> false;
            default -> number != SLOW && number != PAUSING;
        };
    }

    private void startAll() {
        processes.addAll(fabric.startAll(Stream.of("sub", "pub").flatMap(
            kind -> IntStream.range(0, PROCESSES).mapToObj(i -> kind + i)).toList(), SETTINGS));
        for (int i = 0; i < PROCESSES; i++) {
            if (i != LATE) {
                subscribe("s" + i, i, processes.get(i));
            }
        }
        for (int i = 0; i < PROCESSES; i++) {
            if (i != LATE) {
                publish("p" + i, processes.get(PROCESSES + i));
            }
        }
        awaitProgress(life -> true);
    }

    private void subscribe(final String name, final int number, final ChildJvm process) {
        final String mode = number % 2 == 0 ? "invoker" : "dedicated|ring=256";
        process.ask("subscribe name=" + name + " style=" + (number < 2 ? "controlled" : "poll") + " seed=" + number
            + " stream=1 channel=" + fabric.ofAllPublishers(PROCESSES, "mode=" + mode + "|log=" + log(number)
            + (gates(number) ? "|gtag=7" : "")), "OK");
        final Life subscriber = new Life(name, process, 0, ++tick);
        living(publishers).forEach(publisher -> awaitImage(subscriber, publisher));
        subscribers.add(subscriber);
    }

    private String log(final int number) {
        return gates(number) && !TestMedium.isRdma() ? LOGS.get(number) : "copied";
    }

    private void publish(final String name, final ChildJvm process) {
        final int session = 100 + publishers.size();
        // journals of several writers cannot be put together when they were killed in the middle of an offer
        final String kind = session % 2 == 0 ? "" : " shared=true writers=2";
        final long pauseNs = flowControl.equals("min") ? GATED_PAUSE_NS : UNGATED_PAUSE_NS;
        process.ask("publish hold=true lengths=mix burst=8 pause-ns=" + pauseNs + " name=" + name + " id=" + session
            + kind + " stream=1 channel=" + fabric.ofPublisher(Character.getNumericValue(name.charAt(1)),
            "linger=60s|fc=" + flowControl + "|window=" + window + "|session-id=" + session), "OK");
        final Life publisher = new Life(name, process, session, ++tick);
        living(subscribers).forEach(subscriber -> awaitImage(subscriber, publisher));
        process.ask("go name=" + name, "OK");
        publishers.add(publisher);
    }

    private void joinLate() {
        subscribe("s" + LATE, LATE, processes.get(LATE));
        publish("p" + LATE, processes.get(PROCESSES + LATE));
        awaitProgress(life -> true);
        subscribers.forEach(this::awaitAllImages);
    }

    private void slowDown() {
        final Life slow = subscribers.get(SLOW);
        final long begin = System.nanoTime();
        final long before = slow.messages();
        slow.process().awaitMessages(slow.name(), before + MESSAGES);
        final long nsForEach = (System.nanoTime() - begin) / (slow.messages() - before);
        final long laggards = laggards();
        slow.process().ask("slow name=" + slow.name() + " pause-ns=" + SLOWNESS * nsForEach, "OK");
        if (gates(SLOW)) {
            keepPaceWith(slow);
        } else {
            awaitLeftBehind(laggards);
            slow.giveUp(++tick);
            awaitProgress(life -> life != slow);
        }
        slow.process().ask("slow name=" + slow.name() + " pause-ns=0", "OK");
        if (!gates(SLOW)) {
            awaitReturn(slow, life -> true);
        }
        awaitProgress(life -> true);
    }

    private void keepPaceWith(final Life slow) {
        awaitGated();
        final Life fast = subscribers.getFirst();
        final long fastBefore = fast.messages();
        final long slowBefore = slow.messages();
        slow.process().awaitMessages(slow.name(), slowBefore + SLOW_MESSAGES);
        final long most = slow.messages() - slowBefore + 2 * MESSAGES_PER_WINDOW * PROCESSES;
        final long fastMessages = fast.messages() - fastBefore;
        assertTrue(fastMessages <= most, () -> "not the pace of the slowest: " + fastMessages + " of " + most);
    }

    private void leaveAndComeBack() {
        final Life subscriber = subscribers.get(LEAVING);
        subscriber.process().ask("leave name=" + subscriber.name(), "LEFT");
        subscriber.close(++tick);
        close(publishers.get(LEAVING));
        awaitProgress(life -> true);
        subscribe("s" + LEAVING + "b", LEAVING, subscriber.process());
        publish("p" + LEAVING + "b", publishers.get(LEAVING).process());
        awaitProgress(life -> true);
    }

    private void close(final Life publisher) {
        final ChildJvm process = publisher.process();
        final Line published = process.ask("halt name=" + publisher.name(), "PUBLISHED result=NONE");
        if (!flowControl.equals("min")) {
            // who is left behind at the very end would not come back to a closed publication
            PublicationStatus.of(fabric, publisher).awaitSettled(
                published.number("position"), (int) living(subscribers).count());
        }
        process.ask("close name=" + publisher.name(), "CLOSED drained=true");
        publisher.close(++tick);
        living(subscribers).forEach(subscriber -> subscriber.process().await("UNAVAILABLE end=true name="
            + subscriber.name() + " session=" + publisher.sessionId() + " position=" + published.number("position")));
    }

    private void killAndReplace() {
        final Life subscriber = subscribers.get(KILLED);
        final Life publisher = publishers.get(KILLED);
        final Runnable gone = nextCount("links-gone", life -> true);
        subscriber.process().kill();
        subscriber.kill(++tick);
        gone.run();
        awaitProgress(life -> true);
        publisher.process().kill();
        publisher.kill(++tick);
        living(subscribers).forEach(other -> awaitLoss(other, publisher));
        awaitProgress(life -> true);
        processes.removeAll(List.of(subscriber.process(), publisher.process()));
        final List<ChildJvm> successors = fabric.startAll(List.of("sub4b", "pub4b"), SETTINGS);
        processes.addAll(successors);
        subscribe("s" + KILLED + "b", KILLED, successors.getFirst());
        publish("p" + KILLED + "b", successors.getLast());
        awaitProgress(life -> true);
    }

    private void standStillForAMoment() {
        final Life subscriber = subscribers.get(PAUSING);
        final Life publisher = publishers.get(PAUSING);
        final long laggards = laggards();
        subscriber.process().stop();
        if (gates(PAUSING)) {
            awaitGated();
            final List<Long> positions = positions();
            awaitGated();
            assertEquals(positions, positions(), "all wait for the one");
        } else {
            awaitLeftBehind(laggards);
            subscriber.giveUp(++tick);
            awaitProgress(life -> life != subscriber);
        }
        subscriber.process().proceed();
        if (!gates(PAUSING)) {
            awaitReturn(subscriber, life -> true);
        }
        awaitProgress(life -> true);
        final long lost = total("connections-lost");
        publisher.process().stop();
        awaitProgress(life -> true, SOME_MESSAGES);
        publisher.process().proceed();
        awaitProgress(life -> true);
        assertEquals(lost, total("connections-lost"), "nobody was taken for dead");
    }

    private void standStillForLong() {
        final Life subscriber = subscribers.get(FROZEN);
        final Life publisher = publishers.get(FROZEN);
        final Runnable gone = nextCount("links-gone", life -> life != publisher);
        subscriber.process().stop();
        publisher.process().stop();
        subscriber.giveUp(++tick);
        publisher.giveUp(tick);
        gone.run();
        living(subscribers).filter(life -> life != subscriber).forEach(other -> awaitLoss(other, publisher));
        awaitProgress(life -> life != subscriber);
        subscriber.process().proceed();
        publisher.process().proceed();
        living(subscribers).filter(life -> life != subscriber).forEach(other -> awaitImage(other, publisher));
        awaitReturn(subscriber, life -> life != publisher);
        awaitProgress(life -> true);
    }

    private void end() {
        final long laggards = laggards();
        living(publishers).toList().forEach(this::close);
        processes.forEach(process -> {
            final Map<String, String> counters = process.counters();
            DAMAGES.forEach(damage -> assertEquals("0", counters.get(damage), () -> damage + " of " + process.name()));
        });
        assertEquals(flowControl.equals("min"), laggards == 0);
        processes.forEach(ChildJvm::exit);
        processes.forEach(process -> assertNull(process.poll("FAILED"), process::describe));
    }

    private void judge() {
        long messages = 0;
        for (final Life publisher : publishers) {
            for (final Life subscriber : subscribers) {
                final int number = Character.getNumericValue(subscriber.name().charAt(1));
                messages += Verdict.judge(fabric, publisher, subscriber, gates(number));
            }
        }
        assertTrue(messages > PROCESSES * PROCESSES * MESSAGES);
    }

    private static Stream<Life> living(final List<Life> lives) {
        return lives.stream().filter(life -> !life.isOver());
    }

    private static void awaitImage(final Life subscriber, final Life publisher) {
        subscriber.process().await("AVAILABLE name=" + subscriber.name() + " session=" + publisher.sessionId());
    }

    private static void awaitLoss(final Life subscriber, final Life publisher) {
        subscriber.process().await(
            "UNAVAILABLE end=false name=" + subscriber.name() + " session=" + publisher.sessionId());
    }

    /** A subscriber that was given up loses these publishers, and finds them again. */
    private void awaitReturn(final Life subscriber, final Predicate<Life> kind) {
        living(publishers).filter(kind).forEach(publisher -> awaitLoss(subscriber, publisher));
        living(publishers).filter(kind).forEach(publisher -> awaitImage(subscriber, publisher));
        awaitAllImages(subscriber);
    }

    private void awaitAllImages(final Life subscriber) {
        Await.until(() -> "all images of " + subscriber + ": fc=" + flowControl + " laggards=" + laggards(),
            () -> subscriber.state().number("images") == PROCESSES, Await.DEADLINE_SECONDS);
    }

    /** Every living subscriber of a kind goes on. */
    private void awaitProgress(final Predicate<Life> kind) {
        awaitProgress(kind, MESSAGES);
    }

    private void awaitProgress(final Predicate<Life> kind, final int count) {
        final List<Life> living = living(subscribers).filter(kind).toList();
        final List<Long> before = living.stream().map(Life::messages).toList();
        for (int i = 0; i < living.size(); i++) {
            living.get(i).process().awaitMessages(living.get(i).name(), before.get(i) + count);
        }
    }

    /** Every publisher is refused room again and again. */
    private void awaitGated() {
        final List<Life> living = living(publishers).toList();
        final List<Long> before = living.stream().map(life -> life.state().number("back-pressured")).toList();
        for (int i = 0; i < living.size(); i++) {
            final Life publisher = living.get(i);
            final long enough = before.get(i) + REFUSALS;
            Await.until("back-pressure at " + publisher, () -> publisher.state().number("back-pressured") >= enough);
        }
    }

    /**
     * Every publisher goes on by more than who hardly consumes allows, and leaves it behind. One or another may have
     * done so just before, on a busy machine, so that only all of them together must have done it since.
     */
    private void awaitLeftBehind(final long laggardsBefore) {
        final List<Life> living = living(publishers).toList();
        final List<Long> before = positions();
        for (int i = 0; i < living.size(); i++) {
            final Life publisher = living.get(i);
            final long enough = before.get(i) + 2 * LARGE_WINDOW;
            Await.until("progress of " + publisher, () -> publisher.state().number("position") >= enough);
        }
        assertTrue(laggards() > laggardsBefore);
    }

    private long laggards() {
        return living(publishers).mapToLong(publisher -> publisher.process().counter("laggards-closed")).sum();
    }

    private List<Long> positions() {
        return living(publishers).map(life -> life.state().number("position")).toList();
    }

    /** To be run later: waits until each publisher of a kind has counted once more than now. */
    private Runnable nextCount(final String counter, final Predicate<Life> kind) {
        final List<ChildJvm> counting = living(publishers).filter(kind).map(Life::process).toList();
        final List<Long> before = counting.stream().map(process -> process.counter(counter)).toList();
        return () -> {
            for (int i = 0; i < counting.size(); i++) {
                counting.get(i).awaitCounter(counter, before.get(i) + 1);
            }
        };
    }

    private long total(final String counter) {
        return processes.stream().mapToLong(process -> process.counter(counter)).sum();
    }
}
