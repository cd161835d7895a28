package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_qp;
import io.sluice.verbs.rdma.generated.ibv_qp_cap;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.agrona.UnsafeApi;

/** Creates the queue pairs of a device by the interface that was asked for. */
final class QueuePairFactory {
    private static final FunctionDescriptor CREATE =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

    private final DeviceContext device;
    private final QueuePairTable queuePairs;
    private final QueuePairDrain drain;
    /** {@code ibv_create_qp_ex} of this device; null when it is not used. */
    private final SetupCall createExtended;
    /** READs of a queue pair that the device can have at a time, be its send queue ever so long. */
    private final int readPlaces;

    /**
     * Create the factory of a device.
     *
     * @param queuePairs those that it makes are in.
     * @param drain      by which they are destroyed; null when nothing is to be heeded.
     */
    QueuePairFactory(final DeviceContext device, final QueuePairTable queuePairs, final QueuePairDrain drain) {
        this.device = device;
        this.queuePairs = queuePairs;
        this.drain = drain;
        createExtended = device.options().postingInterface() == PostingInterface.BUILDER ? extended(device) : null;
        readPlaces = device.vendor().readPlaces();
    }

    private static SetupCall extended(final DeviceContext device) {
        final long function = ExtendedContext.operation(device.address(), verbs_context.create_qp_ex$offset());
        if (function == 0) {
            throw new VerbsException("ibv_create_qp_ex", Errno.EOPNOTSUPP,
                "device " + device.name() + " has no extended queue pairs: use WORK_REQUESTS");
        }
        if (device.vendor().locksPollsWhileBuilding()) {
            throw new VerbsException("ibv_create_qp_ex", Errno.EOPNOTSUPP, "device " + device.name()
                + " holds a lock while a request is built, for which polls would wait: use WORK_REQUESTS");
        }
        return SetupCall.at("ibv_create_qp_ex", function, CREATE);
    }

