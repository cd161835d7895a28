package io.sluice.verbs.rdma;

import java.lang.foreign.FunctionDescriptor;

/** Exported functions of a native library, each linked when its field is made. Any thread may call them. */
abstract class LinkedFunctions {
    private final NativeLibraries libraries;

    LinkedFunctions(final NativeLibraries libraries) {
        this.libraries = libraries;
    }

    final NativeLibraries libraries() {
        return libraries;
    }

    final SetupCall link(final String name, final FunctionDescriptor descriptor) {
        return SetupCall.of(libraries, name, descriptor);
    }
}
