package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.foreign.WorkRecord;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Creates the completion queues of a device by the interface that was chosen for it. */
final class CompletionQueueFactory {
    /** Bits of {@code IBV_WC_EX_WITH_*} that the object model knows. */
    private static final int KNOWN_FIELDS = 12;
    /** The fields of a completion without which messages cannot be received. */
    private static final int MESSAGE_FIELDS =
        CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER;
    private static final String CREATE_CALL = "ibv_create_cq_ex";
    private static final FunctionDescriptor CREATE =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

    private final DeviceContext device;
    private final CompletionQueueTable queues;
    private final Examination examination;
    /** {@code ibv_create_cq_ex} of this device, or null when it has none. */
    private final SetupCall createExtended;
    private final CompletionChoice choice;
    /** Flags of each extended queue: one thread polls, and others are kept out of what it reads (withoutPoller). */
    private final int ownFlags;
    private final boolean armsOnce;

    /**
     * Create the factory of a device.
     *
     * @param queues      those that it makes are in.
     * @param examination told of failed work.
     */
    CompletionQueueFactory(
        final DeviceContext device, final CompletionQueueTable queues, final Examination examination) {
        this.device = device;
        this.queues = queues;
        this.examination = examination;
        final CompletionInterface asked = device.options().completionInterface();
        final long function = ExtendedContext.operation(device.address(), verbs_context.create_cq_ex$offset());
        createExtended = function == 0 ? null : SetupCall.at(CREATE_CALL, function, CREATE);
        final boolean hasExtended = createExtended != null && works(0, 0);
        final boolean hasLockFree = hasExtended
            && device.vendor().isLockFreeForOneThread()
            && works(0, CompletionQueueFlags.SINGLE_THREADED);
        ownFlags = hasLockFree ? CompletionQueueFlags.SINGLE_THREADED : CompletionQueueFlags.NONE;
        armsOnce = device.vendor().losesRepeatedArming();
        final CompletionChoice first = CompletionChoice.of(
            asked, device.vendor().isSoftRoce(), device.verbs().libraries().version(), hasExtended, hasLockFree);
        choice = first.chosen() == CompletionInterface.EXTENDED
            ? first.without(asked, MESSAGE_FIELDS & ~granted(MESSAGE_FIELDS)) : first;
    }

    CompletionChoice choice() {
        return choice;
    }

    /** The fields that completion queues of this device can make readable; creates and destroys some to find out. */
    int fields() {
        if (choice.chosen() == CompletionInterface.LEGACY) {
            return WorkRecord.FIELDS;
        }
        return granted((1 << KNOWN_FIELDS) - 1);
    }

    private int granted(final int fields) {
        int granted = 0;
        for (int left = fields; left != 0; left &= left - 1) {
            final int field = Integer.lowestOneBit(left);
            granted |= works(field, 0) ? field : 0;
        }
        return granted;
    }

    /** The flags that completion queues of this device can be created with, found out in the same way. */
    int flags() {
        if (choice.chosen() == CompletionInterface.LEGACY) {
            return CompletionQueueFlags.NONE;
        }
        int flags = CompletionQueueFlags.NONE;
        for (final int flag : new int[] {CompletionQueueFlags.SINGLE_THREADED, CompletionQueueFlags.IGNORE_OVERRUN}) {
            flags |= works(0, flag) ? flag : 0;
        }
        return flags;
    }

    private boolean works(final int fields, final int flags) {
        return device.trials().works("fields=" + fields + " flags=" + flags, () -> canCreate(fields, flags));
    }

    private boolean canCreate(final int fields, final int flags) {
        final SetupCall.Result result =
            create(new CompletionQueueAttributes(1, fields, null).withFlags(flags), 1, 0, 0);
        if (result.value() == 0) {
            return false;
        }
        device.verbs().destroyCq.invoke(result.value());
        return true;
    }

