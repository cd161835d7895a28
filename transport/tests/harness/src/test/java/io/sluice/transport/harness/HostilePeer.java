package io.sluice.transport.harness;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.control.AcceptPrivateDataDecoder;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process of the same user that reaches a transport's listener through verbs and says what it likes. One thread.
 */
public final class HostilePeer implements AutoCloseable {
    private static final int DEPTH = 64;
    private static final int CREDIT_LENGTH = 8;
    private static final int SLOT_LENGTH = CREDIT_LENGTH + ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH;
    private static final long CONNECT_TIMEOUT_NS = 10_000_000_000L;

    private final Function<RdmaDevice, List<String>> listeners;
    private final RdmaDevice device;
    private final ProtectionDomain domain;
    /** Queues of the queue pairs that were handed out: they outlive those. */
    private final List<CompletionQueue> queues = new ArrayList<>();

    public HostilePeer(final Fabric fabric) {
        this(fabric.openDevice(), fabric::listeners);
    }

    /** One that finds whom it is after among those who listen, over a device that it closes. */
    public HostilePeer(final RdmaDevice device, final Function<RdmaDevice, List<String>> listeners) {
        this.device = device;
        this.listeners = listeners;
        domain = device.allocateProtectionDomain();
    }

    /** The address of the one transport that subscribes to the test's channel without an endpoint of its own. */
    public String address() {
        Await.until("a listener", () -> listeners.apply(device).size() == 1);
        return listeners.apply(device).getFirst();
    }

    /** The address of the one who listens under a name, as soon as there is one. */
    public String awaitListener(final String name) {
        Await.until("a listener of " + name, () -> device.listeners(name).size() == 1);
        return device.listeners(name).getFirst();
    }

    /** All that listen. */
    List<String> addresses() {
        return listeners.apply(device);
    }

    /** Connect, and wait for the answer. */
    public Session connect(final String address, final byte[] privateData) {
        final Session session =
            new Session(queuePair -> device.connect(address, queuePair, privateData, CONNECT_TIMEOUT_NS));
        Await.until("an answer to a connection request", () -> {
            device.poll((type, completionQueue, queuePair) -> { });
            return session.connection.poll() != Connection.State.CONNECTING;
        });
        return session;
    }

    /** Listen where others of a name are looked for, to be closed by the caller. */
    public Listener listen(final String address) {
        return device.listen(address, 1);
    }

    /** Wait for somebody who connects, and accept with this private data. */
    public Session accept(final Listener listener, final byte[] privateData) {
        final ConnectionRequest[] request = {null};
        Await.until("a connection request", () -> {
            device.poll((type, completionQueue, queuePair) -> { });
            request[0] = listener.poll();
            return request[0] != null;
        });
        final Session session = new Session(queuePair -> request[0].accept(queuePair, privateData));
        Await.until("a connection", session::isEstablished);
        return session;
    }

