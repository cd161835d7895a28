package io.sluice.perf.downcall;

import io.sluice.verbs.model.NativePath;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a measuring process: how long it takes to stop all threads while one of them posts, one polls, and
 * a third one does what a card makes system calls for. Prints {@link CardResult} in one line.
 */
public final class CardProcess {
    /** The pause in nanoseconds between two calls of a thread: on two processors nobody is to wait for one of them. */
    private static final long PAUSE_NS = 20_000;
    private static final double NS_PER_US = 1000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final StopLog log;
    private final NativePath path;
    private final CardRig rig;
    private final long systemCallNs;
    private volatile boolean isEnded;
    private volatile Throwable failure;
    private int stops;
    /** The longest wait in one of the stops, in nanoseconds. */
    private long waitedNs;

    private CardProcess(final StopLog log, final NativePath path, final CardRig rig, final long systemCallNs) {
        this.log = log;
        this.path = path;
        this.rig = rig;
        this.systemCallNs = systemCallNs;
    }

    /**
     * Measure the stops of a case.
     *
     * @param args library, times, nanoseconds of a system call, and the words of a {@link CardCase}.
     * @throws IOException          when the JVM does not tell of its stops.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final CardCase cardCase = CardCase.parse(Arrays.copyOfRange(args, 3, args.length));
        System.out.println(
            measure(Path.of(args[0]), cardCase, Integer.parseInt(args[1]), Long.parseLong(args[2])).toLine());
    }

    /** Measures a case in this process, whose calls must be critical for figures that mean something. */
    static CardResult measure(
        final Path library, final CardCase cardCase, final int times, final long systemCallNs)
        throws IOException, InterruptedException {
        final NativePath path = new NativePath(library, cardCase.card());
        try (StopLog log = new StopLog(library.getParent()); CardRig rig = new CardRig(path, cardCase)) {
            path.enterKernelFor(systemCallNs);
            final CardResult result =
                new CardResult(cardCase, new CardProcess(log, path, rig, systemCallNs).stops(cardCase, times));
            path.enterKernelFor(0);
            return result;
        }
    }

    private Map<CardAction, CardResult.Stops> stops(final CardCase cardCase, final int times)
        throws IOException, InterruptedException {
        final Map<CardAction, CardResult.Stops> figures = new EnumMap<>(CardAction.class);
        final Thread poster = start(() -> repeat(rig::post));
        final Thread poller = start(() -> repeat(rig::poll));
        for (final CardAction action : CardAction.values()) {
            if (action.isOf(cardCase.card())) {
                // the first time warms up
                longestStopUs(action);
                waitedNs = 0;
                final List<Double> longestUs = new ArrayList<>();
                for (int i = 0; i < times; i++) {
                    longestUs.add(longestStopUs(action));
                }
                longestUs.sort(null);
                figures.put(action, new CardResult.Stops(
                    longestUs.get(times / 2), longestUs.getLast(), waitedNs / NS_PER_US));
            }
        }
        isEnded = true;
        join(poster);
        join(poller);
        return figures;
    }

    private Thread start(final Runnable work) {
        final Thread thread = new Thread(work);
        thread.setUncaughtExceptionHandler((_, thrown) -> failure = thrown);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void join(final Thread thread) throws InterruptedException {
        thread.join();
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    private void repeat(final Runnable call) {
        while (!isEnded) {
            call.run();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Longest of the stops while a thing is done once, at other moments of it each time. */
    private double longestStopUs(final CardAction action) throws IOException, InterruptedException {
        rig.prepare(action);
        double longestUs = 0;
        final Thread actor = start(() -> rig.act(action, systemCallNs));
        do {
            Thread.sleep(1, stops++ * 997 % 1000 * 1000);
            final long startNs = System.nanoTime();
            THREADS.findDeadlockedThreads();
            final long endNs = System.nanoTime();
            longestUs = Math.max(longestUs, (endNs - startNs) / NS_PER_US);
            for (final StopLog.Late late : log.read()) {
                waitedNs = Math.max(waitedNs, path.waitedNs(late.thread(), startNs, late.atNs()));
            }
        } while (actor.isAlive());
        join(actor);
        return longestUs;
    }
}
