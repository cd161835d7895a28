package io.sluice.transport.stub;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A device whose connections are asked for, and whose messages are sent, by a test, at once and without any file or
 * thread. One thread.
 */
public final class StubControlDevice implements RdmaDevice {
    private static final int FIRST_LID = 65_536;
    private static final int EBUSY = 16;
    private static final int EIO = 5;

    private final Queue<Peer> requests = new ArrayDeque<>();
    private final Map<Long, Deque<MemoryRegion>> unused = new HashMap<>();
    private final Set<CompletionQueue> openQueues = new HashSet<>();
    private final List<Runnable> unacknowledged = new ArrayList<>();
    private final DeviceAttributes attributes;
    private boolean isAcknowledging = true;
    private Connection.State refused = Connection.State.REJECTED;
    private byte[] refusal;
    private String problem = "";
    private int connects;
    private boolean isRemoved;
    private boolean isKeeping;
    private boolean isRefusingAddresses;
    private int lids;
    private int domainsClosedInUse;
    private int releases;
    private int openDomains;
    private int openRegions;
    private boolean isRefusingToFail;

    public StubControlDevice() {
        this(true);
    }

    /** One that shares memory with its peers, or does not. */
    public StubControlDevice(final boolean sharesMemory) {
        attributes = new DeviceAttributes(
            1 << 20, 1 << 15, true, 256, 1L << 30, -1, 0, true, 1, false, 0, 0, false, 0, 0, sharesMemory,
            0, DeviceClock.UNKNOWN);
    }

    /** Somebody who wants to connect. */
    public Peer request(final byte[] privateData) {
        return request(privateData, "pid 4242");
    }

    /** Somebody of a name, by which the device knows it, who wants to connect. */
    public Peer request(final byte[] privateData, final String name) {
        final Peer peer = new Peer(privateData, name);
        requests.add(peer);
        return peer;
    }

    /** Whether sends complete at once from now on; else they do when this is said again. */
    public void acknowledge(final boolean atOnce) {
        isAcknowledging = atOnce;
        if (atOnce) {
            unacknowledged.forEach(Runnable::run);
            unacknowledged.clear();
        }
    }

    @Override
    public String name() {
        return "stub";
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new Domain();
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        final LengthQueue queue = new LengthQueue();
        openQueues.add(queue);
        return queue;
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        return new Requests(address);
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        if (refusal == null) {
            throw new UnsupportedOperationException();
        }
        final Peer peer = new Peer(refusal, address);
        peer.state = refused;
        peer.problem = problem;
        connects++;
        return peer;
    }

    /** Refuse whoever connects from now on, saying this; the device calls it a state and has a text for it. */
    public void refuse(final Connection.State newState, final byte[] said, final String newProblem) {
        refused = newState;
        refusal = said;
        problem = newProblem;
    }

    /** The number of times that it was tried to connect to somebody who refuses. */
    public int connects() {
        return connects;
    }

    @Override
    public List<String> listeners(final String service) {
        return List.of();
    }

    /** Tell that the device was removed; it cannot be let go of. */
    public void remove() {
        isRemoved = true;
    }

    /** Queue pairs that are made from now on cannot be initialised, and are not let go of. */
    public void keepQueuePairs() {
        isKeeping = true;
    }

    /** No queue pair can be changed to the ERROR state from now on. */
    public void refuseToFail() {
        isRefusingToFail = true;
    }

    /** The number of domains that were made and are not closed. */
    public int openDomains() {
        return openDomains;
    }

    /** The number of completion queues that were made and are not closed. */
    public int openQueues() {
        return openQueues.size();
    }

    /** The number of memory regions that were made and are not closed. */
    public int openRegions() {
        return openRegions;
    }

    /** No address is one from now on. */
    public void refuseAddresses() {
        isRefusingAddresses = true;
    }

    /** The number of times that a domain was to be freed below a queue pair. */
    public int domainsClosedInUse() {
        return domainsClosedInUse;
    }

