package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.kit.Await;

/**
 * One publication of one writer and one of its subscribers, slowed down so that what is on the way between them stays
 * there for seconds: a fault finds it there. One thread.
 */
public final class UnderLoad {
    /** Some of it is consumed while the fault happens. */
    private static final long LOAD = 3 * InFlight.MEBIBYTE;
    /** A mebibyte takes it a second or two. */
    private static final long SLOW_NS = 5_000_000;

    private final Fabric fabric;
    private final String publisher;
    private final ChildJvm subscribing;
    private final String subscriber;
    private final int sessionId;

    /**
     * A pair with a window of 4 MiB or more.
     *
     * @param fabric      where their journals are.
     * @param publisher   name of the load that sends.
     * @param subscribing the process of the subscriber.
     * @param subscriber  name of the load that receives.
     * @param sessionId   of the publication.
     */
    public UnderLoad(
        final Fabric fabric, final String publisher, final ChildJvm subscribing, final String subscriber,
        final int sessionId) {
        this.fabric = fabric;
        this.publisher = publisher;
        this.subscribing = subscribing;
        this.subscriber = subscriber;
        this.sessionId = sessionId;
    }

    /** Slow the subscriber down until enough is in flight to it. */
    public void slowDown() {
        setPause(SLOW_NS);
        Await.until(() -> "a load: in flight " + bytes() + "\n" + subscribing.describe(), () -> bytes() >= LOAD,
            Await.DEADLINE_SECONDS);
    }

    /** Let a fault happen, and make sure that it has found enough in flight. */
    public void strike(final Runnable fault) {
        final long sentBefore = InFlight.sent(fabric.journals(), publisher);
        fault.run();
        // not less than that: more may have been offered when it happened, and less have been consumed
        assertEnough(sentBefore - InFlight.consumed(fabric.journals(), subscriber, sessionId));
    }

    /** Slow down, and strike. */
    public void slowDownAndStrike(final Runnable fault) {
        slowDown();
        strike(fault);
    }

    /** Make sure that enough is in flight now. */
    public void assertEnough() {
        assertEnough(bytes());
    }

    private void assertEnough(final long bytes) {
        assertTrue(bytes >= InFlight.MEBIBYTE,
            () -> "in flight from " + publisher + " to " + subscriber + ": " + bytes);
    }

    /** Let the subscriber go on at full speed. */
    public void hurryUp() {
        setPause(0);
    }

    private void setPause(final long pauseNs) {
        subscribing.ask("slow name=" + subscriber + " pause-ns=" + pauseNs, "OK command=slow");
    }

    private long bytes() {
        return InFlight.bytes(fabric.journals(), publisher, subscriber, sessionId);
    }
}
