package io.sluice.transport.stub;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A device with one channel and queues that complete what a test says. Before every call of theirs it runs an action of
 * the test: what other threads might do at that moment.
 */
public final class StubEventDevice implements RdmaDevice {
    private final Deque<EventQueue> announced = new ArrayDeque<>();
    private final List<Long> sleepsNs = new ArrayList<>();
    private Runnable beforeCall = () -> { };
    private Runnable beforeSleep = () -> { };
    private RuntimeException failure;
    private boolean isWoken;
    private boolean isChannelClosed;

    /** Run this before every call. */
    public void beforeCall(final Runnable action) {
        beforeCall = action;
    }

    /** Run this when a thread is about to sleep. */
    public void beforeSleep(final Runnable action) {
        beforeSleep = action;
    }

    /** Let the channel throw this from now on. */
    public void fail(final RuntimeException newFailure) {
        failure = newFailure;
    }

    /** Timeouts of the sleeps so far. */
    public List<Long> sleepsNs() {
        return sleepsNs;
    }

    public boolean isChannelClosed() {
        return isChannelClosed;
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return new Channel();
    }

    @Override
    public EventQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        return new EventQueue();
    }

    @Override
    public String name() {
        return "stub";
    }

    @Override
    public DeviceAttributes attributes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> listeners(final String service) {
        return List.of();
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        return 0;
    }

    @Override
    public void close() {
    }

    /** A queue that can be armed. */
    public final class EventQueue extends StubCompletionQueue {
        private boolean isArmed;
        private boolean isDead;
        private boolean isInUse;
        private boolean isClosed;
        private int unacknowledged;
        private final List<Integer> acknowledgements = new ArrayList<>();

        /** Add a completion as {@link #add} does, with an event when the queue is armed. */
        public void complete(final long workRequestId, final int status, final int immediate) {
            add(workRequestId, status, immediate);
            if (isArmed) {
                announce();
            }
        }

        /** An event without a completion. */
        public void announce() {
            isArmed = false;
            announced.add(this);
        }

        public void die() {
            isDead = true;
        }

        /** Say whether the device refuses to be closed. */
        public void inUse(final boolean newIsInUse) {
            isInUse = newIsInUse;
        }

        public boolean isArmed() {
            return isArmed;
        }

        public boolean isClosed() {
            return isClosed;
        }

        public List<Integer> acknowledgements() {
            return acknowledgements;
        }

        @Override
        public int startPoll() {
            beforeCall.run();
            return isDead ? Errno.EINVAL : super.startPoll();
        }

        @Override
        public int requestNotify(final boolean solicitedOnly) {
            beforeCall.run();
            isArmed |= !isDead && !solicitedOnly;
            return isDead ? Errno.EINVAL : Errno.OK;
        }

        @Override
        public void acknowledgeEvents(final int count) {
            if (isClosed || count > unacknowledged) {
                throw new AssertionError("acknowledged=" + count + " of " + unacknowledged + " closed=" + isClosed);
            }
            unacknowledged -= count;
            acknowledgements.add(count);
        }

        @Override
        public void close() {
            if (isInUse) {
                throw new VerbsException("ibv_destroy_cq", Errno.EBUSY, "in use");
            }
            if (unacknowledged > 0) {
                throw new VerbsException("ibv_destroy_cq", Errno.EBUSY, "not acknowledged: " + unacknowledged);
            }
            announced.remove(this);
            isClosed = true;
        }
    }

    private final class Channel implements CompletionChannel {
        @Override
        public CompletionQueue getEvent(final long timeoutNs) {
            beforeCall.run();
            throwFailure();
            final EventQueue queue = announced.poll();
            if (queue != null) {
                queue.unacknowledged++;
            } else {
                isWoken = false;
            }
            return queue;
        }

        @Override
        public boolean await(final long timeoutNs) {
            beforeCall.run();
            throwFailure();
            if (!isWoken && announced.isEmpty()) {
                beforeSleep.run();
                sleepsNs.add(timeoutNs);
                return false;
            }
            isWoken = false;
            return true;
        }

        private void throwFailure() {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void wake() {
            isWoken = true;
        }

        @Override
        public void close() {
            isChannelClosed = true;
        }
    }
}
