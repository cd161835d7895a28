package io.sluice.transport.harness;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.software.FaultHook;
import java.util.List;

/**
 * A verbs device whose queue pairs fail when a hook says so: they are changed to the ERROR state, and the operation in
 * question is flushed with those behind it. More a hook cannot do to a device that carries operations out by itself.
 */
final class HookedDevice implements RdmaDevice {
    private final RdmaDevice device;
    private final FaultHook hook;

    HookedDevice(final RdmaDevice device, final FaultHook hook) {
        this.device = device;
        this.hook = hook;
    }

    private static QueuePair unwrap(final QueuePair queuePair) {
        return ((HookedQueuePair) queuePair).actual();
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new Domain(device.allocateProtectionDomain(), hook);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return device.createCompletionChannel();
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        return device.createCompletionQueue(attributes);
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        return new Requests(device.listen(address, backlog));
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        return device.connect(address, unwrap(queuePair), privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return device.listeners(service);
    }

    @Override
    public String missing() {
        return device.missing();
    }

    @Override
    public void restore() {
        device.restore();
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        return device.poll(handler);
    }

    @Override
    public void close() {
        device.close();
    }

    /** A protection domain whose queue pairs have the hook. */
    private record Domain(ProtectionDomain domain, FaultHook hook) implements ProtectionDomain {
        @Override
        public MemoryRegion allocateRegion(final long length, final int access) {
            return domain.allocateRegion(length, access);
        }

        @Override
        public MemoryRegion registerForSends(final MemoryRegion region) {
            return domain.registerForSends(region);
        }

        @Override
        public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
            return domain.openShared(shareToken, length, access);
        }

        @Override
        public QueuePair createQueuePair(final QueuePairAttributes attributes) {
            return new HookedQueuePair(domain.createQueuePair(attributes), hook);
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
            return domain.createSharedReceiveQueue(maxWork);
        }

        @Override
        public ProtectionDomain allocateParentDomain() {
            return domain.allocateParentDomain();
        }

        @Override
        public void close() {
            domain.close();
        }
    }

    /** Accepts with the device's own queue pairs. */
    private record Requests(Listener listener) implements Listener {
        @Override
        public String address() {
            return listener.address();
        }

        @Override
        public ConnectionRequest poll() {
            final ConnectionRequest request = listener.poll();
            return request == null ? null : new Request(request);
        }

        @Override
        public void close() {
            listener.close();
        }
    }

    /** One of them. */
    private record Request(ConnectionRequest request) implements ConnectionRequest {
        @Override
        public byte[] privateData() {
            return request.privateData();
        }

        @Override
        public String peer() {
            return request.peer();
        }

        @Override
        public byte[] peerAddress() {
            return request.peerAddress();
        }

        @Override
        public Connection accept(final QueuePair queuePair, final byte[] privateData) {
            return request.accept(unwrap(queuePair), privateData);
        }

        @Override
        public void reject(final byte[] privateData) {
            request.reject(privateData);
        }
    }
}
