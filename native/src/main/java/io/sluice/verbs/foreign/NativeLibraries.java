package io.sluice.verbs.foreign;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * libibverbs and librdmacm as this process has loaded them, by the names that machines without development packages
 * have, and {@link #with what is loaded on top of them}. Any thread may call.
 */
public final class NativeLibraries {
    static final String VERBS = "libibverbs.so.1";
    static final String CONNECTION_MANAGER = "librdmacm.so.1";
    /** Layouts of structs are proven on it only; elsewhere a mutex inside of them has another size. */
    static final String PROVEN_ARCHITECTURE = "amd64";

    private static final String CALL = "dlopen";
    private static final String FORK_INIT = "ibv_fork_init";
    private static final String LOGGER = "io.sluice";
    private static final String SOFTWARE_REMEDY = ", or use the software device (sluice:ipc)";
    private static NativeLibraries instance;

    private final SymbolLookup symbols;
    private final LibraryVersion version;
    /** Text about a function that is not there. */
    private final String lack;

    /**
     * The functions of rdma-core from elsewhere: so a test is the device.
     *
     * @param symbols that are there.
     * @param version to tell.
     */
    public NativeLibraries(final SymbolLookup symbols, final LibraryVersion version) {
        this(symbols, version, "the RDMA libraries (rdma-core " + version
            + ") have no such function: install rdma-core 44 or later");
    }

    private NativeLibraries(final SymbolLookup symbols, final LibraryVersion version, final String lack) {
        this.symbols = symbols;
        this.version = version;
        this.lack = lack;
    }

    /**
     * The libraries, loaded at the first call.
     *
     * @return the only ones of this process.
     * @throws VerbsException with what to do when they cannot be used here.
     */
    public static synchronized NativeLibraries instance() {
        if (instance == null) {
            instance = load(System.getProperty("os.name"), System.getProperty("os.arch"), VERBS, CONNECTION_MANAGER);
        }
        return instance;
    }

    static NativeLibraries load(
        final String system, final String architecture, final String verbs, final String connectionManager) {
        if (!"Linux".equals(system)) {
            throw new VerbsException(
                CALL, 0, "RDMA needs Linux, and this is " + system + ": use the software device (sluice:ipc)");
        }
        if (!PROVEN_ARCHITECTURE.equals(architecture)) {
            throw new VerbsException(CALL, 0, "the layouts of verbs structs are proven on " + PROVEN_ARCHITECTURE
                + " only, and this is " + architecture + ": use the software device (sluice:ipc)");
        }
        final SymbolLookup first = open(verbs, "libibverbs1 and ibverbs-providers", SOFTWARE_REMEDY);
        final SymbolLookup second = open(connectionManager, "librdmacm1", SOFTWARE_REMEDY);
        final NativeLibraries libraries = new NativeLibraries(first.or(second), LibraryVersion.ofLoaded(verbs));
        keepFromChildren(libraries, text -> System.getLogger(LOGGER).log(System.Logger.Level.WARNING, text));
        return libraries;
    }

    /**
     * Keeps memory that a device reads and writes from children of this process: it must stay its own when it forks.
     * Most programs fork nothing but to run another program at once, so that a failure of this is no reason to do
     * without RDMA.
     */
    static void keepFromChildren(final NativeLibraries libraries, final Consumer<String> warnings) {
        final int error =
            SetupCall.at(FORK_INIT, libraries.find(FORK_INIT).address(), FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invoke().error();
        if (error != 0) {
            warnings.accept(new VerbsException(FORK_INIT, error, "memory of RDMA is not kept from children of this"
                + " process: fork none without running another program at once, or use Linux 5.12 or later")
                .getMessage());
        }
    }

    /**
     * A library that uses these, loaded after them and so after what they had to be prepared with.
     *
     * @param soname   name of its file, for example {@code "librpma.so.0"}.
     * @param packages that bring it, as Debian names them, for example {@code "librpma0"}.
     * @param oldest   release that has all functions in use, for example {@code "librpma 1.2"}.
     * @return its functions, and those of the libraries that it is linked with; of a version that is not known.
     * @throws VerbsException with what to do when it cannot be loaded.
     */
    public NativeLibraries with(final String soname, final String packages, final String oldest) {
        return new NativeLibraries(open(soname, packages, ""), LibraryVersion.UNKNOWN,
            soname + " has no such function: install " + oldest + " or later");
    }

    private static SymbolLookup open(final String name, final String packages, final String otherRemedy) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (final IllegalCallerException e) {
            throw new VerbsException(CALL, Errno.EACCES, "RDMA needs native access: start the JVM with"
                + " --enable-native-access=ALL-UNNAMED (class path) or =io.sluice.verbs (module path)", e);
        } catch (final IllegalArgumentException e) {
            throw new VerbsException(CALL, Errno.ENOENT, name + " is not installed: install " + packages
                + " (Debian: apt install " + packages.replace(" and ", " ") + ")" + otherRemedy, e);
        }
    }

    /**
     * The version of rdma-core that the libraries are of.
     *
     * @return its version, as far as it is known.
     */
    public LibraryVersion version() {
        return version;
    }

    /**
     * Address of a function.
     *
     * @param function name of it.
     * @return a segment without a length.
     * @throws VerbsException when this version of the libraries has none of that name.
     */
    public MemorySegment find(final String function) {
        return symbols.find(function)
            .orElseThrow(() -> new VerbsException(function, Errno.EOPNOTSUPP, lack));
    }

    static Linker linker() {
        return Linker.nativeLinker();
    }
}
