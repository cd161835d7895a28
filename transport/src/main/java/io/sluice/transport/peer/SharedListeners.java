package io.sluice.transport.peer;

import io.sluice.environment.HostAddresses;
import io.sluice.transport.agent.Closing;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * One listener for each address, shared by everything of a transport that listens there. Any thread; polling waits for
 * nobody.
 */
final class SharedListeners implements AutoCloseable {
    /** Connect requests that may wait. */
    private static final int BACKLOG = 128;

    /**
     * The folder where the device of this host keeps who has an address: nobody connects there. The connection manager
     * refuses an address that is taken, but does not know by whom.
     */
    private static final String OWNERS = "rdma-owner/";

    private static final class Shared {
        private final Listener listener;
        private final Listener owner;
        private int users;

        Shared(final Listener listener, final Listener owner) {
            this.listener = listener;
            this.owner = owner;
        }
    }

    private final RdmaDevice device;
    private final RdmaDevice local;
    private final ReentrantLock lock = new ReentrantLock();
    /** The listeners by their addresses; changed under the lock. */
    private final Map<String, Shared> byAddress = new ConcurrentHashMap<>();

    SharedListeners(final RdmaDevice device, final RdmaDevice local) {
        this.device = device;
        this.local = local;
    }

    /**
     * Counts one more user of an address, and listens there for the first one. May block.
     *
     * @throws IllegalArgumentException when it is no address of one device, in whatever spelling.
     * @throws IllegalStateException    when somebody else listens there.
     */
    void acquire(final String address) {
        lock.lock();
        try {
            Shared shared = byAddress.get(address);
            if (shared == null) {
                shared = open(address);
                byAddress.put(address, shared);
            }
            shared.users++;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody uses an address. Waits for nobody: what opens or moves a listener may take its time. */
    boolean has(final String address) {
        return byAddress.containsKey(address);
    }

    private Shared open(final String address) {
        requireOneAddress(address);
        final Listener listener;
        try {
            listener = device.listen(address, BACKLOG);
        } catch (final VerbsException ex) {
            if (ex.errno() == Errno.EADDRINUSE) {
                throw new IllegalStateException(
                    "one transport listens at an address: address=" + address + ", " + holder(address, ex), ex);
            }
            throw ex;
        }
        return new Shared(listener, own(address));
    }

    /**
     * Requires a listener to be at one address, which is part of the proof of a key: at any address of the host a
     * request would say that.
     */
    private static void requireOneAddress(final String address) {
        if (HostAddresses.isAny(address)) {
            throw new IllegalArgumentException("a listener is at one address of a device, which the others connect to,"
                + " and not at any: address=" + address);
        }
    }

    /** The entry for others to find, or null: it is a courtesy only. */
    private Listener own(final String address) {
        try {
            return local.listen(OWNERS + address, 1);
        } catch (final VerbsException ex) {
            return null;
        }
    }

    private String holder(final String address, final VerbsException failure) {
        try {
            local.listen(OWNERS + address, 1).close();
        } catch (final VerbsException ex) {
            if (ex.errno() == Errno.EADDRINUSE) {
                return ex.getMessage();
            }
        }
        return failure.getMessage();
    }

    /** Counts out a user of an address; with the last one nobody listens there any more. May block. */
    void release(final String address) {
        lock.lock();
        try {
            final Shared shared = byAddress.get(address);
            if (shared != null && --shared.users == 0) {
                try {
                    Closing.all(Arrays.asList(shared.owner, shared.listener));
                } finally {
                    byAddress.remove(address);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Listen anew where addresses have moved: one after the other, so that all of them are polled and used in between.
     * May block.
     *
     * @param found told of each address whether it is listened at: the problem, or null where it was listened at anew.
     */
    void renew(final BiConsumer<String, RuntimeException> found) {
        for (final String address : List.copyOf(byAddress.keySet())) {
            lock.lock();
            try {
                final Shared shared = byAddress.get(address);
                if (shared != null) {
                    renew(address, shared, found);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static void renew(
        final String address, final Shared shared, final BiConsumer<String, RuntimeException> found) {
        try {
            if (shared.listener.renew()) {
                found.accept(address, null);
            }
        } catch (final RuntimeException ex) {
            // whatever it is: the other addresses may have moved, too
            found.accept(address, ex);
        }
    }

    /** Look at every listener, unless another thread is about to change them. */
    int poll(final ToIntFunction<Listener> accept) {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            int work = 0;
            for (final Shared shared : byAddress.values()) {
                work += accept.applyAsInt(shared.listener);
            }
            return work;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            Closing.all(byAddress.values().stream()
                .flatMap(shared -> Stream.of(shared.owner, shared.listener)).toList());
        } finally {
            byAddress.clear();
            lock.unlock();
        }
    }
}
