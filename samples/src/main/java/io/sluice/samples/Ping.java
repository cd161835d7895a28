package io.sluice.samples;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The measuring side: sends pings and polls their pongs, one by one or at a fixed rate. One thread, which thereby owns
 * the link: it polls in the loop that sends, so that nothing is handed over between threads.
 */
final class Ping {
    private static final long CONNECT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The number of idle turns in which clock and connection are looked at once, which costs more than a turn. */
    private static final int IDLE_TURNS_PER_CHECK = 1024;

    private final PingLink link;
    private final PongHandler pongs;
    private final UnsafeBuffer message;
    private final IdleStrategy idleStrategy;
    private final StopSignal stop;
    private final BooleanSupplier isPongAlive;
    private final long timeoutNs;
    private int idleTurns;
    private long answeredAtCheck;
    private long deadlineNs;

    /**
     * A side that is not connected yet.
     *
     * @param link         to the pong.
     * @param pongs        that check and record them.
     * @param message      to send, as long as pings shall be.
     * @param idleStrategy while there is nothing to do.
     * @param stop         ends every loop.
     * @param isPongAlive  false when it is known that no pong will come any more.
     * @param timeoutNs    for the connection and for each answer, in nanoseconds.
     */
    Ping(
        final PingLink link, final PongHandler pongs, final UnsafeBuffer message, final IdleStrategy idleStrategy,
        final StopSignal stop, final BooleanSupplier isPongAlive, final long timeoutNs) {
        this.link = link;
        this.pongs = pongs;
        this.message = message;
        this.idleStrategy = idleStrategy;
        this.stop = stop;
        this.isPongAlive = isPongAlive;
        this.timeoutNs = timeoutNs;
    }

    /** Wait until both directions are connected; false when stopped before. */
    boolean connect() {
        deadlineNs = System.nanoTime() + timeoutNs;
        while (!link.isConnected()) {
            if (stop.isRequested()) {
                return false;
            }
            if (!isPongAlive.getAsBoolean()) {
                throw new RunFailure("pong ended before it was connected");
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new RunFailure("no pong within " + TimeUnit.NANOSECONDS.toSeconds(timeoutNs)
                    + " s: " + link.place() + "; start one there, or wait longer with --timeout");
            }
            // Whatever is there was not for us.
            link.poll(pongs);
            LockSupport.parkNanos(CONNECT_PAUSE_NS);
        }
        return true;
    }

    /** Sends pings, each when the last one was answered: the time of one message on its way there and back. */
    void oneByOne(final long messages) {
        startWaiting();
        for (long i = 0; i < messages && goesOn(); i++) {
            pongs.nextPing(message, System.nanoTime());
            while (!isSent() && goesOn()) {
                idle();
            }
            while (pongs.outstanding() > 0 && goesOn()) {
                if (link.poll(pongs) == 0) {
                    idle();
                }
            }
        }
    }

    /**
     * Sends pings, each when it is due, answers or not; the time of one counts from then, however late it could leave.
     */
    void atFixedRate(final long messages, final FixedRate schedule) {
        startWaiting();
        boolean isWritten = false;
        schedule.start(System.nanoTime());
        while ((schedule.sent() < messages || pongs.outstanding() > 0) && goesOn()) {
            boolean isIdle = true;
            if (schedule.sent() < messages && schedule.isDue(System.nanoTime())) {
                if (!isWritten) {
                    pongs.nextPing(message, schedule.dueNs());
                }
                isWritten = !isSent();
                if (!isWritten) {
                    schedule.onSent(System.nanoTime());
                    isIdle = false;
                }
            }
            if (link.poll(pongs) == 0 && isIdle) {
                idle();
            }
        }
    }

    private boolean isSent() {
        return link.offer(message);
    }

    private boolean goesOn() {
        return !stop.isRequested() && pongs.mismatch() == null;
    }

    private void startWaiting() {
        answeredAtCheck = pongs.answered();
        deadlineNs = System.nanoTime() + timeoutNs;
    }

    private void idle() {
        idleStrategy.idle();
        if (++idleTurns % IDLE_TURNS_PER_CHECK == 0) {
            checkPong();
        }
    }

    private void checkPong() {
        if (pongs.outstanding() == 0 || pongs.answered() != answeredAtCheck) {
            startWaiting();
        } else if (!link.isConnected()) {
            throw new RunFailure("pong is gone: " + pongs.outstanding() + " pings were not answered");
        } else if (System.nanoTime() - deadlineNs > 0) {
            throw new RunFailure("no answer within " + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s to "
                + pongs.outstanding() + " pings, although pong is connected");
        }
    }
}