    /** The number of times that it was tried in vain to let go of the device that was removed. */
    public int releases() {
        return releases;
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        final boolean isNews = isRemoved;
        isRemoved = false;
        if (isNews) {
            handler.onAsyncEvent(AsyncEventType.DEVICE_REMOVED, null, null);
        }
        return isNews ? 1 : 0;
    }

    @Override
    public void release() {
        releases++;
        throw new VerbsException("ibv_close_device", EBUSY, "somebody holds the device");
    }

    @Override
    public void close() {
    }

    /** Tells the lengths of what was received. */
    private final class LengthQueue extends StubCompletionQueue {
        private final Deque<Integer> lengths = new ArrayDeque<>();
        private int length;

        void add(final long workRequestId, final int newLength) {
            lengths.add(newLength);
            add(workRequestId, WorkStatus.SUCCESS, 0);
        }

        @Override
        public long workRequestId() {
            length = lengths.isEmpty() ? 0 : lengths.poll();
            return super.workRequestId();
        }

        @Override
        public int byteLength() {
            return length;
        }

        @Override
        public void close() {
            openQueues.remove(this);
        }
    }

    /** One connection, from the peer's end. */
    public final class Peer implements ConnectionRequest, Connection {
        private final byte[] privateData;
        private final String name;
        private final List<byte[]> heard = new ArrayList<>();
        private ControlQueuePair queuePair;
        private State state = State.CONNECTING;
        private String problem = "";
        private boolean isLost;

        private Peer(final byte[] privateData, final String name) {
            this.privateData = privateData;
            this.name = name;
        }

        /** The messages that were sent to the peer since the beginning, behind its credits. */
        public List<byte[]> heard() {
            return heard;
        }

        /** Send something; nothing happens when there is no connection, or no receive. */
        public void send(final byte[] message) {
            if (state == State.ESTABLISHED) {
                queuePair.deliver(message);
            }
        }

        /** Hang up. */
        public void hangUp() {
            if (state == State.ESTABLISHED) {
                state = State.DISCONNECTED;
            }
        }

        /** The device has gone with what it knew of the request. */
        public void lose() {
            isLost = true;
        }

        /** Whether the other end has done with it. */
        public boolean isOver() {
            return state == State.REJECTED || state == State.DISCONNECTED;
        }

        @Override
        public Connection accept(final QueuePair accepting, final byte[] acceptData) {
            if (isLost) {
                throw new VerbsException("rdma_accept", Errno.EINVAL, "the device has gone");
            }
            queuePair = (ControlQueuePair) accepting;
            queuePair.peer = this;
            state = State.ESTABLISHED;
            return this;
        }

        @Override
        public void reject(final byte[] rejectData) {
            state = State.REJECTED;
        }

        @Override
        public State poll() {
            return state;
        }

        @Override
        public byte[] privateData() {
            return privateData;
        }

        @Override
        public String problem() {
            return problem;
        }

        @Override
        public String peer() {
            return isLost ? "nobody" : name;
        }

        @Override
        public String contradictingAddress() {
            return "";
        }

        @Override
        public byte[] peerAddress() {
            return new byte[0];
        }

        @Override
        public byte[] binding() {
            return new byte[] {(byte) System.identityHashCode(this)};
        }

        @Override
        public boolean isPeerGone() {
            return false;
        }

        @Override
        public void disconnect() {
            state = State.DISCONNECTED;
        }

        @Override
        public void close() {
            state = State.DISCONNECTED;
        }
    }

    private final class Requests implements Listener {
        private final String address;

        Requests(final String address) {
            this.address = address;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public ConnectionRequest poll() {
            return requests.poll();
        }

        @Override
        public void close() {
        }
    }

