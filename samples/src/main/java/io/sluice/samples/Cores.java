package io.sluice.samples;

import io.sluice.os.CpuAffinity;
import io.sluice.os.CpuIsolation;
import java.util.Arrays;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The processors on which the two threads that matter run, ping's and pong's, and whether they may spin. Immutable; any
 * thread.
 */
final class Cores {
    /** Stands for the core of a thread that is not pinned. */
    static final int NONE = -1;

    /** The number of processors that two spinning threads need. */
    private static final int SPINNING_THREADS = 2;

    private final int[] allowed;
    private final boolean canSpin;
    private final String manner;
    private final String notice;

    private Cores(final String notice, final int... allowed) {
        this(notice.isEmpty() ? " spins" : " yields", notice, allowed);
    }

    private Cores(final String manner, final String notice, final int... allowed) {
        this.manner = manner;
        this.allowed = allowed;
        this.notice = notice;
        canSpin = notice.isEmpty();
    }

    /** Returns the cores that this process may use. The JVM counts fewer where time is limited, not processors. */
    static Cores ofThisProcess() {
        if (!CpuAffinity.isSupported()) {
            return new Cores(
                "threads cannot be pinned on " + System.getProperty("os.name") + ": they yield, and times vary");
        }
        try {
            return of(Runtime.getRuntime().availableProcessors(), CpuAffinity.allowedCpus());
        } catch (final IllegalStateException e) {
            return new Cores("threads cannot be pinned: " + e.getMessage());
        }
    }

    static Cores of(final int available, final int... allowed) {
        return new Cores(Math.min(available, allowed.length) >= SPINNING_THREADS
            ? ""
            : "only one processor is free to use: threads yield, and times are those of the scheduler", allowed);
    }

    /**
     * Returns these cores, with a poller beside each of the two threads: there are rarely processors for four that
     * spin.
     */
    Cores besidePollers() {
        return canSpin ? new Cores("each thread has a poller beside it, and yields", allowed) : this;
    }

    /** Returns these cores, with threads that sleep until something comes. */
    Cores awaitingEvents() {
        return new Cores(" waits", notice, allowed);
    }

    /** The strategy for waiting: on the processor, or giving it away where the other side could not run otherwise. */
    IdleStrategy idleStrategy() {
        return canSpin ? BusySpinIdleStrategy.INSTANCE : YieldingIdleStrategy.INSTANCE;
    }

    boolean canSpin() {
        return canSpin;
    }

    boolean isAllowed(final int cpu) {
        return Arrays.binarySearch(allowed, cpu) >= 0;
    }

    /** The default core of ping. With three or more the first one, which serves most interrupts, is left alone. */
    int defaultPingCore() {
        return canSpin ? allowed[firstOfPair()] : NONE;
    }

    /**
     * The default core of pong: the neighbour of ping's. With three or more, usually not a hyper-thread of the same
     * core.
     */
    int defaultPongCore() {
        return canSpin ? allowed[firstOfPair() + 1] : NONE;
    }

    /** Returns the core to use: the one that an option asks for, or null, else the default one. */
    int choose(
        final CommandSpec command, final String option, final Integer wanted, final boolean isUnpinned,
        final int defaultCore) {
        if (wanted == null) {
            return isUnpinned ? NONE : defaultCore;
        }
        if (isUnpinned) {
            throw OptionMistake.of(command, option, wanted, "contradicts --no-pin");
        }
        if (!isAllowed(wanted)) {
            throw OptionMistake.of(command, option, wanted,
                "is not a processor that this process can pin a thread to: " + this);
        }
        return wanted;
    }

    /** Throws when two threads that spin would share one core. */
    void checkApart(final CommandSpec command, final int pingCore, final int pongCore) {
        if (pingCore == pongCore && pingCore != NONE && canSpin) {
            throw OptionMistake.of(
                command, PongCommand.CORE, pongCore, "is ping's core too: two threads that spin need two");
        }
    }

    private int firstOfPair() {
        return allowed.length > SPINNING_THREADS ? 1 : 0;
    }

    /** Describes a thread's core by a few words for the settings. */
    String describe(final String thread, final int cpu) {
        final String turn = thread + manner;
        if (cpu == NONE) {
            return turn + " unpinned";
        }
        final boolean isIsolated = Arrays.binarySearch(CpuIsolation.isolatedCpus(), cpu) >= 0;
        return turn + " on cpu " + cpu + (isIsolated ? " (isolated)" : " (not isolated)");
    }

    /** The reason why the threads do not spin, or the empty text. */
    String notice() {
        return notice;
    }

    @Override
    public String toString() {
        return Arrays.toString(allowed);
    }
}