    /**
     * Create a queue pair, while its domain is open.
     *
     * @param domain {@code ibv_pd} of it.
     * @param posts  with the address handles of the domain.
     */
    VerbsQueuePair create(
        final long domain,
        final AddressPosts posts,
        final QueuePairAttributes asked,
        final QueuePairQueues queues) {
        final boolean hasOwnReceives = queues.shared() == null;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment initial = ibv_qp_init_attr_ex.allocate(arena);
            ibv_qp_init_attr_ex.send_cq(initial, MemorySegment.ofAddress(queues.send().handle));
            ibv_qp_init_attr_ex.recv_cq(initial, MemorySegment.ofAddress(queues.receive().handle));
            ibv_qp_init_attr_ex.qp_type(initial,
                isDatagram(asked) ? rdma_constants.IBV_QPT_UD() : rdma_constants.IBV_QPT_RC());
            final MemorySegment sizes = ibv_qp_init_attr_ex.cap(initial);
            ibv_qp_cap.max_send_wr(sizes, Math.max(1, asked.maxSendWork()));
            ibv_qp_cap.max_send_sge(sizes, 1);
            if (hasOwnReceives) {
                ibv_qp_cap.max_recv_wr(sizes, Math.max(1, asked.maxReceiveWork()));
                ibv_qp_cap.max_recv_sge(sizes, 1);
            } else {
                ibv_qp_init_attr_ex.srq(initial, MemorySegment.ofAddress(queues.shared().handle()));
            }
            ibv_qp_cap.max_inline_data(sizes, asked.maxInlineData());
            final long handle = create(domain, initial, asked);
            final QueuePairAttributes granted = asked.withSizes(
                ibv_qp_cap.max_send_wr(sizes), hasOwnReceives ? ibv_qp_cap.max_recv_wr(sizes) : 0,
                ibv_qp_cap.max_inline_data(sizes));
            return wrap(posts, handle, granted, queues);
        }
    }

    private VerbsQueuePair wrap(
        final AddressPosts posts,
        final long handle,
        final QueuePairAttributes granted,
        final QueuePairQueues queues) {
        try {
            final VerbsQueuePair queuePair = isDatagram(granted)
                ? new DatagramQueuePair(device, queuePairs, drain, handle, granted, queues,
                    datagramPoster(handle, granted, queues), posts)
                : new ReliableQueuePair(
                    device, queuePairs, drain, handle, granted, queues, poster(handle, granted, queues));
            queuePairs.add(queuePair);
            device.objects().onCreated(DeviceObjects.Kind.QUEUE_PAIR);
            return queuePair;
        } catch (final RuntimeException e) {
            // It lacks a function that it must have.
            queues.forget(UnsafeApi.getInt(handle + ibv_qp.qp_num$offset()));
            device.verbs().destroyQp.invoke(handle);
            throw e;
        }
    }

    private static boolean isDatagram(final QueuePairAttributes asked) {
        return asked.type() == QueuePairType.UNRELIABLE_DATAGRAM;
    }

    private long create(final long domain, final MemorySegment initial, final QueuePairAttributes asked) {
        final String what = "no queue pair with maxSendWork=" + asked.maxSendWork() + " maxReceiveWork="
            + asked.maxReceiveWork() + " maxInlineData=" + asked.maxInlineData();
        if (createExtended == null) {
            // The extended attributes begin with the plain ones.
            return device.verbs().createQp.pointer(
                what, domain, initial.asSlice(0, ibv_qp_init_attr.sizeof()));
        }
        ibv_qp_init_attr_ex.comp_mask(initial,
            rdma_constants.IBV_QP_INIT_ATTR_PD() | rdma_constants.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
        ibv_qp_init_attr_ex.pd(initial, MemorySegment.ofAddress(domain));
        ibv_qp_init_attr_ex.send_ops_flags(initial, operations(asked));
        return createExtended.pointer(what, device.address(), initial);
    }

    /** Operations that will be posted: devices choose the size of their requests by them. */
    private long operations(final QueuePairAttributes asked) {
        long operations = rdma_constants.IBV_QP_EX_WITH_SEND() | rdma_constants.IBV_QP_EX_WITH_SEND_WITH_IMM();
        if (isDatagram(asked)) {
            return operations;
        }
        operations |= rdma_constants.IBV_QP_EX_WITH_RDMA_WRITE()
            | rdma_constants.IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM();
        if (asked.maxReadAtomic() != 0) {
            operations |= rdma_constants.IBV_QP_EX_WITH_RDMA_READ();
            if (device.attributes().atomics()) {
                operations |= rdma_constants.IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP()
                    | rdma_constants.IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD();
            }
        }
        return operations;
    }

    private SendPoster poster(
        final long handle, final QueuePairAttributes granted, final QueuePairQueues queues) {
        if (createExtended == null) {
            final SendWork work = new SendWork(device.operation(ibv_context_ops.post_send$offset()), handle,
                granted.maxInlineData(), device.posting().areSendsPlain());
            return granted.maxReadAtomic() == 0 || granted.maxSendWork() <= readPlaces ? work
                : new ReadRingPoster(work, ledger(handle, readPlaces, granted, queues));
        }
        return new BuilderPoster(
            extended(handle), granted.maxInlineData(), device.posting().areSendsPlain(),
            ledger(handle, granted.maxSendWork(), granted, queues));
    }

    private static SendLedger ledger(
        final long handle,
        final int capacity,
        final QueuePairAttributes granted,
        final QueuePairQueues queues) {
        return queues.send().keep(UnsafeApi.getInt(handle + ibv_qp.qp_num$offset()),
            new SendLedger(capacity, granted.maxSendWork(), queues.send() != queues.receive()));
    }

    private DatagramPoster datagramPoster(
        final long handle, final QueuePairAttributes granted, final QueuePairQueues queues) {
        if (createExtended == null) {
            return new DatagramWork(device.operation(ibv_context_ops.post_send$offset()), handle,
                granted.maxInlineData(), device.posting().areSendsPlain());
        }
        return new DatagramBuilder(
            extended(handle), granted.maxInlineData(), device.posting().areSendsPlain(),
            ledger(handle, granted.maxSendWork(), granted, queues));
    }

    private long extended(final long handle) {
        return device.verbs().queuePairToExtended.pointer("the queue pair is not extended", handle);
    }
}
