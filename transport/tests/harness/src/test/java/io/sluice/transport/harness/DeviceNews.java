package io.sluice.transport.harness;

import io.sluice.transport.kit.Await;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Events of a device, under a test's command: overruns of completion queues are told late, queue pairs of
 * data links fail and nothing but that event tells of it, or ports change, and with them what can be set up. Over any
 * device; any thread commands.
 */
public final class DeviceNews {
    private record Event(AsyncEventType type, CompletionQueue queue, QueuePair queuePair) {
    }

    private final Collection<QueuePair> queuePairs = new ConcurrentLinkedQueue<>();
    private final Queue<Event> untold = new ConcurrentLinkedQueue<>();
    private final Queue<PortEvent> portEvents = new ConcurrentLinkedQueue<>();
    private final AtomicLong polls = new AtomicLong();
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile boolean withholdsOverruns;
    private volatile VerbsException setupFailure;
    private volatile RuntimeException renewFailure;
    private volatile boolean holdsConnections;
    private volatile boolean isHolding;
    private volatile CountDownLatch maySetUp = new CountDownLatch(0);
    private volatile boolean isSetupHeld;

    private record PortEvent(AsyncEventType type, int port) {
    }

    /** The device, whose news are from here. */
    public RdmaDevice of(final RdmaDevice device) {
        return before(RdmaDevice.class, (method, arguments) -> switch (method.getName()) {
            case "poll" -> poll(device, (AsyncEventHandler) arguments[0]);
            case "allocateProtectionDomain" -> domain(device.allocateProtectionDomain());
            case "listen" -> listener((Listener) invoke(method, device, arguments));
            case "connect" -> connection((Connection) invoke(method, device, arguments));
            default -> invoke(method, device, arguments);
        });
    }

    private Listener listener(final Listener listener) {
        return before(Listener.class, (method, arguments) -> {
            if (!method.getName().equals("renew")) {
                return invoke(method, listener, arguments);
            }
            // read first: whoever sees the count may set the next one
            final RuntimeException failure = renewFailure;
            renewals.incrementAndGet();
            throwIfAny(failure);
            return true;
        });
    }

    private Connection connection(final Connection connection) {
        return holdsConnections ? held(connection) : connection;
    }

    /** A connection that comes to nothing, as soon as that is allowed. */
    private Connection held(final Connection connection) {
        return before(Connection.class, (method, arguments) -> {
            if (!method.getName().equals("poll")) {
                return invoke(method, connection, arguments);
            }
            isHolding = true;
            return holdsConnections ? Connection.State.CONNECTING : Connection.State.UNREACHABLE;
        });
    }

    private static void throwIfAny(final RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    private ProtectionDomain domain(final ProtectionDomain domain) {
        return before(ProtectionDomain.class, (method, arguments) -> {
            if (method.getName().equals("createQueuePair") && isOfData((QueuePairAttributes) arguments[0])) {
                isSetupHeld = maySetUp.getCount() > 0;
                maySetUp.await();
                throwIfAny(setupFailure);
            }
            final Object result = invoke(method, domain, arguments);
            if (method.getName().equals("createQueuePair") && isOfData((QueuePairAttributes) arguments[0])) {
                queuePairs.add((QueuePair) result);
            }
            return result;
        });
    }

    /** Control messages tell their length. */
    private static boolean isOfData(final QueuePairAttributes attributes) {
        return (attributes.receiveQueue().fields() & CompletionField.BYTE_LENGTH) == 0;
    }

    private int poll(final RdmaDevice device, final AsyncEventHandler handler) {
        int told = device.poll((type, queue, queuePair) -> {
            if (type == AsyncEventType.CQ_ERR && withholdsOverruns) {
                untold.add(new Event(type, queue, queuePair));
            } else {
                handler.onAsyncEvent(type, queue, queuePair);
            }
        });
        while (!withholdsOverruns && !untold.isEmpty()) {
            final Event event = untold.remove();
            handler.onAsyncEvent(event.type, event.queue, event.queuePair);
            told++;
        }
        for (PortEvent event = portEvents.poll(); event != null; event = portEvents.poll()) {
            handler.onPortEvent(event.type, event.port);
            told++;
        }
        polls.incrementAndGet();
        return told;
    }

    /** Tell of something that has happened to a port. */
    public void tell(final AsyncEventType type, final int port) {
        portEvents.add(new PortEvent(type, port));
    }

    /** Wait until the conductor has asked for news so many times more. */
    public void awaitPolls(final int count) {
        final long target = polls.get() + count;
        Await.until("polls of the device", () -> polls.get() >= target);
    }

    /** Lets no queue pair of a data link be made from now on; with null they can again. */
    public void failSetups(final VerbsException failure) {
        setupFailure = failure;
    }

    /** Lets who makes a queue pair of a data link wait in that call from now on. */
    public void holdSetups() {
        maySetUp = new CountDownLatch(1);
    }

    /** Whether somebody does. */
    public boolean isHoldingSetup() {
        return isSetupHeld;
    }

    /** Let who waits go on, and others. */
    public void letSetupsGo() {
        maySetUp.countDown();
    }

    /** Lets no listener listen anew from now on; with null they can again. */
    public void failRenewals(final RuntimeException failure) {
        renewFailure = failure;
    }

    /** Lets connections neither be made nor refused from now on. */
    public void holdConnections() {
        holdsConnections = true;
    }

    /** Wait for the first one that is held. */
    public void awaitHeldConnection() {
        Await.until("a connection under way", () -> isHolding);
    }

    /** Let the connections that are held fail, and others be made again. */
    public void failHeldConnections() {
        holdsConnections = false;
    }

    /** The number of times that listeners were asked to listen anew. */
    public int renewals() {
        return renewals.get();
    }

    /** Withholds overruns of completion queues from now on. */
    public void withholdOverruns() {
        withholdsOverruns = true;
    }

    /** Whether one has happened and was not told. */
    public boolean isWithholding() {
        return withholdsOverruns && !untold.isEmpty();
    }

    /** Tell of all that were withheld, and of others at once. */
    public void tellOverruns() {
        withholdsOverruns = false;
    }

    /**
     * Let the queue pairs of all data links fail, and tell of it.
     *
     * @return how many.
     */
    public int failQueuePairs() {
        int failed = 0;
        for (final QueuePair queuePair : queuePairs) {
            if (queuePair.state() == QueuePairState.READY_TO_SEND) {
                queuePair.fail();
                untold.add(new Event(AsyncEventType.QP_FATAL, null, queuePair));
                failed++;
            }
        }
        return failed;
    }

    private static Object invoke(final Method method, final Object target, final Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (final InvocationTargetException ex) {
            throw ex.getCause();
        }
    }

    private static <T> T before(final Class<T> type, final Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method, arguments)));
    }

    /** An action in the place of a call. */
    @FunctionalInterface
    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }
}
