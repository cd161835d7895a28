package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_parent_domain_init_attr;
import io.sluice.verbs.rdma.generated.ibv_td_init_attr;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Set-up: thread domains and parent domains of a device, whose verbs are {@code static inline} in the header. */
final class ParentDomains {
    private static final FunctionDescriptor ALLOCATE =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final FunctionDescriptor FREE =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);

    private final long context;
    private final SetupCall deallocateDomain;
    /** The call that allocates a thread domain; null when library or device lacks one of them. */
    private final SetupCall allocateThread;
    private final SetupCall freeThread;
    private final SetupCall allocateParent;

    /**
     * The functions of a device.
     *
     * @param context          address of its {@code ibv_context}.
     * @param deallocateDomain {@code ibv_dealloc_pd}.
     */
    ParentDomains(final long context, final SetupCall deallocateDomain) {
        this.context = context;
        this.deallocateDomain = deallocateDomain;
        allocateThread = find("ibv_alloc_td", verbs_context.alloc_td$offset(), ALLOCATE);
        freeThread = find("ibv_dealloc_td", verbs_context.dealloc_td$offset(), FREE);
        allocateParent = find("ibv_alloc_parent_domain", verbs_context.alloc_parent_domain$offset(), ALLOCATE);
    }

    private SetupCall find(final String name, final long offset, final FunctionDescriptor descriptor) {
        final long function = ExtendedContext.operation(context, offset);
        return function == 0 ? null : SetupCall.at(name, function, descriptor);
    }

    /** Whether the device has them; one that does not may have functions that say so. */
    boolean areSupported(final long domain) {
        if (allocateThread == null || freeThread == null || allocateParent == null) {
            return false;
        }
        try {
            final Handles handles = allocate(domain);
            freeDomain(handles);
            freeThread(handles);
            return true;
        } catch (final VerbsException e) {
            return false;
        }
    }

    /**
     * A parent domain with a thread domain of its own.
     *
     * @param domain address of the {@code ibv_pd} that it extends.
     */
    Handles allocate(final long domain) {
        try (Arena arena = Arena.ofConfined()) {
            final long thread =
                allocateThread.pointer("no thread domain", context, ibv_td_init_attr.allocate(arena));
            final MemorySegment attributes = ibv_parent_domain_init_attr.allocate(arena);
            ibv_parent_domain_init_attr.pd(attributes, MemorySegment.ofAddress(domain));
            ibv_parent_domain_init_attr.td(attributes, MemorySegment.ofAddress(thread));
            final SetupCall.Result parent = allocateParent.invoke(context, attributes);
            if (parent.value() == 0) {
                freeThread.invoke(thread);
                throw allocateParent.failure(parent.errno(), "no parent domain");
            }
            return new Handles(parent.value(), thread);
        }
    }

    /** Frees the parent domain, which is the first step; refused while the domain is in use. */
    void freeDomain(final Handles handles) {
        deallocateDomain.check("the parent domain is in use: close what was created in it first", handles.domain);
    }

    /** Frees the thread domain, when the parent domain is gone. */
    void freeThread(final Handles handles) {
        freeThread.check("the thread domain stays", handles.thread);
    }

    static VerbsException unsupported(final String device) {
        return new VerbsException("ibv_alloc_parent_domain", Errno.EOPNOTSUPP,
            "device " + device + " has no parent domains: use the protection domain itself");
    }

    /**
     * Addresses of a parent domain and of its thread domain.
     *
     * @param domain its {@code ibv_pd}.
     * @param thread its {@code ibv_td}.
     */
    record Handles(long domain, long thread) {
    }
}
