package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a measuring process. It plays one {@link Role} on its main thread, between two looks at the cores
 * that it takes with the other process, leaves a {@link SideResult} and ends with 0, also when the measurement failed
 * and the result says so. It ends at once when its standard input does, so that it never outlives the one who started
 * it.
 */
public final class SideProcess {
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long RESULT_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_INTERVAL_MS = 1;
    private static final int EXIT_ABANDONED = 3;

    private final SideSettings settings;
    private final CoreLines coresBefore;
    private final CoreLines coresAfter;
    private final CountDownLatch inputEnded = new CountDownLatch(1);
    private volatile boolean finished;

    private SideProcess(final SideSettings settings) {
        this.settings = settings;
        coresBefore = CoreLines.before(settings.folder());
        coresAfter = CoreLines.after(settings.folder());
    }

    /**
     * Run.
     *
     * @param args of {@link SideSettings#toArguments()}.
     * @throws Exception when the process cannot leave a result.
     */
    public static void main(final String[] args) throws Exception {
        new SideProcess(SideSettings.ofArguments(args)).run();
    }

    private void run() throws Exception {
        final Thread watch = new Thread(this::watchInput, "input-watch");
        watch.setDaemon(true);
        watch.start();
        final SideResult result = new SideResult();
        try (Peer peer = settings.peer().create(settings.address())) {
            final Side side = Sides.of(settings);
            measure(peer, side, result);
            finished = true;
            result.write(settings.resultFile(settings.role()));
            awaitOther(side, result);
        }
        System.exit(0);
    }

    private void measure(final Peer peer, final Side side, final SideResult result) {
        try {
            peer.launch(settings.folder(), settings.role().isHost(), settings.messageLength());
            side.open(peer);
            awaitConnection(side);
            result.settings(peer.settings());
            // last, since threads started after it would be pinned too
            MeasuredThread.pin(settings.cpu(), result);
            // the other side may not be connected yet
            look(coresBefore, side::isConnected, result, SideResult.CORES_BEFORE_NS);
            side.run(result);
            // the other side may not have had everything yet
            look(coresAfter, side::attend, result, SideResult.CORES_AFTER_NS);
        } catch (final Exception ex) {
            ex.printStackTrace();
            result.fail(ex.toString());
            coresBefore.abandon();
            coresAfter.abandon();
        }
    }

    private void look(final CoreLines cores, final Runnable attend, final SideResult result, final String name) {
        if (settings.role().isHost()) {
            cores.pong(attend);
        } else {
            result.put(name, cores.ping(attend));
        }
    }

    private static void awaitConnection(final Side side) throws InterruptedException {
        final long startNs = System.nanoTime();
        while (!side.isConnected()) {
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                throw new IllegalStateException("not connected");
            }
            Thread.sleep(LOOK_INTERVAL_MS);
        }
    }

    /**
     * Waits for the other side: the host stays until it is told to go; the other one until the host has everything, if
     * there is hope.
     */
    private void awaitOther(final Side side, final SideResult result) throws InterruptedException {
        if (settings.role().isHost()) {
            inputEnded.await();
            return;
        }
        if (result.failure() != null) {
            return;
        }
        final Path otherResult = settings.resultFile(settings.other());
        final long startNs = System.nanoTime();
        while (!Files.exists(otherResult) && System.nanoTime() - startNs < RESULT_LIMIT_NS) {
            side.attend();
            Thread.sleep(LOOK_INTERVAL_MS);
        }
    }

    private void watchInput() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes; only the end matters
                continue;
            }
        } catch (final IOException ex) {
            ex.printStackTrace();
        }
        inputEnded.countDown();
        if (!finished) {
            Runtime.getRuntime().halt(EXIT_ABANDONED);
        }
    }
}
