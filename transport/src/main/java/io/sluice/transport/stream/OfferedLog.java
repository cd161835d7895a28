package io.sluice.transport.stream;

/**
 * The log of a publication that asks for a link. Immutable; any thread, as nobody writes to its token.
 *
 * @param windowLength     bytes of log and ring.
 * @param position         end of what was committed.
 * @param token            to map the log, or empty.
 * @param memoryCompletion whether frames in the mapped log may count as arrived once they are committed.
 */
record OfferedLog(int windowLength, long position, byte[] token, boolean memoryCompletion) {
    /** {@return whether the log may be mapped} */
    boolean isShared() {
        return token.length > 0;
    }
}
