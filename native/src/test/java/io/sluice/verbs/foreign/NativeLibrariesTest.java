package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeLibrariesTest {
    private static final String ARCHITECTURE = System.getProperty("os.arch");

    private static void assumeProvenPlatform() {
        assumeTrue("Linux".equals(System.getProperty("os.name")), "this is not Linux");
        assumeTrue(NativeLibraries.PROVEN_ARCHITECTURE.equals(ARCHITECTURE), "this is not x86-64");
    }

    private static void assumeLibraries() {
        assumeProvenPlatform();
        PresentLibraries.assume();
    }

    @Test
    void shouldSayWhichPackagesBringAMissingLibrary() {
        assumeProvenPlatform();

        final VerbsException e = assertThrows(VerbsException.class, () ->
            NativeLibraries.load("Linux", ARCHITECTURE, "libnothere.so.1", NativeLibraries.CONNECTION_MANAGER));

        assertEquals(Errno.ENOENT, e.errno());
        assertEquals("dlopen: libnothere.so.1 is not installed: install libibverbs1 and ibverbs-providers (Debian: apt"
            + " install libibverbs1 ibverbs-providers), or use the software device (sluice:ipc) (errno=2 ENOENT)",
            e.getMessage());
    }

    @Test
    void shouldSayThatTheConnectionManagersLibraryIsMissing() {
        assumeLibraries();

        final VerbsException e = assertThrows(VerbsException.class, () ->
            NativeLibraries.load("Linux", ARCHITECTURE, NativeLibraries.VERBS, "libnothere.so.1"));

        assertTrue(e.getMessage().contains("apt install librdmacm1"), e.getMessage());
    }

    @Test
    void shouldSayThatItNeedsLinux() {
        final VerbsException e = assertThrows(VerbsException.class, () -> NativeLibraries.load(
            "Mac OS X", ARCHITECTURE, NativeLibraries.VERBS, NativeLibraries.CONNECTION_MANAGER));

        assertTrue(e.getMessage().contains("RDMA needs Linux, and this is Mac OS X"), e.getMessage());
    }

    @Test
    void shouldRefuseAPlatformWhoseLayoutsAreNotProven() {
        final VerbsException e = assertThrows(VerbsException.class, () -> NativeLibraries.load(
            "Linux", "riscv64", NativeLibraries.VERBS, NativeLibraries.CONNECTION_MANAGER));

        assertTrue(e.getMessage().contains("riscv64"), e.getMessage());
    }

    @Test
    void shouldNameTheFlagThatGivesNativeAccess() throws IOException {
        assumeProvenPlatform();
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(NativeLibrariesTest.class)) {
            final String message = child.readLine();

            assertTrue(message.contains("--enable-native-access=ALL-UNNAMED"), message);
        }
    }

    /** The child: says why the libraries cannot be had. */
    public static void main(final String[] arguments) {
        try {
            NativeLibraries.instance();
            System.out.println("loaded");
        } catch (final VerbsException e) {
            System.out.println(e.getMessage());
        }
    }

    @Test
    void shouldKnowTheVersionOfWhatIsLoaded() {
        assumeLibraries();

        assertTrue(NativeLibraries.instance().version().major() >= 44, NativeLibraries.instance().version().toString());
    }

    @Test
    void shouldNameAFunctionThatIsMissing() {
        assumeLibraries();

        final VerbsException e =
            assertThrows(VerbsException.class, () -> NativeLibraries.instance().find("ibv_not_there"));

        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().startsWith("ibv_not_there: "), e.getMessage());
    }

    @Test
    void shouldSayWhichPackageBringsALibraryThatUsesThese() {
        assumeLibraries();

        final VerbsException e = assertThrows(VerbsException.class, () ->
            NativeLibraries.instance().with("libnothere.so.0", "librpma0", "librpma 1.2"));

        assertEquals(Errno.ENOENT, e.errno());
        assertEquals("dlopen: libnothere.so.0 is not installed: install librpma0 (Debian: apt install librpma0)"
            + " (errno=2 ENOENT)", e.getMessage());
    }

    /** librdmacm is one: it uses libibverbs. */
    @Test
    void shouldSayWhichReleaseOfALibraryHasAllFunctions() {
        assumeLibraries();
        final NativeLibraries libraries =
            NativeLibraries.instance().with(NativeLibraries.CONNECTION_MANAGER, "librdmacm1", "rdma-core 44");

        assertNotEquals(0, libraries.find("rdma_create_id").address());
        assertFalse(libraries.version().isKnown());
        final VerbsException e = assertThrows(VerbsException.class, () -> libraries.find("rdma_not_there"));
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().startsWith(
            "rdma_not_there: librdmacm.so.1 has no such function: install rdma-core 44 or later"), e.getMessage());
    }

    /** A program that forks no children has no use for it, and a recent kernel none either. */
    @Test
    void shouldOnlyWarnWhenMemoryCannotBeKeptFromChildren() {
        final List<String> warnings = new ArrayList<>();
        try (ScriptedFunctions functions = new ScriptedFunctions("")) {
            final NativeLibraries libraries = new NativeLibraries(name -> Optional.of(functions.function(
                name, FunctionDescriptor.of(ValueLayout.JAVA_INT))), LibraryVersion.UNKNOWN);
            NativeLibraries.keepFromChildren(libraries, warnings::add);
            assertEquals(List.of(), warnings);
            functions.answer("ibv_fork_init", Remedies.ENOSYS);

            NativeLibraries.keepFromChildren(libraries, warnings::add);

            assertEquals(List.of("ibv_fork_init", "ibv_fork_init"), functions.calls);
        }
        assertEquals(1, warnings.size());
        assertEquals("ibv_fork_init: memory of RDMA is not kept from children of this process: fork none without"
            + " running another program at once, or use Linux 5.12 or later (errno=38 ENOSYS)", warnings.getFirst());
    }

    @Test
    void shouldSayWhyThereIsNoDevice() {
        final String reason = DeviceFixtures.whyNoRdma();
        assumeTrue(!reason.isEmpty(), "there is a device");

        assertFalse(reason.isBlank());
        assertTrue(reason.contains("install") || reason.contains("native/lab") || reason.contains("no RDMA device")
            || reason.contains("software device"), reason);
    }

    @Test
    void shouldReadTheVersionFromTheNameOfTheFile() {
        assertEquals(new LibraryVersion(44, 0), LibraryVersion.parse("libibverbs.so.1.14.44.0"));
        assertEquals(new LibraryVersion(56, 1), LibraryVersion.parse("libibverbs.so.1.14.56.1"));
        assertEquals(LibraryVersion.UNKNOWN, LibraryVersion.parse("libibverbs.so.1"));
        assertEquals("44.0", new LibraryVersion(44, 0).toString());
        assertEquals("of unknown version", LibraryVersion.UNKNOWN.toString());
    }

    @Test
    void shouldFindTheFileAmongTheMappings() {
        final List<String> lines = List.of(
            "7f00-7f01 r--p 00000000 08:01 11 /usr/lib/libc.so.6",
            "7f01-7f02 r--p 00000000 08:01 12",
            "7f02-7f03 r-xp 00000000 08:01 13 /usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0");

        assertEquals(new LibraryVersion(44, 0), LibraryVersion.ofMappings(lines, NativeLibraries.VERBS));
        assertEquals(LibraryVersion.UNKNOWN, LibraryVersion.ofMappings(lines, NativeLibraries.CONNECTION_MANAGER));
    }
}
