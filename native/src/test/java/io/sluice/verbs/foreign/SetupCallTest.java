package io.sluice.verbs.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import org.junit.jupiter.api.Test;

class SetupCallTest {
    private static final int EBADF = 9;
    private static final int EINVAL = 22;
    private static final long TOO_MUCH = Long.MAX_VALUE;

    private static SetupCall of(final String name, final FunctionDescriptor descriptor) {
        return SetupCall.at(
            name, Linker.nativeLinker().defaultLookup().find(name).orElseThrow().address(), descriptor);
    }

    @Test
    void shouldCaptureTheErrorOfACallThatReturnsMinusOne() {
        final SetupCall close = of("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

        final VerbsException e = assertThrows(VerbsException.class, () -> close.check("descriptor -1 stays", -1));

        assertEquals(EBADF, e.errno());
        assertEquals("close: descriptor -1 stays (errno=9 EBADF)", e.getMessage());
    }

    @Test
    void shouldTakeAnErrorNumberThatIsTheResult() {
        final SetupCall align =
            of("posix_memalign", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

        assertEquals(EINVAL, align.invoke(0L, 3L, 8L).error());
        assertEquals(EINVAL, assertThrows(VerbsException.class, () -> align.check("no", 0L, 3L, 8L)).errno());
    }

    @Test
    void shouldTurnNullIntoAnException() {
        final SetupCall malloc = of("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));

        final VerbsException e =
            assertThrows(VerbsException.class, () -> malloc.pointer("no " + TOO_MUCH + " bytes", TOO_MUCH));

        assertEquals(Errno.ENOMEM, e.errno());
    }

    @Test
    void shouldPassPointersAsAddresses() {
        final SetupCall malloc = of("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
        final SetupCall free = of("free", FunctionDescriptor.ofVoid(ADDRESS));

        assertEquals(0, free.invoke(malloc.pointer("memory", 8L)).error());
    }
}