    /** A queue pair of this peer, ready for somebody to connect it, to be closed by the caller. */
    public QueuePair queuePair() {
        final CompletionQueue queue = queue();
        queues.add(queue);
        final QueuePair pair = domain.createQueuePair(
            new QueuePairAttributes(queue, queue, DEPTH, DEPTH, 0, 0, 12, 6, 14));
        pair.initialise(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        return pair;
    }

    /** Status of a write of zeros from a queue pair of this peer to anywhere, see {@link WorkStatus}. */
    public int write(final QueuePair pair, final int length, final long remoteAddress, final int remoteKey) {
        final CompletionQueue completions = pair.attributes().sendQueue();
        try (MemoryRegion source = region(length)) {
            final int result = pair.postWrite(
                0, WorkFlags.SIGNALED, source.address(), source.localKey(), length, remoteAddress, remoteKey);
            if (result != Errno.OK) {
                throw new AssertionError("cannot write: " + Errno.describe(result));
            }
            Await.until("the end of a write", () -> {
                device.poll((type, completionQueue, queuePair) -> { });
                return completions.startPoll() == Errno.OK;
            });
            final int status = completions.status();
            completions.endPoll();
            return status;
        }
    }

    /** Memory of this peer that anybody may read, write and map. */
    public MemoryRegion region(final long length) {
        return domain.allocateRegion(
            length, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
    }

    private CompletionQueue queue() {
        return device.createCompletionQueue(
            new CompletionQueueAttributes(4 * DEPTH, CompletionField.BYTE_LENGTH, null));
    }

    @Override
    public void close() {
        CloseHelper.closeAll(queues);
        CloseHelper.closeAll(domain, device);
    }

    /**
     * One connection.
     */
    public final class Session implements AutoCloseable {
        private final CompletionQueue sends = queue();
        private final CompletionQueue receives = queue();
        private final MemoryRegion region;
        private final UnsafeBuffer slots;
        private final QueuePair queuePair;
        private final Connection connection;
        private final List<byte[]> received = new ArrayList<>();
        private long credit;
        private long acknowledged;

        private Session(final Function<QueuePair, Connection> meet) {
            region = domain.allocateRegion((DEPTH + 1L) * SLOT_LENGTH, AccessFlags.LOCAL_WRITE);
            slots = region.buffer();
            queuePair = domain.createQueuePair(
                new QueuePairAttributes(sends, receives, DEPTH, DEPTH, 0, 0, 12, 6, 14));
            queuePair.initialise(AccessFlags.LOCAL_WRITE);
            for (int slot = 0; slot < DEPTH; slot++) {
                post(slot);
            }
            connection = meet.apply(queuePair);
        }

        private void post(final int slot) {
            queuePair.postReceive(
                slot, region.address() + (long) slot * SLOT_LENGTH, region.localKey(), SLOT_LENGTH);
        }

        public boolean isEstablished() {
            return connection.poll() == Connection.State.ESTABLISHED;
        }

        /** The parts of the connection, which a proof must cover. */
        public byte[] binding() {
            return connection.binding();
        }

        /** The process id that the acceptor has told with the connection. */
        public long acceptedBy() {
            return acceptance().processId();
        }

        /** The id that the acceptor has told with the connection, as two numbers of sixteen hexadecimal digits. */
        public String acceptorId() {
            final HexFormat hex = HexFormat.of();
            return hex.toHexDigits(acceptance().transportIdHigh()) + hex.toHexDigits(acceptance().transportIdLow());
        }

        private AcceptPrivateDataDecoder acceptance() {
            return new AcceptPrivateDataDecoder().wrap(new UnsafeBuffer(connection.privateData()), 0);
        }

        public boolean isRejected() {
            return connection.poll() == Connection.State.REJECTED;
        }

        /** Whether the other side has ended the connection. */
        public boolean isOver() {
            pump();
            return connection.poll() == Connection.State.DISCONNECTED;
        }

        public void awaitOver() {
            Await.until("the other side to hang up", this::isOver);
        }

        /** Messages from the other side since the beginning, without their credits. */
        public List<byte[]> received() {
            pump();
            return received;
        }

        /** Messages that the other side has said to have read. */
        public long acknowledged() {
            return acknowledged;
        }

        /**
         * Send a control message behind a credit that adds up.
         *
         * @return whether it could be sent.
         */
        public boolean send(final byte[] message) {
            return send(credit, message);
        }

        /** Send a control message behind any credit. */
        public boolean send(final long claimedCredit, final byte[] message) {
            final byte[] bytes = new byte[CREDIT_LENGTH + message.length];
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            buffer.putLong(0, claimedCredit);
            buffer.putBytes(CREDIT_LENGTH, message);
            return sendRaw(bytes);
        }

        /** Send any bytes. */
        public boolean sendRaw(final byte[] bytes) {
            final int length = Math.min(bytes.length, SLOT_LENGTH);
            final int offset = DEPTH * SLOT_LENGTH;
            slots.putBytes(offset, bytes, 0, length);
            final int result =
                queuePair.postSend(DEPTH, WorkFlags.SIGNALED, region.address() + offset, region.localKey(), length);
            if (result != Errno.OK) {
                return false;
            }
            final int[] status = {-1};
            Await.until("the end of a send", () -> {
                pump();
                if (sends.startPoll() == Errno.OK) {
                    status[0] = sends.status();
                    sends.endPoll();
                }
                return status[0] >= 0 || connection.poll() != Connection.State.ESTABLISHED;
            });
            return status[0] == WorkStatus.SUCCESS;
        }

        private void pump() {
            device.poll((type, completionQueue, queuePair) -> { });
            if (receives.startPoll() == Errno.OK) {
                do {
                    if (receives.status() == WorkStatus.SUCCESS) {
                        onReceive((int) receives.workRequestId(), receives.byteLength());
                    }
                } while (receives.nextPoll() == Errno.OK);
                receives.endPoll();
            }
        }

        private void onReceive(final int slot, final int length) {
            credit++;
            acknowledged = slots.getLong(slot * SLOT_LENGTH);
            if (length > CREDIT_LENGTH) {
                final byte[] message = new byte[length - CREDIT_LENGTH];
                slots.getBytes(slot * SLOT_LENGTH + CREDIT_LENGTH, message);
                received.add(message);
            }
            post(slot);
        }

        /** Wait for a message that a handler recognises; what was received before counts. */
        public void awaitMessage(final CapturedMessages messages, final java.util.function.BooleanSupplier condition) {
            final ControlMessageReader reader = new ControlMessageReader(messages);
            final int[] next = {0};
            Await.until("a control message", () -> {
                pump();
                while (next[0] < received.size()) {
                    final byte[] message = received.get(next[0]++);
                    reader.read(new UnsafeBuffer(message), 0, message.length);
                }
                return condition.getAsBoolean();
            });
        }

        @Override
        public void close() {
            CloseHelper.closeAll(connection, queuePair, region, sends, receives);
        }
    }
}
