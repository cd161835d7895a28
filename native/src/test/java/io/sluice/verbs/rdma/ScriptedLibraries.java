package io.sluice.verbs.rdma;

import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.foreign.ScriptedFunctions;
import java.util.function.Function;

/**
 * libibverbs and librdmacm without a device, by a script. Any thread. The bindings look for the real ones all the same,
 * so that a test is skipped where they are missing.
 */
public final class ScriptedLibraries extends ScriptedFunctions {
    /** Files by which the kernel describes devices. */
    Function<String, DeviceFolder> folders = DeviceFolder::of;

    ScriptedLibraries() {
        PresentLibraries.assume();
        super("io.sluice.verbs.rdma.generated.rdma_h");
    }

    VerbsLibrary verbs() {
        return new VerbsLibrary(new NativeLibraries(this::find, LibraryVersion.UNKNOWN), folders);
    }
}
