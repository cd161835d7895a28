package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_parent_domain_init_attr;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parent domains of a device whose functions are written in Java; soft-RoCE has none. */
class ScriptedParentDomainTest {
    private static final long DOMAIN = 0x1000;
    private static final long THREAD = 0x2000;
    private static final long PARENT = 0x3000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment extended = verbs_context.allocate(arena);
    private final MemorySegment context = verbs_context.context(extended);
    private final List<String> calls = new ArrayList<>();
    private long parent = PARENT;
    private int freeResult;

    ScriptedParentDomainTest() {
        ibv_context.abi_compat(context, MemorySegment.ofAddress(-1L));
        verbs_context.sz(extended, verbs_context.sizeof());
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private ParentDomains domains() {
        verbs_context.alloc_td(extended, allocator("allocateThread"));
        verbs_context.dealloc_td(extended, releaser("freeThread"));
        verbs_context.alloc_parent_domain(extended, allocator("allocateParent"));
        return withoutFunctions();
    }

    private ParentDomains withoutFunctions() {
        return new ParentDomains(context.address(), SetupCall.at(
            "ibv_dealloc_pd", releaser("freeDomain").address(), FunctionDescriptor.of(JAVA_INT, ADDRESS)));
    }

    private MemorySegment allocator(final String method) {
        return stub(method, MethodType.methodType(MemorySegment.class, MemorySegment.class, MemorySegment.class),
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    }

    private MemorySegment releaser(final String method) {
        return stub(method, MethodType.methodType(int.class, MemorySegment.class),
            FunctionDescriptor.of(JAVA_INT, ADDRESS));
    }

    private MemorySegment stub(final String method, final MethodType type, final FunctionDescriptor descriptor) {
        try {
            return Linker.nativeLinker().upcallStub(MethodHandles.lookup().bind(this, method, type), descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private MemorySegment allocateThread(final MemorySegment of, final MemorySegment attributes) {
        calls.add("thread");
        return MemorySegment.ofAddress(THREAD);
    }

    private MemorySegment allocateParent(final MemorySegment of, final MemorySegment attributes) {
        final MemorySegment asked = attributes.reinterpret(ibv_parent_domain_init_attr.sizeof());
        calls.add("parent of " + Long.toHexString(ibv_parent_domain_init_attr.pd(asked).address()) + " and "
            + Long.toHexString(ibv_parent_domain_init_attr.td(asked).address()) + " mask "
            + ibv_parent_domain_init_attr.comp_mask(asked));
        return MemorySegment.ofAddress(parent);
    }

    private int freeDomain(final MemorySegment domain) {
        calls.add("free domain " + Long.toHexString(domain.address()));
        return freeResult;
    }

    private int freeThread(final MemorySegment thread) {
        calls.add("free thread " + Long.toHexString(thread.address()));
        return 0;
    }

    @Test
    void shouldExtendADomainByAThreadDomain() {
        final ParentDomains domains = domains();
        final ParentDomains.Handles handles = domains.allocate(DOMAIN);
        domains.freeDomain(handles);
        domains.freeThread(handles);

        assertEquals(new ParentDomains.Handles(PARENT, THREAD), handles);
        assertEquals(
            List.of("thread", "parent of 1000 and 2000 mask 0", "free domain 3000", "free thread 2000"), calls);
    }

    @Test
    void shouldLeaveNoThreadDomainBehindWhenThereIsNoParent() {
        parent = 0;

        final VerbsException failure = assertThrows(VerbsException.class, () -> domains().allocate(DOMAIN));

        assertTrue(failure.getMessage().startsWith("ibv_alloc_parent_domain"), failure.getMessage());
        assertEquals(List.of("thread", "parent of 1000 and 2000 mask 0", "free thread 2000"), calls);
    }

    @Test
    void shouldTellWhetherTheDeviceHasThem() {
        assertFalse(withoutFunctions().areSupported(DOMAIN));
        assertTrue(domains().areSupported(DOMAIN));
        parent = 0;
        assertFalse(domains().areSupported(DOMAIN));
    }

    @Test
    void shouldKeepADomainThatIsInUse() {
        final ParentDomains domains = domains();
        freeResult = Errno.EBUSY;

        final VerbsException failure = assertThrows(
            VerbsException.class, () -> domains.freeDomain(new ParentDomains.Handles(PARENT, THREAD)));

        assertEquals(Errno.EBUSY, failure.errno());
        assertEquals(List.of("free domain 3000"), calls);
    }
}
