package io.sluice.verbs.model;

/** A spin lock of a provider, guarded by the fabric's monitor: who would spin on it is a violation. */
final class ModelLock {
    private final String name;
    private Thread holder;
    private String call;

    ModelLock(final String name) {
        this.name = name;
    }

    void hold(final String by) {
        holder = Thread.currentThread();
        call = by;
    }

    void drop() {
        holder = null;
    }

    boolean isHeld() {
        return holder != null;
    }

    boolean isOwn() {
        return holder == Thread.currentThread();
    }

    /** Describes a violation: a call takes this lock in vain, because a thread holds it. */
    String conflict(final String taker) {
        return taker + " takes the lock of " + name + ", which " + (isOwn() ? "this" : "another")
            + " thread holds since " + call;
    }
}
