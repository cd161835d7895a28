package io.sluice.transport.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Stand-ins for something that answer some of its calls themselves. Stateless. */
public final class Front {
    private Front() {
    }

    /** Answers a call instead. */
    @FunctionalInterface
    public interface Answer {
        Object of(String name, Object[] arguments, Call call) throws Exception;
    }

    /** The call itself, not yet made. */
    @FunctionalInterface
    public interface Call {
        Object result() throws ReflectiveOperationException;
    }

    public static <T> T of(final Class<T> type, final T target, final Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> {
                try {
                    return answer.of(method.getName(), arguments, () -> method.invoke(target, arguments));
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            }));
    }
}
