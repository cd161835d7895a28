package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import io.sluice.os.CpuAffinity;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.RdmaDevice;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * Feeds the rings of the subscriptions in DEDICATED mode that were assigned to it, on one thread, which it pins to a
 * processor if it has one. It starts no thread, so that none inherits its processor. The conductor adds and removes;
 * what was removed is out of use when the {@link #guard()} says that the poller has left since a fence. One that waits
 * for completion events has a channel for each device, and its own idle strategy. The creator closes it, when its
 * thread has ended and its queues are gone.
 */
public final class Poller implements Agent, AutoCloseable {
    /** Stands for no processor: the poller runs wherever the scheduler puts it. */
    public static final int NO_CPU = -1;

    private static final EventRing[] NO_RINGS = new EventRing[0];

    private static final VarHandle WORK;

    static {
        try {
            WORK = MethodHandles.lookup().findVarHandle(Poller.class, "work", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final int index;
    private final int cpu;
    private final ErrorHandler errorHandler;
    private final Consumer<String> notices;
    private final EntryGuard guard = new EntryGuard();
    /** The way to sleep, or null when the poller spins. */
    private final PollerSleep sleep;
    private final PolledQueues queues = new PolledQueues();
    private volatile EventRing[] rings = NO_RINGS;
    private volatile String pinning;
    private long work;

    /**
     * Creates a poller without subscriptions that spins.
     *
     * @param index        of the poller in its transport, from 0.
     * @param cpu          processor to pin its thread to, or {@link #NO_CPU}.
     * @param errorHandler told of what goes wrong, on the poller's thread.
     * @param notices      told on the poller's thread where it is pinned, and how isolated that processor is.
     */
    public Poller(final int index, final int cpu, final ErrorHandler errorHandler, final Consumer<String> notices) {
        this(index, cpu, errorHandler, notices, null);
    }

    private Poller(
        final int index,
        final int cpu,
        final ErrorHandler errorHandler,
        final Consumer<String> notices,
        final PollerSleep sleep) {
        this.index = index;
        this.cpu = cpu;
        this.errorHandler = errorHandler;
        this.notices = notices;
        this.sleep = sleep;
        pinning = cpu == NO_CPU ? "not pinned" : "not started yet, to be pinned to cpu " + cpu;
    }

    /**
     * Returns a new poller like this one, but waiting for completion events. Before this one is used.
     *
     * @param environment to park in, with the clock.
     * @param spinTimeNs  how long it spins after the last work before it waits, in nanoseconds; 0 not to.
     * @return a new poller.
     */
    public Poller waitingForEvents(final Environment environment, final long spinTimeNs) {
        return new Poller(
            index, cpu, errorHandler, notices, new PollerSleep(environment, spinTimeNs, errorHandler));
    }

    @Override
    public void onStart() {
        if (cpu == NO_CPU) {
            return;
        }
        try {
            pinning = CpuAffinity.pin(cpu);
            notices.accept(roleName() + " " + pinning);
        } catch (final RuntimeException ex) {
            pinning = "not pinned to cpu " + cpu + ": " + ex.getMessage();
            errorHandler.onError(new TransportException(ErrorKind.DEGRADED, roleName() + " runs " + pinning, ex));
        }
    }

    /**
     * Runs the data path of every ring, from completions to feedback; what one ring throws does not keep the others.
     */
    @Override
    public int doWork() {
        int total = 0;
        guard.enter();
        try {
            if (sleep != null) {
                sleep.onCycleBegin();
            }
            for (final EventRing ring : rings) {
                try {
                    int done = ring.feed().drain();
                    done += ring.walk();
                    // after the walk: it reads what consumers write, and a message waits for it only on a full ring
                    done += ring.reclaim();
                    ring.feed().maintain(done);
                    total += done;
                } catch (final Throwable ex) {
                    errorHandler.onError(ex);
                }
            }
            if (sleep != null) {
                sleep.onCycleEnd(total, queues);
            }
        } finally {
            guard.leave();
        }
        if (total > 0) {
            WORK.setOpaque(this, work + total);
        }
        return total;
    }

    /** {@return completions, events reclaimed and events published so far} Any thread. */
    public long work() {
        return (long) WORK.getOpaque(this);
    }

    @Override
    public String roleName() {
        return "sluice-poller-" + index;
    }

    /**
     * Feed a ring from now on. Any thread.
     *
     * @param ring to feed.
     */
    public synchronized void add(final EventRing ring) {
        final List<EventRing> next = new ArrayList<>(List.of(rings));
        next.add(ring);
        if (sleep != null) {
            ring.feed().waker(sleep::wake);
        }
        rings = next.toArray(EventRing[]::new);
        wake();
    }

    private void wake() {
        if (sleep != null) {
            sleep.wake();
        }
    }

    /**
     * Stop feeding a ring. Any thread.
     *
     * @param ring that was added.
     */
    public synchronized void remove(final EventRing ring) {
        final List<EventRing> next = new ArrayList<>(List.of(rings));
        next.remove(ring);
        rings = next.toArray(EventRing[]::new);
    }

    /**
     * The channel on which the queues of a device's subscriptions are to announce their completions. Any thread.
     *
     * @param device of the queues.
     * @return the channel, or null when the poller spins.
     * @throws io.sluice.verbs.VerbsException when the device refuses to make it.
     */
    public synchronized CompletionEventChannel eventChannel(final RdmaDevice device) {
        if (sleep == null) {
            return null;
        }
        for (final CompletionEventChannel channel : sleep.channels()) {
            if (channel.isOn(device)) {
                return channel;
            }
        }
        final CompletionEventChannel added = new CompletionEventChannel(device);
        sleep.add(added);
        return added;
    }

    /**
     * The idle strategy between two duty cycles.
     *
     * @param otherwise for a poller that spins.
     * @return the poller's own strategy when it waits for events.
     */
    public IdleStrategy idleStrategy(final IdleStrategy otherwise) {
        return sleep == null ? otherwise : sleep;
    }

    /** Do not wait for events any more: the thread is about to be ended. Any thread. */
    public void stop() {
        if (sleep != null) {
            sleep.stop();
        }
    }

    /** Close the channels, after all queues; failures go to the error handler. */
    @Override
    public void close() {
        if (sleep != null) {
            CloseHelper.closeAll(errorHandler, sleep.channels());
        }
    }

    /**
     * The guard that tells when a removed ring is out of use.
     *
     * @return the guard that the poller is inside of while it works.
     */
    public EntryGuard guard() {
        return guard;
    }

    /**
     * The processor that the poller is to run on.
     *
     * @return its number, or {@link #NO_CPU}.
     */
    public int cpu() {
        return cpu;
    }

    /**
     * The text that says where the poller's thread is pinned, and how isolated that is. Any thread.
     *
     * @return one line for people.
     */
    public String pinning() {
        return pinning;
    }

    /** The queues of all rings, as a sleep asks for them. The poller's thread. */
    private final class PolledQueues implements PollerSleep.Queues {
        @Override
        public boolean isDrained() {
            boolean isDrained = true;
            for (final EventRing ring : rings) {
                isDrained &= ring.feed().isDrained();
            }
            return isDrained;
        }

        @Override
        public boolean isHeldUp() {
            boolean isHeldUp = false;
            for (final EventRing ring : rings) {
                isHeldUp |= ring.feed().isHeldUp();
            }
            return isHeldUp;
        }

        @Override
        public boolean isIdleMaintenanceDue() {
            boolean isDue = false;
            for (final EventRing ring : rings) {
                isDue |= ring.feed().isIdleMaintenanceDue();
            }
            return isDue;
        }

        @Override
        public boolean arm() {
            boolean isArmed = true;
            for (final EventRing ring : rings) {
                isArmed &= ring.feed().arm();
            }
            return isArmed;
        }

        @Override
        public void report() {
            for (final EventRing ring : rings) {
                ring.feed().report();
            }
        }
    }
}