    private SetupCall.Result create(
        final CompletionQueueAttributes asked, final int entries, final long channel, final long parentDomain) {
        try (Arena arena = Arena.ofConfined()) {
            return createExtended.invoke(device.address(), encode(arena, asked, entries, channel, parentDomain));
        }
    }

    /** Attributes that {@code ibv_create_cq_ex} is given; a field that is not in use is not in the mask either. */
    static MemorySegment encode(
        final Arena arena,
        final CompletionQueueAttributes asked,
        final int entries,
        final long channel,
        final long parentDomain) {
        final MemorySegment attributes = ibv_cq_init_attr_ex.allocate(arena);
        ibv_cq_init_attr_ex.cqe(attributes, entries);
        ibv_cq_init_attr_ex.channel(attributes, MemorySegment.ofAddress(channel));
        ibv_cq_init_attr_ex.comp_vector(attributes, asked.vector());
        ibv_cq_init_attr_ex.wc_flags(attributes, asked.fields());
        int mask = 0;
        if (asked.flags() != CompletionQueueFlags.NONE) {
            mask |= rdma_constants.IBV_CQ_INIT_ATTR_MASK_FLAGS();
            ibv_cq_init_attr_ex.flags(attributes, asked.flags());
        }
        if (parentDomain != 0) {
            mask |= rdma_constants.IBV_CQ_INIT_ATTR_MASK_PD();
            ibv_cq_init_attr_ex.parent_domain(attributes, MemorySegment.ofAddress(parentDomain));
        }
        ibv_cq_init_attr_ex.comp_mask(attributes, mask);
        return attributes;
    }

    CompletionQueue create(final CompletionQueueAttributes attributes) {
        check(attributes, device.attributes(), choice.chosen());
        final VerbsChannel channel = channel(attributes);
        if (channel == null) {
            return createAttached(attributes, 0);
        }
        channel.attach();
        try {
            return createAttached(attributes, channel.handle());
        } catch (final RuntimeException e) {
            channel.detach();
            throw e;
        }
    }

    private VerbsCompletionQueue createAttached(final CompletionQueueAttributes attributes, final long channel) {
        final VerbsDomain parent = parentDomain(attributes);
        final VerbsCompletionQueue queue = parent == null ? createChosen(attributes, channel, 0)
            : parent.whileOpen(CREATE_CALL, () -> createChosen(attributes, channel, parent.handle()));
        if (armsOnce) {
            queue.armOnce();
        }
        queues.add(queue);
        device.objects().onCreated(DeviceObjects.Kind.COMPLETION_QUEUE);
        return queue;
    }

    private VerbsCompletionQueue createChosen(
        final CompletionQueueAttributes attributes, final long channel, final long parentDomain) {
        return choice.chosen() == CompletionInterface.EXTENDED
            ? createExtended(attributes, channel, parentDomain) : createLegacy(attributes, channel);
    }

    /** Refuse by name, before the device is asked, what it is known not to have. */
    static void check(
        final CompletionQueueAttributes asked, final DeviceAttributes device, final CompletionInterface chosen) {
        checkRange("capacity", asked.capacity(), 1, device.maxCompletionQueueEntries());
        checkRange("vector", asked.vector(), 0, device.completionVectors() - 1);
        final int fields = asked.fields() & ~device.completionFields();
        final int flags = asked.flags() & ~device.completionQueueFlags();
        if (fields != 0 || flags != 0) {
            throw new VerbsException(CREATE_CALL, Errno.EOPNOTSUPP, "this device does not have "
                + (fields != 0 ? "fields=" + CompletionField.describe(fields)
                    : "flags=" + CompletionQueueFlags.describe(flags)) + ": leave them out");
        }
        if (asked.parentDomain() != null && !device.parentDomains()) {
            throw new VerbsException(
                CREATE_CALL, Errno.EOPNOTSUPP, "parentDomain: this device has no parent domains, use none");
        }
        if (asked.parentDomain() != null && chosen == CompletionInterface.LEGACY) {
            throw new VerbsException(CREATE_CALL, Errno.EOPNOTSUPP,
                "parentDomain needs extended completion queues, and this device is used with legacy ones: use none");
        }
    }

