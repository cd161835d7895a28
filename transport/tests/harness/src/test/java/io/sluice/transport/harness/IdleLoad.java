package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Processor time of a subscriber and a publisher that have nothing to do, by the completion mode of their pollers. */
public final class IdleLoad {
    private static final int MESSAGES = 1000;
    private static final int WINDOWS = 5;
    private static final long WINDOW_NS = Duration.ofSeconds(1).toNanos();
    /** A poller that waits runs in hardly any look, and one that spins in all, however busy the machine is. */
    private static final double IDLE_SHARE = 0.5;
    private static final long LOOK_INTERVAL_NS = Duration.ofMillis(1).toNanos();
    /** Name of the thread as the system has it, which cuts names after 15 characters. */
    private static final String POLLER = "sluice-poller-0";
    private static final String RUNNABLE = "R";
    private static final String MODE = "sluice.poller.completion.modes=";

    private final Fabric fabric;
    private final String subscribed;
    private final String published;

    /**
     * Two processes for each mode.
     *
     * @param subscribed parameter {@code channel} of a subscription in dedicated mode, with its stream.
     * @param published  the same of the publication.
     */
    public IdleLoad(final Fabric fabric, final String subscribed, final String published) {
        this.fabric = fabric;
        this.subscribed = subscribed;
        this.published = published;
    }

    /** Pollers that wait for events want the processor in less than half of the looks, those that spin in more. */
    public void assertLowWithEvents(final String spinTime) {
        assumeTrue(Files.exists(Path.of("/proc/self/task")), "the system does not tell the states of threads");
        final double spinning = measure("spin", "sluice.poller.idle.strategy=busy-spin");
        assertTrue(spinning > IDLE_SHARE, "spinning=" + spinning);
        for (final String mode : List.of("event", "adaptive")) {
            final double waiting = measure(mode, spinTime);
            assertTrue(waiting < IDLE_SHARE, mode + "=" + waiting + " spinning=" + spinning);
        }
    }

    /** The share of looks in which a subscriber's poller wanted the processor, where it was smallest. */
    private double measure(final String mode, final String property) {
        final ChildJvm subscriber = fabric.start("subscriber-" + mode, MODE + mode, property);
        final ChildJvm publisher = fabric.start("publisher-" + mode, MODE + mode, property);
        subscriber.ask("consume names=" + mode + subscribed, "OK");
        publisher.ask("publish name=p-" + mode + " id=1 count=" + MESSAGES + published, "OK");
        publisher.await("PUBLISHED count=" + MESSAGES + " result=NONE");
        Await.until("all messages", () ->
            subscriber.ask("state name=" + mode, "STATE name=" + mode).number("messages") == MESSAGES);
        final Path poller = poller(subscriber);
        final List<Double> shares = new ArrayList<>();
        final List<Double> subscriberLoads = new ArrayList<>();
        final List<Double> publisherLoads = new ArrayList<>();
        for (int i = 0; i < WINDOWS; i++) {
            final Duration subscriberBegin = processorTime(subscriber);
            final Duration publisherBegin = processorTime(publisher);
            final long beginNs = System.nanoTime();
            shares.add(runningShare(poller, beginNs));
            final double elapsedNs = System.nanoTime() - beginNs;
            subscriberLoads.add(processorTime(subscriber).minus(subscriberBegin).toNanos() * 100 / elapsedNs);
            publisherLoads.add(processorTime(publisher).minus(publisherBegin).toNanos() * 100 / elapsedNs);
        }
        System.out.printf(Locale.ROOT, "idle, completion mode %s: subscriber %s, publisher %s (%% of a core), poller"
            + " runs in %s of the looks%n", mode, subscriberLoads, publisherLoads, shares);
        publisher.exit();
        subscriber.exit();
        // compilers may still be at work in the first ones
        return shares.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private static Path poller(final ChildJvm child) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(child.pid()), "task"))) {
            return threads.filter(thread -> read(thread.resolve("comm")).strip().equals(POLLER))
                .findFirst().orElseThrow();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** proc_pid_stat(5): the state stands behind the name in parentheses. */
    private static double runningShare(final Path thread, final long beginNs) {
        int looks = 0;
        int running = 0;
        while (System.nanoTime() - beginNs < WINDOW_NS) {
            final String status = read(thread.resolve("stat"));
            running += status.startsWith(RUNNABLE, status.lastIndexOf(')') + 2) ? 1 : 0;
            looks++;
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
        return (double) running / looks;
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Duration processorTime(final ChildJvm child) {
        return ProcessHandle.of(child.pid()).flatMap(process -> process.info().totalCpuDuration()).orElseThrow();
    }
}
