package io.sluice.verbs.model;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_cm_event;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_conn_param;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_event_channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** librdmacm between the identifiers of one process, by loopback addresses. Any thread. */
final class ManagerFunctions {
    private static final int EADDRNOTAVAIL = 99;
    private static final int NO_LISTENER = 8;
    private static final int REFUSED = 28;
    private static final int FIRST_PORT = 50_000;
    private static final int PORTS = 10_000;

    private final Fabric fabric;
    private final DeviceFunctions device;
    private final MemorySegment name = Arena.ofAuto().allocateFrom("RDMA_CM_EVENT");
    /** The device's context, which the library opens for itself. */
    private ModelContext context;
    private int ports;

    ManagerFunctions(final Fabric fabric, final DeviceFunctions device) {
        this.fabric = fabric;
        this.device = device;
    }

    /**
     * An event channel.
     *
     * @param memory of its {@code rdma_event_channel}.
     * @param events that nobody has taken.
     */
    record Channel(MemorySegment memory, ModelChannel<ModelId.Event> events) {
    }

    long createEventChannel() {
        synchronized (fabric) {
            if (context == null) {
                context = fabric.handles.get(ModelContext.class, device.openDevice(0));
            }
            final Channel channel =
                new Channel(Arena.ofAuto().allocate(rdma_event_channel.layout()), new ModelChannel<>());
            rdma_event_channel.fd(channel.memory, channel.events.descriptor);
            fabric.handles.add(channel.memory.address(), channel);
            return channel.memory.address();
        }
    }

    void destroyEventChannel(final long address) {
        synchronized (fabric) {
            fabric.handles.get(Channel.class, address).events.close();
            fabric.handles.remove(address);
        }
    }

    int createId(final long channel, final long result, final long userContext, final int space) {
        synchronized (fabric) {
            UnsafeApi.putLong(
                result, newId(fabric.handles.get(Channel.class, channel).events).address());
            return Errno.OK;
        }
    }

    private ModelId newId(final ModelChannel<ModelId.Event> channel) {
        final ModelId id = new ModelId(channel);
        return fabric.handles.add(id.address(), id);
    }

    private ModelId id(final long address) {
        return fabric.handles.get(ModelId.class, address);
    }

