package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Creates the completion queues of a device by the interface that was chosen for it. */
final class CompletionQueueFactory {
    /** Bits of {@code IBV_WC_EX_WITH_*} that the object model knows. */
    private static final int KNOWN_FIELDS = 12;
    private static final FunctionDescriptor CREATE =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

    private final VerbsDevice device;
    /** {@code ibv_create_cq_ex} of this device, or null when it has none. */
    private final SetupCall createExtended;
    private final CompletionChoice choice;

    CompletionQueueFactory(final VerbsDevice device, final CompletionInterface asked) {
        this.device = device;
        final long function = ExtendedContext.operation(device.context(), verbs_context.create_cq_ex$offset());
        createExtended = function == 0 ? null : SetupCall.at("ibv_create_cq_ex", function, CREATE);
        choice = CompletionChoice.of(
            asked, device.isSoftRoce(), NativeLibraries.instance().version(), createExtended != null && works(0));
    }

    CompletionChoice choice() {
        return choice;
    }

    /** The fields that completion queues of this device can make readable; creates and destroys some to find out. */
    int fields() {
        if (choice.chosen() == CompletionInterface.LEGACY) {
            return LegacyCompletionQueue.FIELDS;
        }
        int fields = 0;
        for (int i = 0; i < KNOWN_FIELDS; i++) {
            fields |= works(1 << i) ? 1 << i : 0;
        }
        return fields;
    }

    private boolean works(final int fields) {
        final SetupCall.Result result = create(1, fields, 0);
        if (result.value() == 0) {
            return false;
        }
        device.verbs().destroyCq.invoke(result.value());
        return true;
    }

    private SetupCall.Result create(final int capacity, final int fields, final long channel) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_cq_init_attr_ex.allocate(arena);
            ibv_cq_init_attr_ex.cqe(attributes, capacity);
            ibv_cq_init_attr_ex.channel(attributes, MemorySegment.ofAddress(channel));
            ibv_cq_init_attr_ex.wc_flags(attributes, fields);
            return createExtended.invoke(device.context(), attributes);
        }
    }

    CompletionQueue create(final CompletionQueueAttributes attributes) {
        final int max = device.attributes().maxCompletionQueueEntries();
        if (attributes.capacity() < 1 || attributes.capacity() > max) {
            throw new VerbsException("ibv_create_cq_ex", Errno.EINVAL,
                "capacity=" + attributes.capacity() + " is not in 1.." + max);
        }
        final int supported = device.attributes().completionFields();
        if ((attributes.fields() & ~supported) != 0) {
            throw new VerbsException("ibv_create_cq_ex", Errno.EOPNOTSUPP, "fields=0x"
                + Integer.toHexString(attributes.fields()) + " are not all among the readable ones, 0x"
                + Integer.toHexString(supported));
        }
        final VerbsCompletionQueue queue = choice.chosen() == CompletionInterface.EXTENDED
            ? createExtended(attributes) : createLegacy(attributes);
        device.add(queue);
        return queue;
    }

    private long channel(final CompletionQueueAttributes attributes) {
        if (attributes.channel() == null) {
            return 0;
        }
        if (attributes.channel() instanceof VerbsChannel own && own.device() == device) {
            return own.handle();
        }
        throw new VerbsException(
            "ibv_create_cq_ex", Errno.EINVAL, "the completion channel is none of device " + device.name());
    }

    private VerbsCompletionQueue createExtended(final CompletionQueueAttributes attributes) {
        final int batch = Math.min(attributes.capacity(), ExtendedCompletionQueue.MAX_BATCH);
        final int entries =
            Math.min(attributes.capacity() + batch, device.attributes().maxCompletionQueueEntries());
        final SetupCall.Result result = create(entries, attributes.fields(), channel(attributes));
        if (result.value() == 0) {
            throw createExtended.failure(
                result.errno(), "no completion queue with capacity=" + attributes.capacity());
        }
        return new ExtendedCompletionQueue(device, result.value(), attributes.fields(),
            device.operation(ibv_context_ops.req_notify_cq$offset()), batch);
    }

    private VerbsCompletionQueue createLegacy(final CompletionQueueAttributes attributes) {
        final long queue = device.verbs().createCq.pointer(
            "no completion queue with capacity=" + attributes.capacity(),
            device.context(), attributes.capacity(), 0L, channel(attributes), 0);
        return new LegacyCompletionQueue(device, queue, attributes.fields(),
            device.operation(ibv_context_ops.req_notify_cq$offset()),
            device.operation(ibv_context_ops.poll_cq$offset()));
    }
}