    private static void checkRange(final String name, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw new VerbsException(
                CREATE_CALL, Errno.EINVAL, name + "=" + value + " is not in " + min + ".." + max);
        }
    }

    /** The parent domain asked for, or null when none is. */
    private VerbsDomain parentDomain(final CompletionQueueAttributes attributes) {
        if (attributes.parentDomain() == null) {
            return null;
        }
        if (attributes.parentDomain() instanceof VerbsDomain own && own.device() == device
            && own.isParentDomain()) {
            return own;
        }
        throw new VerbsException(
            CREATE_CALL, Errno.EINVAL, "parentDomain is no parent domain of device " + device.name());
    }

    private VerbsChannel channel(final CompletionQueueAttributes attributes) {
        if (attributes.channel() == null) {
            return null;
        }
        if (attributes.channel() instanceof VerbsChannel own && own.device() == device) {
            return own;
        }
        throw new VerbsException(
            CREATE_CALL, Errno.EINVAL, "the completion channel is none of device " + device.name());
    }

    private VerbsCompletionQueue createExtended(
        final CompletionQueueAttributes attributes, final long channel, final long parentDomain) {
        final int batch = Math.min(attributes.capacity(), ExtendedCompletionQueue.MAX_BATCH);
        final int entries =
            Math.min(attributes.capacity() + batch, device.attributes().maxCompletionQueueEntries());
        final SetupCall.Result result = create(withOwn(attributes), entries, channel, parentDomain);
        if (result.value() == 0) {
            throw createExtended.failure(
                result.errno(), "no completion queue with capacity=" + attributes.capacity());
        }
        try {
            final ExtendedCompletionQueue queue = new ExtendedCompletionQueue(device, queues, result.value(),
                attributes, requestNotify(channel), batch, examination::onFailedWork);
            if (device.vendor().forgetsQueuePairs()) {
                queue.passForgotten();
            }
            return queue;
        } catch (final RuntimeException e) {
            // It lacks a function that it must have.
            device.verbs().destroyCq.invoke(result.value());
            throw e;
        }
    }

    /**
     * Attributes with what the provider needs itself: the queue pair is asked for its state whose work has failed, and
     * requests that are built are counted by queue pair. The number costs nothing: it is a function of its own, which
     * nobody calls on success, of all providers (mlx5/cq.c:1690, mlx4/cq.c:628, efa/verbs.c:1169, rxe/rxe.c:466).
     */
    private CompletionQueueAttributes withOwn(final CompletionQueueAttributes asked) {
        return new CompletionQueueAttributes(
            asked.capacity(), asked.fields() | CompletionField.QUEUE_PAIR_NUMBER, asked.channel(),
            asked.vector(), asked.flags() | ownFlags, asked.parentDomain(), asked.context());
    }

    private VerbsCompletionQueue createLegacy(final CompletionQueueAttributes attributes, final long channel) {
        final long queue = device.verbs().createCq.pointer(
            "no completion queue with capacity=" + attributes.capacity(),
            device.address(), attributes.capacity(), 0L, channel, attributes.vector());
        final LegacyCompletionQueue made = new LegacyCompletionQueue(device, queues, queue, attributes,
            requestNotify(channel), device.operation(ibv_context_ops.poll_cq$offset()),
            device.posting().areAllPlain(), examination);
        if (device.vendor().forgetsQueuePairs()) {
            made.passForgotten();
        }
        return made;
    }

    /**
     * Finds the function that arms a queue, or 0: one without a channel has nobody to notify, and some devices refuse
     * to arm it, efa may write to no doorbell.
     */
    private long requestNotify(final long channel) {
        return channel == 0 ? 0 : device.operation(ibv_context_ops.req_notify_cq$offset());
    }
}