    int destroyId(final long address) {
        synchronized (fabric) {
            final ModelId id = id(address);
            if (id.peer != null) {
                if (id.state == ModelId.State.CONNECTED || id.state == ModelId.State.ACCEPTED) {
                    end(id.peer, rdma_constants.RDMA_CM_EVENT_DISCONNECTED(), 0);
                } else if (id.state == ModelId.State.CONNECTING && id.queuePairNumber == 0) {
                    end(id.peer, rdma_constants.RDMA_CM_EVENT_REJECTED(), REFUSED);
                }
                id.peer.peer = null;
            }
            id.channel.removeIf(event -> event.id() == id);
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    int bindAddr(final long address, final long socket) {
        synchronized (fabric) {
            final ModelId id = id(address);
            final SocketAddress local = SocketAddress.at(socket);
            if (!local.isLoopback() && !local.isAny()) {
                return Stubs.failed(EADDRNOTAVAIL);
            }
            if (local.port() != 0 && fabric.handles.all(ModelId.class).anyMatch(other ->
                other.state == ModelId.State.LISTENING && other.local.serves(local))) {
                return Stubs.failed(Errno.EADDRINUSE);
            }
            id.local(local);
            if (local.isLoopback()) {
                id.bind(context, fabric.card.linkLayer());
            }
            return Errno.OK;
        }
    }

    int resolveAddr(final long address, final long source, final long destination, final int timeoutMs) {
        synchronized (fabric) {
            final ModelId id = id(address);
            final SocketAddress remote = SocketAddress.at(destination);
            if (!remote.isLoopback()) {
                deliver(id, rdma_constants.RDMA_CM_EVENT_ADDR_ERROR(), -EADDRNOTAVAIL, 0, null);
                return Errno.OK;
            }
            id.local((source == 0 ? remote : SocketAddress.at(source)).withPort(FIRST_PORT + ports++ % PORTS));
            id.remote(remote);
            id.bind(context, fabric.card.linkLayer());
            deliver(id, rdma_constants.RDMA_CM_EVENT_ADDR_RESOLVED(), 0, 0, null);
            return Errno.OK;
        }
    }

    int resolveRoute(final long address, final int timeoutMs) {
        synchronized (fabric) {
            deliver(id(address), rdma_constants.RDMA_CM_EVENT_ROUTE_RESOLVED(), 0, 0, null);
            return Errno.OK;
        }
    }

    int listen(final long address, final int backlog) {
        synchronized (fabric) {
            id(address).state = ModelId.State.LISTENING;
            return Errno.OK;
        }
    }

    int connect(final long address, final long parameters) {
        synchronized (fabric) {
            final ModelId id = id(address);
            final ModelId listener = fabric.handles.all(ModelId.class).filter(other ->
                other.state == ModelId.State.LISTENING && other.local.serves(id.remote)).findFirst().orElse(null);
            take(id, parameters);
            if (listener == null) {
                end(id, rdma_constants.RDMA_CM_EVENT_REJECTED(), NO_LISTENER);
                return Errno.OK;
            }
            final ModelId request = newId(listener.channel);
            request.local(id.remote);
            request.remote(id.local);
            request.bind(context, fabric.card.linkLayer());
            join(id, request);
            deliver(request, rdma_constants.RDMA_CM_EVENT_CONNECT_REQUEST(), 0, listener.address(),
                parameters(parameters));
            return Errno.OK;
        }
    }

    private static void join(final ModelId client, final ModelId server) {
        client.peer = server;
        server.peer = client;
        client.state = ModelId.State.CONNECTING;
        server.state = ModelId.State.CONNECTING;
    }

    private static MemorySegment parameters(final long address) {
        return Stubs.struct(address, rdma_conn_param.layout());
    }

    private static void take(final ModelId id, final long parameters) {
        id.queuePairNumber = rdma_conn_param.qp_num(parameters(parameters));
        id.readsAnswered = Byte.toUnsignedInt(rdma_conn_param.responder_resources(parameters(parameters)));
        id.readsAsked = Byte.toUnsignedInt(rdma_conn_param.initiator_depth(parameters(parameters)));
    }

    int accept(final long address, final long parameters) {
        synchronized (fabric) {
            final ModelId id = id(address);
            if (id.peer == null || id.state != ModelId.State.CONNECTING) {
                return Stubs.failed(Errno.EINVAL);
            }
            take(id, parameters);
            id.state = ModelId.State.ACCEPTED;
            id.peer.state = ModelId.State.ACCEPTED;
            deliver(id.peer, rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), 0, 0, parameters(parameters));
            return Errno.OK;
        }
    }

    int establish(final long address) {
        synchronized (fabric) {
            final ModelId id = id(address);
            if (id.peer == null || id.state != ModelId.State.ACCEPTED) {
                return Stubs.failed(Errno.EINVAL);
            }
            id.state = ModelId.State.CONNECTED;
            id.peer.state = ModelId.State.CONNECTED;
            deliver(id.peer, rdma_constants.RDMA_CM_EVENT_ESTABLISHED(), 0, 0, null);
            return Errno.OK;
        }
    }

    int reject(final long address, final long data, final byte length) {
        synchronized (fabric) {
            final ModelId id = id(address);
            if (id.peer == null || id.state != ModelId.State.CONNECTING) {
                return Stubs.failed(Errno.EINVAL);
            }
            final MemorySegment parameters = Arena.ofAuto().allocate(rdma_conn_param.layout());
            rdma_conn_param.private_data(parameters, MemorySegment.ofAddress(data));
            rdma_conn_param.private_data_len(parameters, length);
            id.state = ModelId.State.ENDED;
            id.peer.state = ModelId.State.ENDED;
            deliver(id.peer, rdma_constants.RDMA_CM_EVENT_REJECTED(), REFUSED, 0, parameters);
            return Errno.OK;
        }
    }

    int disconnect(final long address) {
        synchronized (fabric) {
            final ModelId id = id(address);
            if (id.state != ModelId.State.CONNECTED && id.state != ModelId.State.ACCEPTED) {
                return Stubs.failed(Errno.EINVAL);
            }
            final ModelId peer = id.peer;
            end(id, rdma_constants.RDMA_CM_EVENT_DISCONNECTED(), 0);
            if (peer != null) {
                end(peer, rdma_constants.RDMA_CM_EVENT_DISCONNECTED(), 0);
            }
            return Errno.OK;
        }
    }

    private static void end(final ModelId id, final int type, final int status) {
        if (id.state != ModelId.State.ENDED) {
            id.state = ModelId.State.ENDED;
            deliver(id, type, status, 0, null);
        }
    }

    /** Delivers an event; with the peer's parameters seen from the other end, or none. */
    private static void deliver(
        final ModelId id, final int type, final int status, final long listener, final MemorySegment parameters) {
        final MemorySegment event = Arena.ofAuto().allocate(rdma_cm_event.layout());
        rdma_cm_event.event(event, type);
        rdma_cm_event.status(event, status);
        rdma_cm_event.id(event, id.memory);
        rdma_cm_event.listen_id(event, MemorySegment.ofAddress(listener));
        MemorySegment data = MemorySegment.NULL;
        if (parameters != null) {
            final int length = Byte.toUnsignedInt(rdma_conn_param.private_data_len(parameters));
            final MemorySegment told = rdma_cm_event.param.conn(rdma_cm_event.param(event));
            told.copyFrom(parameters);
            rdma_conn_param.initiator_depth(told, rdma_conn_param.responder_resources(parameters));
            rdma_conn_param.responder_resources(told, rdma_conn_param.initiator_depth(parameters));
            data = Arena.ofAuto().allocate(Math.max(1, length));
            MemorySegment.copy(rdma_conn_param.private_data(parameters).reinterpret(length), 0, data, 0, length);
            rdma_conn_param.private_data(told, data);
        }
        id.channel.add(new ModelId.Event(id, event, data));
    }

    int getCmEvent(final long channel, final long result) {
        synchronized (fabric) {
            final ModelId.Event event = fabric.handles.get(Channel.class, channel).events.poll();
            if (event == null) {
                return Stubs.failed(SystemCalls.EAGAIN);
            }
            fabric.handles.add(event.memory().address(), event);
            UnsafeApi.putLong(result, event.memory().address());
            return Errno.OK;
        }
    }

    int ackCmEvent(final long event) {
        fabric.handles.remove(event);
        return Errno.OK;
    }

    long eventStr(final int type) {
        return name.address();
    }

    int initQpAttr(final long address, final long attributes, final long mask) {
        synchronized (fabric) {
            final ModelId id = id(address);
            final MemorySegment attr = Stubs.struct(attributes, ibv_qp_attr.layout());
            if (id.peer == null || rdma_cm_id.verbs(id.memory).address() == 0) {
                return Stubs.failed(Errno.EINVAL);
            }
            final int state = ibv_qp_attr.qp_state(attr);
            UnsafeApi.putInt(mask, rdma_constants.IBV_QP_STATE() | (state == rdma_constants.IBV_QPS_INIT()
                ? initialise(attr) : state == rdma_constants.IBV_QPS_RTR() ? receive(attr, id) : send(attr, id)));
            return Errno.OK;
        }
    }

    private static int initialise(final MemorySegment attr) {
        ibv_qp_attr.port_num(attr, (byte) 1);
        ibv_qp_attr.pkey_index(attr, (short) 0);
        return rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_PKEY_INDEX()
            | rdma_constants.IBV_QP_ACCESS_FLAGS();
    }

    private int receive(final MemorySegment attr, final ModelId id) {
        Paths.fill(fabric.card, ibv_qp_attr.ah_attr(attr));
        ibv_qp_attr.path_mtu(attr, DeviceFunctions.MTU_CODE);
        ibv_qp_attr.dest_qp_num(attr, id.peer.queuePairNumber);
        ibv_qp_attr.max_dest_rd_atomic(attr, (byte) id.peer.readsAsked);
        return rdma_constants.IBV_QP_AV() | rdma_constants.IBV_QP_PATH_MTU() | rdma_constants.IBV_QP_DEST_QPN()
            | rdma_constants.IBV_QP_RQ_PSN() | rdma_constants.IBV_QP_MAX_DEST_RD_ATOMIC()
            | rdma_constants.IBV_QP_MIN_RNR_TIMER();
    }

    private static int send(final MemorySegment attr, final ModelId id) {
        ibv_qp_attr.max_rd_atomic(attr, (byte) id.peer.readsAnswered);
        return rdma_constants.IBV_QP_SQ_PSN() | rdma_constants.IBV_QP_TIMEOUT() | rdma_constants.IBV_QP_RETRY_CNT()
            | rdma_constants.IBV_QP_RNR_RETRY() | rdma_constants.IBV_QP_MAX_QP_RD_ATOMIC();
    }
}
