package io.sluice.environment;

import java.io.IOException;

/**
 * A lock file that was opened to lock it or to ask who has it. Three bytes of it are locked, none of which need be
 * there: see {@link SystemLocks}. One thread at a time.
 */
interface LockFile {
    /** The byte that those contend for who want to own the file. */
    long CONTENDER_BYTE = 0;

    /** The byte of whom the file names, the only one that a question touches. */
    long HOLDER_BYTE = 1;

    /** The byte of whoever replaces a file that a dead owner's child has locked. */
    long REPLACER_BYTE = 2;

    /** Take a byte for oneself; false when another has it. */
    boolean tryLock(long index) throws IOException;

    /** Whether another has the byte of holders. */
    boolean isHeld() throws IOException;

    /** Whether another has the byte of contenders, as far as that can be asked without taking it. */
    boolean isContended() throws IOException;

    /** The owner that the file names; null when it names nobody. */
    LockOwner owner() throws IOException;

    /** Name an owner in the file, or nobody (null). */
    void name(LockOwner owner) throws IOException;

    /** Close it, which drops what was locked through it. Once. */
    void close() throws IOException;
}
