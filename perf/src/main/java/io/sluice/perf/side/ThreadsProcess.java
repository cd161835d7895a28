package io.sluice.perf.side;

import io.sluice.os.CpuAffinity;
import io.sluice.perf.peer.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a process that measures between its own threads: the main thread plays the guest's {@link Role} on
 * one processor, one or more others the host's on another. It leaves a {@link SideResult} of each role and ends with 0,
 * also when the measurement failed and a result says so. It ends at once when its standard input does.
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

    private ThreadsProcess(final SideSettings guestSettings, final int hostCpu, final int hostCount) {
        this.guestSettings = guestSettings;
        hostSettings = guestSettings.asOther(hostCpu);
        for (int i = 0; i < hostCount; i++) {
            hosts.add(hostSettings.role().create(hostSettings));
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
            final Side guest = guestSettings.role().create(guestSettings);
            guest.open(peer);
            hosts.forEach(host -> host.open(peer));
            peer.start();
            awaitConnection(guest);
            hostResults.forEach(result -> result.settings(peer.settings()));
            for (int i = 0; i < hosts.size(); i++) {
                start(hosts.get(i), hostResults.get(i));
            }
            // last, since threads started after it would be pinned too
            guestResult.put(SideResult.PINNED, CpuAffinity.pin(guestSettings.cpu()));
            guest.run(guestResult);
            attendUntilEnd(guest);
        } catch (final Exception ex) {
            ex.printStackTrace();
            guestResult.fail(ex.toString());
        }
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

    private void start(final Side host, final SideResult result) {
        final Thread thread = new Thread(
            () -> {
                try {
                    result.put(SideResult.PINNED, CpuAffinity.pin(hostSettings.cpu()));
                    host.run(result);
                } catch (final RuntimeException ex) {
                    ex.printStackTrace();
                    result.fail(ex.toString());
                }
            },
            "host-" + hostThreads.size());
        thread.setDaemon(true);
        hostThreads.add(thread);
        thread.start();
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
