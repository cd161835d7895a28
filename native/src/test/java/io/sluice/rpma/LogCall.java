package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Calls a function of librpma's log as the library does: with variable arguments. Any thread. */
final class LogCall {
    static final int LINE = 42;
    static final String FUNCTION = "rpma_function";
    private static final int FIXED_ARGUMENTS = 5;
    private static final int MAX_TEXT_LENGTH = 256;

    private LogCall() {
    }

    /**
     * Log a message.
     *
     * @param file   of the source; null for none.
     * @param values strings, ints and longs for the format.
     */
    static void log(
        final MemorySegment function, final int level, final String file, final String format, final Object... values) {
        try (Arena arena = Arena.ofConfined()) {
            final List<MemoryLayout> layouts = new ArrayList<>(List.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
            final List<Object> arguments = new ArrayList<>(List.of(level, text(arena, file), LINE,
                text(arena, file == null ? null : FUNCTION), arena.allocateFrom(format)));
            for (final Object value : values) {
                layouts.add(value instanceof String ? ADDRESS : value instanceof Integer ? JAVA_INT : JAVA_LONG);
                arguments.add(value instanceof String string ? arena.allocateFrom(string) : value);
            }
            Linker.nativeLinker().downcallHandle(function,
                    FunctionDescriptor.ofVoid(layouts.toArray(MemoryLayout[]::new)),
                    Linker.Option.firstVariadicArg(FIXED_ARGUMENTS))
                .invokeWithArguments(arguments);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static MemorySegment text(final Arena arena, final String text) {
        return text == null ? MemorySegment.NULL : arena.allocateFrom(text);
    }

    /** The C library's text of an error number in this locale. */
    static String errorText(final int errno) {
        final Linker linker = Linker.nativeLinker();
        try {
            final MemorySegment text = (MemorySegment) linker.downcallHandle(
                linker.defaultLookup().find("strerror").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_INT))
                .invokeExact(errno);
            return text.reinterpret(MAX_TEXT_LENGTH).getString(0);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }
}