    private final class ControlQueuePair extends StubQueuePair {
        private final QueuePairAttributes attributes;
        private final Deque<long[]> receives = new ArrayDeque<>();
        private final UnsafeBuffer memory = new UnsafeBuffer(0, 0);
        private final Domain domain;
        private final boolean isKept = isKeeping;
        private Peer peer;

        ControlQueuePair(final QueuePairAttributes attributes, final Domain domain) {
            super(attributes.maxSendWork(), attributes.maxInlineData());
            this.attributes = attributes;
            this.domain = domain;
            domain.queuePairs.add(this);
        }

        @Override
        public void initialise(final int access) {
            if (isKept) {
                throw new VerbsException("ibv_modify_qp", Errno.EINVAL, "the stub does not initialise it");
            }
        }

        @Override
        public void close() {
            if (isKept) {
                throw new VerbsException("ibv_destroy_qp", EBUSY, "the stub does not let go of it");
            }
            domain.queuePairs.remove(this);
        }

        @Override
        public void fail() {
            if (isRefusingToFail) {
                throw new VerbsException("ibv_modify_qp", EIO, "the stub does not change it to ERR");
            }
        }

        @Override
        public void readyToReceive(final byte[] remoteAddress) {
            if (isRefusingAddresses) {
                throw new VerbsException(
                    "ibv_modify_qp", Errno.EINVAL, "the stub does not know lid=" + (FIRST_LID + lids++));
            }
        }

        void deliver(final byte[] message) {
            final long[] receive = receives.poll();
            if (receive != null) {
                memory.wrap(receive[1], (int) receive[2]);
                final int length = Math.min(message.length, (int) receive[2]);
                memory.putBytes(0, message, 0, length);
                ((LengthQueue) attributes.receiveQueue()).add(receive[0], length);
            }
        }

        @Override
        public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
            receives.add(new long[] {workRequestId, address, length});
            return Errno.OK;
        }

        @Override
        public int postSend(
            final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
            final byte[] message = new byte[length];
            memory.wrap(localAddress, length);
            memory.getBytes(0, message);
            peer.heard.add(message);
            unacknowledged.add(() -> ((LengthQueue) attributes.sendQueue()).add(workRequestId, length));
            acknowledge(isAcknowledging);
            return Errno.OK;
        }
    }

    /** A domain whose regions are used again when they are closed. */
    private final class Domain implements ProtectionDomain {
        private final Set<QueuePair> queuePairs = new HashSet<>();

        private Domain() {
            openDomains++;
        }

        @Override
        public MemoryRegion allocateRegion(final long length, final int access) {
            final Deque<MemoryRegion> regions = unused.computeIfAbsent(length, any -> new ArrayDeque<>());
            openRegions++;
            return new Region(regions.isEmpty() ? new StubRegion((int) length) : regions.poll());
        }

        @Override
        public MemoryRegion registerForSends(final MemoryRegion region) {
            return allocateRegion(region.length(), 0);
        }

        @Override
        public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
            throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "the stub shares nothing");
        }

        @Override
        public QueuePair createQueuePair(final QueuePairAttributes attributes) {
            return new ControlQueuePair(attributes, this);
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ProtectionDomain allocateParentDomain() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            if (!queuePairs.isEmpty()) {
                domainsClosedInUse++;
                throw new VerbsException("ibv_dealloc_pd", EBUSY, "the domain has queue pairs");
            }
            openDomains--;
        }
    }

    private final class Region implements MemoryRegion {
        private final MemoryRegion memory;
        private boolean closed;

        Region(final MemoryRegion memory) {
            this.memory = memory;
        }

        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long length() {
            return memory.length();
        }

        @Override
        public int localKey() {
            return memory.localKey();
        }

        @Override
        public int remoteKey() {
            return memory.remoteKey();
        }

        @Override
        public UnsafeBuffer buffer() {
            return memory.buffer();
        }

        @Override
        public byte[] shareToken() {
            return new byte[0];
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                openRegions--;
                unused.get(memory.length()).add(memory);
            }
        }
    }
}
