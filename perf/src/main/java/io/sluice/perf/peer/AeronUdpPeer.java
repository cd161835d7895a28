package io.sluice.perf.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;

/**
 * Aeron over UDP, set up for the lowest latency that two cores allow: each process has a driver of its own, as two
 * machines would, and its measured thread runs it (INVOKER), since a driver's thread would have to take turns with the
 * measured one. Publications are exclusive; logs are written full and touched before they are used; the image is polled
 * directly.
 */
final class AeronUdpPeer implements Peer {
    /**
     * Length as in Aeron's own throughput samples. Longer messages are fragmented, and only they need the assembler.
     */
    private static final int MTU_LENGTH = 8 * 1024;
    /**
     * The number of the driver's cycles in one of the client, whose conductor has something to do some times a second
     * only. A power of two.
     */
    private static final int DRIVER_CYCLES_PER_CLIENT_CYCLE = 256;

    private final String address;
    private final AddedEnds ends = new AddedEnds();
    private Path folder;
    private boolean fragmented;
    private MediaDriver driver;
    private AgentInvoker invoker;
    private Aeron aeron;
    private int cycles;

    /** A peer with the address, of this host, that subscriptions are bound to. */
    AeronUdpPeer(final String address) {
        this.address = address;
    }

    @Override
    public void launch(final Path newFolder, final boolean host, final int messageLength) {
        folder = newFolder;
        fragmented = messageLength > AeronPeer.maxUnfragmentedLength(MTU_LENGTH);
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(folder.resolve(host ? "aeron-host" : "aeron-guest").toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.INVOKER)
            .termBufferSparseFile(false)
            .mtuLength(MTU_LENGTH));
        invoker = driver.sharedAgentInvoker();
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true).driverAgentInvoker(invoker).preTouchMappedMemory(true));
    }

    private void cycle() {
        invoker.invoke();
        if ((++cycles & (DRIVER_CYCLES_PER_CLIENT_CYCLE - 1)) == 0) {
            aeron.conductorAgentInvoker().invoke();
        }
    }

    /** Runs a cycle of both conductors, as is done until something changes that a connection waits for. */
    private void setupCycle() {
        invoker.invoke();
        aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public Sender addSender(final int streamId) {
        return new UdpSender(streamId);
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        final Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=" + address + ":0", streamId);
        ends.addSubscription(subscription, subscription.channel());
        return new UdpReceiver(subscription, AeronPeer.receiver(subscription, listener, messageLimit, fragmented));
    }

    @Override
    public Map<String, String> settings() {
        final MediaDriver.Context context = driver.context();
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("version", Aeron.class.getPackage().getImplementationVersion());
        ends.putInto(settings, "offer, then a cycle of the driver for a batch",
            "a cycle of the driver, and " + AeronPeer.pollUse(MTU_LENGTH));
        settings.put("own threads", "none: embedded driver " + context.threadingMode() + ", client conductor INVOKER");
        settings.put("log", "term " + context.publicationTermBufferLength() + " B, mtu " + context.mtuLength()
            + " B, window " + context.initialWindowLength() + " B, socket buffers " + context.socketSndbufLength()
            + " and " + context.socketRcvbufLength() + " B (0: the system's), sparse files "
            + context.termBufferSparseFile()
            + ", pre-touched " + aeron.context().preTouchMappedMemory());
        return settings;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
    }

    /** Sends to where the receiving end says that it is. */
    private final class UdpSender implements Sender {
        private final int streamId;
        private Sender sender;

        UdpSender(final int streamId) {
            this.streamId = streamId;
        }

        @Override
        public boolean isConnected() {
            setupCycle();
            if (sender == null) {
                final String channel = EndpointFile.of(folder, "aeron", streamId).lookUp();
                if (channel != null) {
                    final ExclusivePublication publication = aeron.addExclusivePublication(channel, streamId);
                    ends.addPublication(publication, publication.channel());
                    sender = AeronPeer.sender(publication);
                }
            }
            return sender != null && sender.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return sender.offer(buffer, offset, length);
        }

        @Override
        public void flush() {
            cycle();
        }
    }

    /** Tells where it is, once the driver has bound a port. */
    private final class UdpReceiver implements Receiver {
        private final Subscription subscription;
        private final Receiver receiver;
        private boolean isAnnounced;

        UdpReceiver(final Subscription subscription, final Receiver receiver) {
            this.subscription = subscription;
            this.receiver = receiver;
        }

        @Override
        public boolean isConnected() {
            setupCycle();
            if (!isAnnounced) {
                final String channel = subscription.tryResolveChannelEndpointPort();
                if (channel != null) {
                    EndpointFile.of(folder, "aeron", subscription.streamId()).publish(channel);
                    isAnnounced = true;
                }
            }
            return receiver.isConnected();
        }

        @Override
        public int poll() {
            cycle();
            return receiver.poll();
        }
    }
}
