package io.sluice.verbs.foreign;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps a native object alive while a thread uses it on the data path, without a lock or a fence there. A post or poll
 * enters, then looks whether its object still lives, and leaves; whoever closes the object marks it closed first, makes
 * all threads pass a fence, then waits until the guard is clear. So a thread either sees the mark or is seen. One
 * thread at a time enters.
 */
public final class Guard {
    private static final VarHandle ENTERED;
    /** The number of looks before the core is given away: a post or poll takes far less than a microsecond. */
    private static final int SPINS = 1000;
    /** Time between two looks after that. */
    private static final long PARK_NS = 50_000;
    /** Time after which the native object is left to the thread that does not leave, and not freed. */
    private static final long TIMEOUT_NS = 2_000_000_000L;

    static {
        try {
            ENTERED = MethodHandles.lookup().findVarHandle(Guard.class, "entered", boolean.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private boolean entered;

    /** A guard that nobody is inside of. */
    public Guard() {
    }

    /** Enters, before the look whether the object lives. */
    public void enter() {
        ENTERED.setOpaque(this, true);
    }

    /** Leaves, after the last use of the object. */
    public void leave() {
        ENTERED.setRelease(this, false);
    }

    /**
     * Wait until nobody is inside; the objects of the guards must be marked closed.
     *
     * @param environment its clock, and the fence.
     * @param call        that would free what they guard.
     * @param object      for the message, with its article.
     * @param guards      of the object.
     * @throws VerbsException EBUSY when a thread did not leave in time: to be closed again when it has.
     */
    public static void awaitClear(
        final Environment environment, final String call, final String object, final Guard... guards) {
        if (!isClearWithin(environment, TIMEOUT_NS, guards)) {
            throw new VerbsException(call, Errno.EBUSY, object
                + " stays: a thread is inside a post, a batch or a wait of it; try again after that");
        }
    }

    /**
     * Wait until nobody is inside, or as long as the caller has time: nothing is freed after that.
     *
     * @param environment its clock, and the fence.
     * @param timeoutNs   at most.
     * @param guards      of what is about to change.
     * @return false when a thread did not leave in time.
     */
    public static boolean isClearWithin(
        final Environment environment, final long timeoutNs, final Guard... guards) {
        environment.fenceAllThreads();
        return isClearSinceFence(environment, timeoutNs, guards);
    }

    /**
     * Wait likewise, after a fence that all threads have passed since the objects were marked: one serves many objects.
     *
     * @param environment its clock.
     * @param timeoutNs   at most.
     * @param guards      of what is about to change.
     * @return false when a thread did not leave in time.
     */
    public static boolean isClearSinceFence(
        final Environment environment, final long timeoutNs, final Guard... guards) {
        final long startNs = environment.nanoTime();
        for (final Guard guard : guards) {
            int spins = 0;
            while ((boolean) ENTERED.getAcquire(guard)) {
                if (++spins > SPINS) {
                    if (environment.nanoTime() - startNs >= timeoutNs) {
                        return false;
                    }
                    environment.park(PARK_NS);
                }
            }
        }
        return true;
    }
}
