package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a process that measures between its own threads: the main thread plays the guest's {@link Role} on
 * one processor, one or more others the host's on another. The main thread and the first of the others look at the
 * cores just before and just after. It leaves a {@link SideResult} of each role and ends with 0, also when the
 * measurement failed and a result says so. It ends at once when its standard input does.
 */
public final class ThreadsProcess {
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long END_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int FURTHER_ARGUMENTS = 2;
    private static final int EXIT_ABANDONED = 3;

    private final SideSettings guestSettings;
    private final SideSettings hostSettings;
    private final List<Side> hosts = new ArrayList<>();
    private final List<SideResult> hostResults = new ArrayList<>();
    private final List<Thread> hostThreads = new ArrayList<>();
    private final SideResult guestResult = new SideResult();
    private final CoreLines coresBefore;
    private final CoreLines coresAfter;
    /**
     * The latch that holds the further hosts while the first one looks at the cores: the others would take its
     * processor meanwhile.
     */
    private final CountDownLatch hostsMayRun = new CountDownLatch(1);
    private final CountDownLatch furtherHostsToEnd;

    private ThreadsProcess(final SideSettings guestSettings, final int hostCpu, final int hostCount) {
        this.guestSettings = guestSettings;
        hostSettings = guestSettings.asOther(hostCpu);
        coresBefore = CoreLines.before(guestSettings.folder());
        coresAfter = CoreLines.after(guestSettings.folder());
        furtherHostsToEnd = new CountDownLatch(hostCount - 1);
        for (int i = 0; i < hostCount; i++) {
            hosts.add(Sides.of(hostSettings));
            hostResults.add(new SideResult());
        }
    }

    /**
     * The arguments of the process.
     *
     * @param guest     settings of the main thread.
     * @param hostCpu   to pin the other threads to.
     * @param hostCount how many of them.
     * @return one for each.
     */
    public static List<String> toArguments(final SideSettings guest, final int hostCpu, final int hostCount) {
        final List<String> arguments = new ArrayList<>(guest.toArguments());
        arguments.add(Integer.toString(hostCpu));
        arguments.add(Integer.toString(hostCount));
        return arguments;
    }

    /**
     * Run.
     *
     * @param args of {@link #toArguments}.
     * @throws Exception when the process cannot leave its results.
     */
    public static void main(final String[] args) throws Exception {
        final List<String> arguments = List.of(args);
        final int own = arguments.size() - FURTHER_ARGUMENTS;
        final SideSettings guest = SideSettings.ofArguments(
            arguments.subList(0, Math.max(0, own)).toArray(String[]::new));
        new ThreadsProcess(guest, Integer.parseInt(args[own]), Integer.parseInt(args[own + 1])).run();
    }

    private void run() throws Exception {
        final Thread watch = new Thread(ThreadsProcess::watchInput, "input-watch");
        watch.setDaemon(true);
        watch.start();
        try (Peer peer = guestSettings.peer().create(guestSettings.address())) {
            measure(peer);
            final SideResult slowest = SideResult.slowest(hostResults);
            guestResult.write(guestSettings.resultFile(guestSettings.role()));
            slowest.write(hostSettings.resultFile(hostSettings.role()));
        }
        System.exit(0);
    }

    private void measure(final Peer peer) {
        try {
            peer.launch(guestSettings.folder(), true, guestSettings.messageLength());
            final Side guest = Sides.of(guestSettings);
            guest.open(peer);
            hosts.forEach(host -> host.open(peer));
            peer.start();
            awaitConnection(guest);
            hostResults.forEach(result -> result.settings(peer.settings()));
            for (int i = 0; i < hosts.size(); i++) {
                start(i);
            }
            // last, since threads started after it would be pinned too
            MeasuredThread.pin(guestSettings.cpu(), guestResult);
            guestResult.put(SideResult.CORES_BEFORE_NS, coresBefore.ping(guest::isConnected));
            guest.run(guestResult);
            guestResult.put(SideResult.CORES_AFTER_NS, coresAfter.ping(guest::attend));
            attendUntilEnd(guest);
        } catch (final Exception ex) {
            ex.printStackTrace();
            guestResult.fail(ex.toString());
            abandonCores();
        }
    }

    private void abandonCores() {
        coresBefore.abandon();
        coresAfter.abandon();
    }

    private void awaitConnection(final Side guest) {
        final long startNs = System.nanoTime();
        boolean connected = false;
        while (!connected) {
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                throw new IllegalStateException("not connected");
            }
            connected = guest.isConnected();
            for (final Side host : hosts) {
                connected &= host.isConnected();
            }
            Thread.yield();
        }
    }

    private void start(final int index) {
        final SideResult result = hostResults.get(index);
        final Thread thread = new Thread(
            () -> {
                try {
                    MeasuredThread.pin(hostSettings.cpu(), result);
                    if (index == 0) {
                        runAndLook(hosts.get(index), result);
                    } else {
                        runBeside(hosts.get(index), result);
                    }
                } catch (final RuntimeException | InterruptedException ex) {
                    ex.printStackTrace();
                    result.fail(ex.toString());
                    abandonCores();
                }
            },
            "host-" + index);
        thread.setDaemon(true);
        hostThreads.add(thread);
        thread.start();
    }

    private void runAndLook(final Side host, final SideResult result) throws InterruptedException {
        coresBefore.pong(host::isConnected);
        hostsMayRun.countDown();
        host.run(result);
        // they keep the processor busy until then
        furtherHostsToEnd.await();
        coresAfter.pong(host::attend);
    }

    private void runBeside(final Side host, final SideResult result) throws InterruptedException {
        hostsMayRun.await();
        try {
            host.run(result);
        } finally {
            furtherHostsToEnd.countDown();
        }
    }

    private void attendUntilEnd(final Side guest) throws InterruptedException {
        final long startNs = System.nanoTime();
        while (hostThreads.stream().anyMatch(Thread::isAlive)) {
            if (System.nanoTime() - startNs > END_LIMIT_NS) {
                throw new IllegalStateException("not all was received");
            }
            guest.attend();
        }
        for (final Thread thread : hostThreads) {
            thread.join();
        }
    }

    private static void watchInput() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes; only the end matters
                continue;
            }
        } catch (final IOException ex) {
            ex.printStackTrace();
        }
        Runtime.getRuntime().halt(EXIT_ABANDONED);
    }
}
