package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * libibverbs and librdmacm without a device: each function leads back to Java, which notes the call and answers 0, or
 * what a script says. Any thread.
 */
public final class ScriptedLibraries implements AutoCloseable {
    private static final Answer DONE = arguments -> Errno.OK;

    /** Names of what was called, in order. */
    final List<String> calls = new CopyOnWriteArrayList<>();
    final Arena arena = Arena.ofShared();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** What a function does. */
    interface Answer {
        /** Its result, a pointer as its address, by its arguments: pointers are segments without a length. */
        long call(Object[] arguments);
    }

    void answer(final String function, final Answer answer) {
        answers.put(function, answer);
    }

    void answer(final String function, final long result) {
        answer(function, arguments -> result);
    }

    VerbsLibrary verbs() {
        return new VerbsLibrary(new NativeLibraries(this::find, LibraryVersion.UNKNOWN));
    }

    /** A function of that name; of the generated bindings its descriptor is taken, which need the true libraries. */
    Optional<MemorySegment> find(final String name) {
        try {
            final FunctionDescriptor descriptor = (FunctionDescriptor) Class.forName(
                "io.sluice.verbs.rdma.generated.rdma_h").getMethod(name + "$descriptor").invoke(null);
            return Optional.of(function(name, descriptor));
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    /** One that no library exports, for a table of function pointers. */
    MemorySegment function(final String name, final FunctionDescriptor descriptor) {
        try {
            final MethodType type = descriptor.toMethodType();
            final MethodHandle target = MethodHandles.insertArguments(MethodHandles.lookup().bind(this, "call",
                MethodType.methodType(Object.class, String.class, Class.class, Object[].class)), 0, name,
                type.returnType()).asCollector(Object[].class, type.parameterCount()).asType(type);
            return Linker.nativeLinker().upcallStub(target, descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    private Object call(final String name, final Class<?> type, final Object[] arguments) {
        calls.add(name);
        final long result = answers.getOrDefault(name, DONE).call(arguments);
        return type == MemorySegment.class ? MemorySegment.ofAddress(result) : (Object) (int) result;
    }

    @Override
    public void close() {
        arena.close();
    }
}
