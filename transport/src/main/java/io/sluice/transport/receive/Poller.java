package io.sluice.transport.receive;

import io.sluice.os.CpuAffinity;
import io.sluice.transport.buffer.EntryGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Feeds the rings of the subscriptions in DEDICATED mode that were assigned to it, on one thread, which it pins to a
 * processor if it has one. It starts no thread, so that none inherits its processor. The conductor adds and removes;
 * what was removed is out of use when the {@link #guard()} says that the poller has left since a fence.
 */
public final class Poller implements Agent {
    /** The poller runs wherever the scheduler puts it. */
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
    private volatile EventRing[] rings = NO_RINGS;
    private volatile String pinning = "not pinned";
    private long work;

    /**
     * A poller without subscriptions.
     *
     * @param index        of the poller in its transport, from 0.
     * @param cpu          processor to pin its thread to, or {@link #NO_CPU}.
     * @param errorHandler told of what goes wrong, on the poller's thread.
     * @param notices      told on the poller's thread where it is pinned, and how isolated that processor is.
     */
    public Poller(final int index, final int cpu, final ErrorHandler errorHandler, final Consumer<String> notices) {
        this.index = index;
        this.cpu = cpu;
        this.errorHandler = errorHandler;
        this.notices = notices;
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
            errorHandler.onError(new IllegalStateException(roleName() + " runs on: " + pinning, ex));
        }
    }

    /** The data path of every ring, from completions to feedback; what one ring throws does not keep the others. */
    @Override
    public int doWork() {
        int total = 0;
        guard.enter();
        try {
            for (final EventRing ring : rings) {
                try {
                    int done = ring.receiver().drain();
                    done += ring.walk();
                    // after the walk: it reads what consumers write, and a message waits for it only on a full ring
                    done += ring.reclaim();
                    ring.receiver().maintain(done);
                    total += done;
                } catch (final Throwable ex) {
                    errorHandler.onError(ex);
                }
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
        rings = next.toArray(EventRing[]::new);
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
     * Tells when a removed ring is out of use.
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
     * Where the poller's thread is pinned and how isolated that is. Any thread.
     *
     * @return one line for people.
     */
    public String pinning() {
        return pinning;
    }
}
