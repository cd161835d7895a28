package io.sluice.verbs.model;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_ah;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import io.sluice.verbs.rdma.generated.ibv_mr;
import io.sluice.verbs.rdma.generated.ibv_parent_domain_init_attr;
import io.sluice.verbs.rdma.generated.ibv_srq_attr;
import io.sluice.verbs.rdma.generated.ibv_srq_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** The functions of libibverbs for domains, regions, channels, address handles and shared receives. Any thread. */
final class ObjectFunctions {
    private static final int KEY_SHIFT = 8;
    private final Fabric fabric;

    ObjectFunctions(final Fabric fabric) {
        this.fabric = fabric;
    }

    long allocPd(final long context) {
        synchronized (fabric) {
            final ModelDomain domain = new ModelDomain(fabric.handles.get(ModelContext.class, context), null);
            return fabric.handles.add(domain.address(), domain).address();
        }
    }

    int deallocPd(final long address) {
        synchronized (fabric) {
            final ModelDomain domain = fabric.handles.get(ModelDomain.class, address);
            if (domain.users > 0) {
                return Errno.EBUSY;
            }
            if (domain.below != null) {
                domain.below.users--;
            }
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    /** Answers {@code ibv_alloc_parent_domain} of a context. */
    long allocParentDomain(final long context, final long attributes) {
        synchronized (fabric) {
            final long below = ibv_parent_domain_init_attr.pd(
                Stubs.struct(attributes, ibv_parent_domain_init_attr.layout())).address();
            final ModelDomain parent = new ModelDomain(
                fabric.handles.get(ModelContext.class, context), fabric.handles.get(ModelDomain.class, below));
            parent.below.users++;
            return fabric.handles.add(parent.address(), parent).address();
        }
    }

    /** Answers {@code ibv_alloc_td} of a context. */
    long allocThread(final long context, final long attributes) {
        final MemorySegment thread = Arena.ofAuto().allocate(Long.BYTES);
        fabric.handles.add(thread.address(), thread);
        return thread.address();
    }

    /** Answers {@code ibv_dealloc_td} of a context. */
    int freeThread(final long thread) {
        fabric.handles.remove(thread);
        return Errno.OK;
    }

    long regMr(final long domain, final long address, final long length, final int access) {
        synchronized (fabric) {
            final int key = fabric.nextNumber() << KEY_SHIFT | 1;
            final MemorySegment memory = Arena.ofAuto().allocate(ibv_mr.layout());
            ibv_mr.lkey(memory, key);
            ibv_mr.rkey(memory, key);
            final ModelRegion region = new ModelRegion(
                memory, fabric.handles.get(ModelDomain.class, domain), key, address, length, access);
            region.domain().users++;
            fabric.regions.put(key, region);
            fabric.handles.add(memory.address(), region);
            return memory.address();
        }
    }

    int deregMr(final long address) {
        synchronized (fabric) {
            final ModelRegion region = fabric.handles.get(ModelRegion.class, address);
            region.domain().users--;
            fabric.regions.remove(region.key());
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    long createAh(final long domain, final long attributes) {
        synchronized (fabric) {
            final MemorySegment path = Stubs.struct(attributes, ibv_ah_attr.layout());
            if (!Paths.isValidHandle(fabric.card, path)) {
                return Stubs.none(Errno.EINVAL);
            }
            final ModelAddress handle = new ModelAddress(Arena.ofAuto().allocate(ibv_ah.layout()),
                fabric.handles.get(ModelDomain.class, domain), Paths.isReachable(fabric.card, path));
            handle.domain().users++;
            fabric.handles.add(handle.memory().address(), handle);
            return handle.memory().address();
        }
    }

    int destroyAh(final long address) {
        synchronized (fabric) {
            fabric.handles.get(ModelAddress.class, address).domain().users--;
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    long createCompChannel(final long context) {
        synchronized (fabric) {
            final MemorySegment memory = Arena.ofAuto().allocate(ibv_comp_channel.layout());
            final Channel channel = new Channel(memory, new ModelChannel<>());
            ibv_comp_channel.fd(memory, channel.events.descriptor);
            fabric.handles.add(memory.address(), channel);
            return memory.address();
        }
    }

    int destroyCompChannel(final long address) {
        synchronized (fabric) {
            fabric.handles.get(Channel.class, address).events.close();
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    int getCqEvent(final long channel, final long queueResult, final long contextResult) {
        synchronized (fabric) {
            fabric.progress();
            final ModelCompletionQueue queue = fabric.handles.get(Channel.class, channel).events.poll();
            if (queue == null) {
                return Stubs.failed(SystemCalls.EAGAIN);
            }
            queue.unacknowledged++;
            UnsafeApi.putLong(queueResult, queue.address());
            UnsafeApi.putLong(contextResult, 0);
            return Errno.OK;
        }
    }

    void ackCqEvents(final long queue, final int count) {
        synchronized (fabric) {
            fabric.handles.get(ModelCompletionQueue.class, queue).unacknowledged -= count;
            fabric.notifyAll();
        }
    }

    long createSrq(final long domain, final long attributes) {
        synchronized (fabric) {
            final MemorySegment sizes =
                ibv_srq_init_attr.attr(Stubs.struct(attributes, ibv_srq_init_attr.layout()));
            if (!fabric.card.has(Trait.SHARED_RECEIVES)) {
                return Stubs.none(Errno.EOPNOTSUPP);
            }
            if (ibv_srq_attr.max_sge(sizes) > fabric.card.maxScatterEntries()) {
                return Stubs.none(Errno.EINVAL);
            }
            final ModelReceives receives =
                new ModelReceives(fabric.handles.get(ModelDomain.class, domain), ibv_srq_attr.max_wr(sizes));
            receives.domain.users++;
            return fabric.handles.add(receives.address(), receives).address();
        }
    }

    int modifySrq(final long address, final long attributes, final int mask) {
        synchronized (fabric) {
            if ((mask & rdma_constants.IBV_SRQ_LIMIT()) != 0) {
                fabric.handles.get(ModelReceives.class, address).limit =
                    ibv_srq_attr.srq_limit(Stubs.struct(attributes, ibv_srq_attr.layout()));
            }
            return Errno.OK;
        }
    }

    int destroySrq(final long address) {
        synchronized (fabric) {
            final ModelReceives receives = fabric.handles.get(ModelReceives.class, address);
            if (receives.users > 0) {
                return Errno.EBUSY;
            }
            receives.domain.users--;
            fabric.handles.remove(address);
            receives.domain.context.events.removeIf(event -> event.element() == address);
            return Errno.OK;
        }
    }

    /**
     * A completion channel.
     *
     * @param memory of its {@code ibv_comp_channel}.
     * @param events queues whose events nobody has taken.
     */
    record Channel(MemorySegment memory, ModelChannel<ModelCompletionQueue> events) {
    }
}
