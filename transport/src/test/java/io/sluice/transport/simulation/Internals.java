package io.sluice.transport.simulation;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.connection.InboundImage;
import io.sluice.transport.connection.PublicationState;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/** What no accessor tells, for the invariants: looked at between two steps, never changed. */
final class Internals {
    private static final MethodHandle REGISTRATION = getter(ExclusivePublication.class, "registration", Object.class);
    private static final MethodHandle IMAGE_REGISTRATION = getter(Image.class, "registration", Object.class);
    private static final MethodHandle REPORTED = getter(InboundLink.class, "reportedConsumed", long.class);
    private static final MethodHandle WRITES = getter(OutboundLink.class, "writesPosted", long.class);
    private static final MethodHandle RECEIVES_KNOWN = getter(OutboundLink.class, "receivesPosted", long.class);

    private Internals() {
    }

    private static MethodHandle getter(final Class<?> type, final String name, final Class<?> result) {
        try {
            final Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return MethodHandles.lookup().unreflectGetter(field).asType(MethodType.methodType(result, Object.class));
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    static PublicationState state(final ExclusivePublication publication) {
        return (PublicationState) object(REGISTRATION, publication);
    }

    static InboundLink link(final Image image) {
        return ((InboundImage) object(IMAGE_REGISTRATION, image)).link();
    }

    static long reported(final InboundLink link) {
        return number(REPORTED, link);
    }

    static long writesPosted(final OutboundLink link) {
        return number(WRITES, link);
    }

    /** Receives that the peer is known to have posted. */
    static long receivesKnown(final OutboundLink link) {
        return number(RECEIVES_KNOWN, link);
    }

    private static Object object(final MethodHandle getter, final Object owner) {
        try {
            return (Object) getter.invokeExact(owner);
        } catch (final Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    private static long number(final MethodHandle getter, final Object owner) {
        try {
            return (long) getter.invokeExact(owner);
        } catch (final Throwable ex) {
            throw new AssertionError(ex);
        }
    }
}
