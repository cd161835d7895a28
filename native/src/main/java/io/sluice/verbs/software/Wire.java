package io.sluice.verbs.software;

/**
 * The way that bytes and completions take into the peer's memory. There is one for each queue pair, used by the one
 * thread that carries its operations out. Production loads {@link DirectWire} only, so that the compiler sees through
 * this type.
 */
abstract class Wire {
    /** Operations, in the order of {@link FaultHook.Operation}. */
    static final int WRITE = 0;
    static final int WRITE_WITH_IMMEDIATE = 1;
    static final int SEND = 2;
    static final int SEND_WITH_IMMEDIATE = 3;
    static final int READ = 4;
    static final int COMPARE_AND_SWAP = 5;
    static final int FETCH_AND_ADD = 6;

    /**
     * Whether to carry an operation out.
     *
     * @return {@link FaultHook#PASS}, {@link FaultHook#DROP}, {@link FaultHook#DEFER} or a work status.
     */
    abstract int decide(int operation, long workRequestId, int length, int immediate);

    /** Copy the bytes of a message. */
    abstract void copy(long workRequestId, long source, long target, int length);

    /** Skips the copy of a message whose bytes are there already. */
    abstract void skipCopy(long workRequestId, int length);

    /** Write a completion entry, its seal last. */
    abstract void complete(long workRequestId, long entry, long body, long seal);
}
