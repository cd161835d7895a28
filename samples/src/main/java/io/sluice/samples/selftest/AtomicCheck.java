package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;

/**
 * COMPARE AND SWAP and FETCH AND ADD change a word of the target as they should, tell what it was, and many at a time
 * do so one after the other. One thread.
 */
final class AtomicCheck {
    private static final long FIRST = 0x0102_0304_0506_0708L;
    private static final int ADDITIONS = Loop.WORK;

    private final ConnectedLoop loop;

    private AtomicCheck(final ConnectedLoop loop) {
        this.loop = loop;
    }

    static String run(final RdmaDevice device) {
        try (ConnectedLoop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT.withRemoteAccess(
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC))) {
            new AtomicCheck(loop).run();
        }
        return "COMPARE AND SWAP, FETCH AND ADD, " + ADDITIONS + " at a time";
    }

    private void run() {
        loop.target.buffer().putLong(0, FIRST);
        fetchAdd(1, FIRST);
        compareAndSwap(FIRST + 1, -1, FIRST + 1);
        compareAndSwap(FIRST, 5, -1);
        // it wraps
        fetchAdd(3, -1);
        for (int i = 0; i < ADDITIONS; i++) {
            postAdd(i, 2);
        }
        loop.take(loop.sends, ADDITIONS, queue -> { });
        for (int i = 0; i < ADDITIONS; i++) {
            requireFound("FETCH AND ADD " + i + " of " + ADDITIONS, i, 2L + 2 * i);
        }
        requireWord(2 + 2 * ADDITIONS);
    }

    private void fetchAdd(final long addend, final long expected) {
        postAdd(0, addend);
        loop.takeOne(loop.sends, loop.first, WorkOpcode.FETCH_ADD);
        requireFound("FETCH AND ADD", 0, expected);
    }

    private void postAdd(final int place, final long addend) {
        Loop.require("ibv_post_send of a FETCH AND ADD", loop.first.postFetchAdd(place, WorkFlags.SIGNALED,
            loop.source.address() + (long) place * Long.BYTES, loop.source.localKey(), loop.target.address(),
            loop.target.remoteKey(), addend));
    }

    private void compareAndSwap(final long compared, final long replacement, final long expected) {
        Loop.require("ibv_post_send of a COMPARE AND SWAP", loop.first.postCompareAndSwap(0, WorkFlags.SIGNALED,
            loop.source.address(), loop.source.localKey(), loop.target.address(), loop.target.remoteKey(), compared,
            replacement));
        loop.takeOne(loop.sends, loop.first, WorkOpcode.COMPARE_SWAP);
        requireFound("COMPARE AND SWAP", 0, expected);
    }

    private void requireFound(final String what, final int place, final long expected) {
        final long found = loop.source.buffer().getLong(place * Long.BYTES);
        if (found != expected) {
            throw new CheckFailure(what + " has found " + found + " where " + expected + " was");
        }
    }

    /**
     * Requires a word to be as expected: a device may bring a word to memory a little later than the completion to its
     * other end.
     */
    private void requireWord(final long expected) {
        final long startNs = System.nanoTime();
        while (loop.target.buffer().getLongVolatile(0) != expected) {
            if (System.nanoTime() - startNs > Loop.TIMEOUT_NS) {
                throw new CheckFailure("the word is " + loop.target.buffer().getLong(0) + " instead of " + expected);
            }
            loop.duties();
        }
    }
}
