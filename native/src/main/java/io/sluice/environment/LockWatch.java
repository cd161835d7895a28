package io.sluice.environment;

/**
 * An eye on the lock of another process, which sees it also when the file has lost its name: whoever removes files does
 * not make their owner dead. One thread at a time; owned by whoever asked for it.
 */
public interface LockWatch extends AutoCloseable {
    /**
     * Whether the owner of the lock lives: as its process does while there is no file to ask, or none has owned it.
     *
     * @return false once it is dead or has released the lock; where a child that it has forked holds the lock, some
     *     calls later. It does not come back to life.
     */
    boolean isHeld();

    /** Look no more; idempotent. */
    @Override
    void close();
}
