package io.sluice.samples.selftest;

import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SendChain;
import io.sluice.verbs.WorkFlags;
import java.util.Locale;

/**
 * Posting ends with ENOMEM, nothing that was taken is lost or overwritten, and there is room again afterwards. One
 * thread.
 */
final class FullQueueCheck {
    /** The most entries, far more than are asked for: no queue grants so much. */
    static final int MOST = 16 * Loop.WORK;
    /** Bytes of a message: each has a place of its own. */
    static final int MESSAGE_LENGTH = Loop.LENGTH / MOST;
    static final int ROUNDS = 4;
    private static final int CHAIN = 8;
    private static final int SOME = 4;

    /** The ways to fill the queue. */
    private enum Filling {
        /** Each send completes. */
        SIGNALLED,
        /** The last of those that were granted completes, and gives the places of all back. */
        UNSIGNALLED,
        /** Sends are posted in chains, of which the last completes. */
        CHAINED
    }

    private final ConnectedLoop loop;
    private final Filling filling;
    private final int granted;
    /** Sends of this round that were taken before the queue was full. */
    private int taken;
    /** Sends of the rounds before. */
    private int before;
    /** Sends of all rounds that have arrived. */
    private int arrived;
    private int signalled;

    private FullQueueCheck(final ConnectedLoop loop, final Filling filling) {
        this.loop = loop;
        this.filling = filling;
        granted = loop.first.attributes().maxSendWork();
    }

    /** Checks each way to fill a queue. */
    static String run(final RdmaDevice device) {
        final StringBuilder found = new StringBuilder();
        for (final Filling filling : Filling.values()) {
            try (ConnectedLoop loop = ConnectedLoop.open(device, MOST)) {
                found.append(filling.name().toLowerCase(Locale.ROOT)).append('=')
                    .append(new FullQueueCheck(loop, filling).rounds()).append(' ');
            } catch (final CheckFailure e) {
                throw new CheckFailure(filling.name().toLowerCase(Locale.ROOT) + ": " + e.getMessage());
            }
        }
        return "ENOMEM after " + found + "of maxSendWork=" + Loop.WORK + ", and after receives=" + receives(device)
            + " of maxReceiveWork=" + Loop.WORK;
    }

    /** Checks a queue of receives that is full, twice, and that each of its receives is there for a message. */
    private static int receives(final RdmaDevice device) {
        int least = Integer.MAX_VALUE;
        try (ConnectedLoop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            for (int round = 0; round < 2; round++) {
                final int posted = fillReceives(loop);
                least = Math.min(least, posted);
                for (int left = posted; left > 0;) {
                    final int some = Math.min(SOME, left);
                    for (int i = 0; i < some; i++) {
                        loop.sendSignalled(0, 1, i);
                    }
                    loop.take(loop.receives, some, queue -> { });
                    loop.take(loop.sends, some, queue -> { });
                    left -= some;
                }
                loop.requireEmpty(loop.receives);
            }
        }
        return least;
    }

    private static int fillReceives(final ConnectedLoop loop) {
        final int granted = loop.second.attributes().maxReceiveWork();
        int posted = 0;
        int result = Errno.OK;
        while (result == Errno.OK && posted < granted + MOST) {
            result = loop.second.postReceives(0, 1);
            posted += result == Errno.OK ? 1 : 0;
        }
        if (result != Errno.ENOMEM || posted < granted) {
            throw new CheckFailure("receives: a full queue answers " + Errno.describe(result) + " after " + posted
                + ", and maxReceiveWork=" + granted + " was granted");
        }
        return posted;
    }

    private int rounds() {
        int least = Integer.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            before = arrived;
            taken = 0;
            signalled = 0;
            if (filling == Filling.CHAINED) {
                chains();
            } else {
                singles();
            }
            least = Math.min(least, taken);
        }
        return least;
    }

    private static int place(final int number) {
        return number % MOST * MESSAGE_LENGTH;
    }

    private void singles() {
        // without receives at the other end nothing completes
        int result = Errno.OK;
        while (result == Errno.OK && taken < MOST) {
            final int number = before + taken;
            final boolean isSignalled = filling == Filling.SIGNALLED || taken == granted - 1;
            loop.fill(place(number), MESSAGE_LENGTH, number);
            result = loop.send(isSignalled ? WorkFlags.SIGNALED : 0, place(number), MESSAGE_LENGTH, number);
            if (result == Errno.OK) {
                taken++;
                signalled += isSignalled ? 1 : 0;
            }
        }
        requireFull(result);
        receive(taken);
        complete();
    }

    private void chains() {
        final SendChain chain = loop.first.newSendChain(CHAIN);
        int result = Errno.OK;
        while (result == Errno.OK && taken < MOST) {
            for (int i = 0; i < CHAIN; i++) {
                final int number = before + taken + i;
                loop.fill(place(number), MESSAGE_LENGTH, number);
                Loop.require("a chain of " + CHAIN, loop.prepare(chain, i == CHAIN - 1 ? WorkFlags.SIGNALED : 0,
                    place(number), MESSAGE_LENGTH, number));
            }
            result = chain.post();
            taken += CHAIN - chain.length();
            signalled += chain.length() == 0 ? 1 : 0;
        }
        final int left = chain.length();
        // of a chain that did not fit as a whole a part may have been posted, or none
        requireFull(result, CHAIN - 1);
        receive(taken);
        complete();
        Loop.require("the rest of a chain, of " + left, chain.post());
        signalled = 1;
        receive(left);
        complete();
    }

    private void requireFull(final int result) {
        requireFull(result, 0);
    }

    private void requireFull(final int result, final int missing) {
        if (result != Errno.ENOMEM) {
            throw new CheckFailure("a full queue answers " + Errno.describe(result) + " after " + taken);
        }
        if (taken < granted - missing) {
            throw new CheckFailure("ENOMEM after " + taken + ", and maxSendWork=" + granted + " was granted");
        }
    }

    private void receive(final int count) {
        for (int left = count; left > 0;) {
            final int some = Math.min(SOME, left);
            loop.expect(some);
            loop.take(loop.receives, some, queue -> {
                if (queue.immediateData() != arrived) {
                    throw new CheckFailure("immediate=" + queue.immediateData() + " instead of " + arrived);
                }
                loop.checkArrived(place(arrived), MESSAGE_LENGTH, arrived);
                arrived++;
            });
            left -= some;
        }
    }

    /** Takes the completions of sends that are signalled, and checks that no others complete. */
    private void complete() {
        loop.take(loop.sends, signalled, queue -> { });
        loop.requireEmpty(loop.sends);
    }
}
