package io.sluice.transport.harness;

import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;

/** A device that takes its time to make a queue pair, as adapters do. Any thread. */
public final class SlowSetup {
    private final Runnable delay;

    /**
     * Devices of which each queue pair takes as long.
     *
     * @param durationNs at least.
     */
    public SlowSetup(final long durationNs) {
        this(() -> LockSupport.parkNanos(durationNs));
    }

    /**
     * Devices that do something for each queue pair before it is made.
     *
     * @param delay runs on the thread that makes the queue pair, say to put a clock forward.
     */
    public SlowSetup(final Runnable delay) {
        this.delay = delay;
    }

    /** Another device, made slow. */
    public RdmaDevice slow(final RdmaDevice device) {
        return (RdmaDevice) Proxy.newProxyInstance(
            RdmaDevice.class.getClassLoader(), new Class<?>[] {RdmaDevice.class}, (proxy, method, arguments) -> {
                final Object result = call(device, method, arguments);
                return result instanceof final ProtectionDomain domain ? slow(domain) : result;
            });
    }

    private ProtectionDomain slow(final ProtectionDomain domain) {
        return (ProtectionDomain) Proxy.newProxyInstance(
            RdmaDevice.class.getClassLoader(), new Class<?>[] {ProtectionDomain.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("createQueuePair")) {
                    delay.run();
                }
                return call(domain, method, arguments);
            });
    }

    private static Object call(final Object target, final Method method, final Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (final InvocationTargetException ex) {
            throw ex.getCause();
        }
    }
}
