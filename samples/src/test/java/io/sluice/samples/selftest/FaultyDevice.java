package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/** A sound device, and what of it is replaced by something that has a fault. */
final class FaultyDevice {
    UnaryOperator<CompletionQueueAttributes> queueAttributes = UnaryOperator.identity();
    UnaryOperator<CompletionQueue> queues = UnaryOperator.identity();
    UnaryOperator<QueuePairAttributes> attributes = UnaryOperator.identity();
    UnaryOperator<QueuePair> queuePairs = UnaryOperator.identity();
    UnaryOperator<SharedReceiveQueue> receives = UnaryOperator.identity();

    /** The device with its faults, closed with the sound one. */
    RdmaDevice over(final RdmaDevice device) {
        return proxy(RdmaDevice.class, (method, arguments) -> switch (method.getName()) {
            case "allocateProtectionDomain" -> over(device.allocateProtectionDomain());
            case "createCompletionQueue" -> queues.apply(device.createCompletionQueue(
                queueAttributes.apply((CompletionQueueAttributes) arguments[0])));
            default -> invoke(method, device, arguments);
        });
    }

    private ProtectionDomain over(final ProtectionDomain domain) {
        return proxy(ProtectionDomain.class, (method, arguments) -> switch (method.getName()) {
            case "createQueuePair" ->
                queuePairs.apply(domain.createQueuePair(attributes.apply(sound((QueuePairAttributes) arguments[0]))));
            case "createSharedReceiveQueue" ->
                receives.apply(domain.createSharedReceiveQueue((int) arguments[0]));
            default -> invoke(method, domain, arguments);
        });
    }

    /** A device takes no queues but its own. */
    private static QueuePairAttributes sound(final QueuePairAttributes asked) {
        return new QueuePairAttributes(sound(asked.sendQueue()), sound(asked.receiveQueue()), asked.maxSendWork(),
            asked.maxReceiveWork(), asked.maxInlineData(), asked.rnrRetryCount(), asked.minRnrTimerCode(),
            asked.retryCount(), asked.ackTimeoutCode(), asked.maxReadAtomic(), asked.maxDestinationReadAtomic(),
            asked.sharedReceiveQueue() instanceof final FaultyReceives faulty
                ? faulty.sound : asked.sharedReceiveQueue(),
            asked.type(), asked.sourceAddress());
    }

    private static CompletionQueue sound(final CompletionQueue queue) {
        return queue instanceof final FaultyQueue faulty ? faulty.sound : queue;
    }

    /** The answer to a call. */
    @FunctionalInterface
    private interface Answer {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(final Class<T> type, final Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> answer.of(method, arguments)));
    }

    private static Object invoke(final Method method, final Object target, final Object[] arguments)
        throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (final InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
