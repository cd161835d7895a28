package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/**
 * libibverbs and librdmacm as this process has loaded them, by the names that machines without development packages
 * have. Any thread may call.
 */
final class NativeLibraries {
    static final String VERBS = "libibverbs.so.1";
    static final String CONNECTION_MANAGER = "librdmacm.so.1";
    /** Layouts of structs are proven on it only; elsewhere a mutex inside of them has another size. */
    static final String PROVEN_ARCHITECTURE = "amd64";

    private static final String CALL = "dlopen";
    private static NativeLibraries instance;

    private final SymbolLookup symbols;
    private final LibraryVersion version;

    NativeLibraries(final SymbolLookup symbols, final LibraryVersion version) {
        this.symbols = symbols;
        this.version = version;
    }

    /**
     * The libraries, loaded at the first call.
     *
     * @throws VerbsException with what to do when they cannot be used here.
     */
    static synchronized NativeLibraries instance() {
        if (instance == null) {
            instance = load(System.getProperty("os.name"), System.getProperty("os.arch"), VERBS, CONNECTION_MANAGER);
        }
        return instance;
    }

    static NativeLibraries load(
        final String system, final String architecture, final String verbs, final String connectionManager) {
        if (!"Linux".equals(system)) {
            throw new VerbsException(CALL, 0, "RDMA needs Linux, and this is " + system + ": use the software device");
        }
        if (!PROVEN_ARCHITECTURE.equals(architecture)) {
            throw new VerbsException(CALL, 0, "the layouts of verbs structs are proven on " + PROVEN_ARCHITECTURE
                + " only, and this is " + architecture + ": use the software device");
        }
        final SymbolLookup first = open(verbs, "libibverbs1 and ibverbs-providers");
        final SymbolLookup second = open(connectionManager, "librdmacm1");
        final NativeLibraries libraries = new NativeLibraries(first.or(second), LibraryVersion.ofLoaded(verbs));
        // Memory that a device reads and writes must stay this process's own when it forks.
        SetupCall.of(libraries, "ibv_fork_init", FunctionDescriptor.of(ValueLayout.JAVA_INT))
            .check("memory cannot be kept from children of this process");
        return libraries;
    }

    private static SymbolLookup open(final String name, final String packages) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (final IllegalCallerException e) {
            throw new VerbsException(CALL, Errno.EACCES, "RDMA needs native access: start the JVM with"
                + " --enable-native-access=ALL-UNNAMED (class path) or =io.sluice.verbs (module path)", e);
        } catch (final IllegalArgumentException e) {
            throw new VerbsException(CALL, Errno.ENOENT, name + " is not installed: install " + packages
                + " (Debian: apt install " + packages.replace(" and ", " ") + "), or use the software device", e);
        }
    }

    /** Which rdma-core the libraries are of. */
    LibraryVersion version() {
        return version;
    }

    /**
     * Address of a function.
     *
     * @throws VerbsException when this version of the libraries has none of that name.
     */
    MemorySegment find(final String function) {
        return symbols.find(function).orElseThrow(() -> new VerbsException(function, Errno.EOPNOTSUPP,
            "the RDMA libraries (rdma-core " + version + ") have no such function: install rdma-core 44 or later"));
    }

    static Linker linker() {
        return Linker.nativeLinker();
    }
}
