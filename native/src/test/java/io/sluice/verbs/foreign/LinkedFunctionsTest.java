package io.sluice.verbs.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LinkedFunctionsTest {
    /** One function. */
    private static final class OneFunction extends LinkedFunctions {
        private final SetupCall call;

        private OneFunction(
            final SymbolLookup symbols, final String name, final Supplier<FunctionDescriptor> descriptor) {
            super(new NativeLibraries(symbols, LibraryVersion.UNKNOWN));
            call = link(name, descriptor);
        }
    }

    @Test
    void shouldLinkAFunction() {
        final SetupCall call = new OneFunction(
            Linker.nativeLinker().defaultLookup(), "getpid", () -> FunctionDescriptor.of(JAVA_INT)).call;

        assertEquals("getpid", call.name());
        assertEquals(ProcessHandle.current().pid(), call.invoke().value());
    }

    /** The class of a generated binding fails where its function is not there. */
    @Test
    void shouldNotAskForTheDescriptorOfAFunctionThatIsMissing() {
        final VerbsException e = assertThrows(VerbsException.class, () ->
            new OneFunction(name -> Optional.empty(), "ibv_not_there", () -> {
                throw new ExceptionInInitializerError("asked for");
            }));

        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().startsWith("ibv_not_there: the RDMA libraries (rdma-core of unknown version) have no"
            + " such function: install rdma-core 44 or later"), e.getMessage());
    }
}
