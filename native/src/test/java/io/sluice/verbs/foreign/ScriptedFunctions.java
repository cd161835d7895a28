package io.sluice.verbs.foreign;

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
 * The functions of a native library without it: each leads back to Java, which notes the call and answers 0, or what a
 * script says. Any thread.
 */
public class ScriptedFunctions implements AutoCloseable {
    private static final Answer DONE = arguments -> 0;

    /** Names of what was called, in order. */
    public final List<String> calls = new CopyOnWriteArrayList<>();
    /** Memory of the functions, and of what they hand out. */
    public final Arena arena = Arena.ofShared();
    private final String bindings;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, MemorySegment> stubs = new ConcurrentHashMap<>();

    /** The answer of a function to a call. */
    public interface Answer {
        /** The call's result, a pointer as its address, by its arguments: pointers are segments without a length. */
        long call(Object[] arguments);
    }

    /**
     * Functions of a library.
     *
     * @param bindings name of the generated class that knows the functions' descriptors, which needs the true library.
     */
    public ScriptedFunctions(final String bindings) {
        this.bindings = bindings;
    }

    /** Sets what a function does from now on. */
    public final void answer(final String function, final Answer answer) {
        answers.put(function, answer);
    }

    /** Sets what a function returns from now on. */
    public final void answer(final String function, final long result) {
        answer(function, arguments -> result);
    }

    /** A function of its own, which is not noted: for who looks at what a call allocates. Before it is found. */
    public final void stub(final String function, final MemorySegment stub) {
        stubs.put(function, stub);
    }

    /** The answer that a function gives now. */
    public final Answer answer(final String function) {
        return answers.getOrDefault(function, DONE);
    }

    /** A function of that name. */
    public Optional<MemorySegment> find(final String name) {
        final MemorySegment stub = stubs.get(name);
        if (stub != null) {
            return Optional.of(stub);
        }
        try {
            final FunctionDescriptor descriptor =
                (FunctionDescriptor) Class.forName(bindings).getMethod(name + "$descriptor").invoke(null);
            return Optional.of(function(name, descriptor));
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    /** One that no library exports, for a table of function pointers. */
    public final MemorySegment function(final String name, final FunctionDescriptor descriptor) {
        try {
            final MethodType type = descriptor.toMethodType();
            final MethodHandle target = MethodHandles.insertArguments(MethodHandles.lookup().findVirtual(
                ScriptedFunctions.class, "call",
                MethodType.methodType(Object.class, String.class, Class.class, Object[].class)), 0, this, name,
                type.returnType()).asCollector(Object[].class, type.parameterCount()).asType(type);
            return Linker.nativeLinker().upcallStub(target, descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    /** A function was called, and has done nothing yet. */
    protected void onCall(final String name, final Object[] arguments) {
        // noted already
    }

    private Object call(final String name, final Class<?> type, final Object[] arguments) {
        calls.add(name);
        onCall(name, arguments);
        final long result = answer(name).call(arguments);
        return type == MemorySegment.class ? MemorySegment.ofAddress(result) : (Object) (int) result;
    }

    @Override
    public void close() {
        arena.close();
    }
}
