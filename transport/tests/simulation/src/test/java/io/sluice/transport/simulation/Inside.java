package io.sluice.transport.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** A way from an object to something inside, over fields and methods without arguments that are not accessible. */
final class Inside {
    private static final String ROOT = "io.sluice.";
    private static final String CALL = "()";

    private final MethodHandle getter;
    private final boolean isNumber;
    private final Field last;

    private Inside(final MethodHandle getter, final Class<?> result, final Field last) {
        isNumber = result.isPrimitive();
        // truth is a number, too
        this.getter = MethodHandles.explicitCastArguments(
            getter, MethodType.methodType(isNumber ? long.class : Object.class, Object.class));
        this.last = last;
    }

    /** A path that begins at an object of a class whose name is known only. */
    static Inside of(final String type, final String... path) {
        try {
            return of(Class.forName(ROOT + (type.startsWith("verbs") ? "" : "transport.") + type), path);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    static Inside of(final Class<?> type, final String... path) {
        try {
            MethodHandle getter = MethodHandles.identity(type);
            Class<?> current = type;
            Field field = null;
            for (final String name : path) {
                final MethodHandle step;
                if (name.endsWith(CALL)) {
                    final Method method = current.getDeclaredMethod(name.substring(0, name.length() - CALL.length()));
                    method.setAccessible(true);
                    step = MethodHandles.lookup().unreflect(method);
                } else {
                    field = current.getDeclaredField(name);
                    field.setAccessible(true);
                    step = MethodHandles.lookup().unreflectGetter(field);
                }
                getter = MethodHandles.filterReturnValue(
                    getter, step.asType(MethodType.methodType(step.type().returnType(), current)));
                current = step.type().returnType();
            }
            return new Inside(getter, current, field);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    Object object(final Object owner) {
        try {
            return (Object) getter.invokeExact(owner);
        } catch (final Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    long number(final Object owner) {
        try {
            return (long) getter.invokeExact(owner);
        } catch (final Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    /** Change the field at the end of a path that is one field long. */
    void set(final Object owner, final long value) {
        try {
            last.setLong(owner, value);
        } catch (final IllegalAccessException ex) {
            throw new AssertionError(ex);
        }
    }

    @Override
    public String toString() {
        return getter + (isNumber ? " number" : "");
    }
}
