package io.sluice.verbs.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.util.function.Supplier;

/** Exported functions of a native library, each linked when its field is made. Any thread may call them. */
public abstract class LinkedFunctions {
    private final NativeLibraries libraries;

    /**
     * Link functions of some libraries.
     *
     * @param libraries that have the functions.
     */
    protected LinkedFunctions(final NativeLibraries libraries) {
        this.libraries = libraries;
    }

    /**
     * The libraries that the functions come from.
     *
     * @return the libraries.
     */
    public final NativeLibraries libraries() {
        return libraries;
    }

    /**
     * Link a function. Generated bindings know its descriptor only where it is there, too (else their class of it
     * cannot be initialised), so they are asked after the libraries.
     *
     * @param name       as its manual page has it.
     * @param descriptor gives its arguments and result.
     * @return the linked function.
     * @throws io.sluice.verbs.VerbsException when the libraries have none of that name.
     */
    protected final SetupCall link(final String name, final Supplier<FunctionDescriptor> descriptor) {
        final long address = libraries.find(name).address();
        return SetupCall.at(name, address, descriptor.get());
    }
}
