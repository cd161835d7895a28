package io.sluice.transport.soak;

import io.sluice.transport.harness.ChildJvm;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A place in a soak that a process takes after another one: to publish, or to subscribe. The soak's thread.
 */
final class SoakPlace {
    /** The bytes that may be in flight on a link: some times what a fault must find there. */
    private static final String WINDOW = "4m";
    /** So that publishers, who are faster, have always something in flight, and a core is left for those who start. */
    private static final String PACE = " limit=4 pace-ns=1000000";
    static final int STREAM_ID = 1;

    private final SoakProcesses starter;
    private final SoakSettings settings;
    private final AtomicInteger sessionIds;
    private final boolean isPublisher;
    private final int number;
    private final Consumer<SoakLife> births;
    private ChildJvm process;
    private SoakLife life;
    private int processes;
    private int lives;
    private boolean isHit;
    private boolean wasFrozen;
    private boolean hasClosedWithoutSome;
    private boolean hasBeenLost;
    private int noises;
    private long lostNs;

    /**
     * A place without a process.
     *
     * @param starter     of processes.
     * @param settings    of the soak.
     * @param sessionIds  of publications: the last one that is taken.
     * @param isPublisher whether it publishes.
     * @param number      of the place among those of its kind.
     * @param births      told of each publication or subscription that begins.
     */
    SoakPlace(
        final SoakProcesses starter,
        final SoakSettings settings,
        final AtomicInteger sessionIds,
        final boolean isPublisher,
        final int number,
        final Consumer<SoakLife> births) {
        this.starter = starter;
        this.settings = settings;
        this.sessionIds = sessionIds;
        this.isPublisher = isPublisher;
        this.number = number;
        this.births = births;
    }

    /** Start a process; {@link #isReady} tells when it can {@link #begin}. */
    void launch(final String... properties) {
        process = starter.launch(
            (isPublisher ? "publisher" : "subscriber") + number + "-" + ++processes, properties);
        life = null;
        wasFrozen = false;
        hasClosedWithoutSome = false;
        noises = 0;
    }

    boolean isReady() {
        return process.poll("READY") != null;
    }

    /** Publish or subscribe. */
    void begin() {
        final long nowNs = System.nanoTime();
        lives++;
        if (isPublisher) {
            final int session = sessionIds.incrementAndGet();
            life = new SoakLife("p" + number + "-" + lives, session, process, nowNs);
            process.tell("publish lengths=mix name=" + life.name() + " id=" + session + " seed="
                + (settings.seed() + session) + " stream=" + STREAM_ID + " channel=" + settings.ofPublisher(number)
                + "|linger=60s|window=" + WINDOW + "|session-id=" + session);
        } else {
            life = new SoakLife("s" + number + "-" + lives, 0, process, nowNs);
            process.tell("subscribe name=" + life.name() + PACE + " stream=" + STREAM_ID + " channel="
                + settings.ofSubscriber(number));
        }
        births.accept(life);
    }

    ChildJvm process() {
        return process;
    }

    /** The publication or subscription of its process, or null while a process is starting. */
    SoakLife life() {
        return life;
    }

    /** Note that its process stands still for longer than liveness. */
    void freeze() {
        wasFrozen = true;
        life.freeze(System.nanoTime());
    }

    /** Whether that has happened to the process. */
    boolean wasFrozen() {
        return wasFrozen;
    }

    /** Others have taken its process for gone, up to now. */
    void lost(final long nowNs) {
        hasBeenLost = true;
        lostNs = nowNs;
    }

    /** Whether others may have taken a process of the place for gone since then. */
    boolean wasLostSince(final long sinceNs) {
        return hasBeenLost && lostNs - sinceNs >= 0 || life != null && life.isFrozen();
    }

    /** Note that its messages were not delivered to some, who were gone. */
    void closeWithoutSome() {
        hasClosedWithoutSome = true;
    }

    boolean hasClosedWithoutSome() {
        return hasClosedWithoutSome;
    }

    /** Somebody has written random bytes where it reads messages. */
    void onNoise() {
        noises++;
    }

    /** The number of times that that has happened to the process. */
    int noises() {
        return noises;
    }

    /** The number of the place among those that publish, or subscribe. */
    int number() {
        return number;
    }

    /** Whether a fault is on it: another one has to wait. */
    boolean isHit() {
        return isHit;
    }

    void hit(final boolean newHit) {
        isHit = newHit;
    }

    /** Whether the place publishes or receives, as far as anybody can tell. */
    boolean isUp() {
        return life != null && !life.isOver();
    }
}
