package io.sluice.perf.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.SystemUtil;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Aeron over shared memory, set up for the lowest latency that two cores allow: the driver is embedded in the host
 * process and shares one thread that backs off, since a spinning one would take a core from the measured threads;
 * publications are exclusive; logs are written full and touched before they are used; the image is polled directly.
 */
final class AeronPeer implements Peer {
    private static final String CHANNEL = "aeron:ipc";
    /**
     * The MTU of Aeron's own throughput samples, unless Aeron's own property says otherwise. Longer messages are
     * fragmented, and only they need the assembler.
     */
    private static final int MTU_LENGTH =
        SystemUtil.getSizeAsInt(Configuration.IPC_MTU_LENGTH_PROP_NAME, 8 * 1024);

    /**
     * The term length of {@code aeron:ipc}, unless Aeron's own property says otherwise. The driver's one thread moves
     * the publisher's limit on, and it gets a processor only when a measured thread loses it: with shorter terms the
     * publisher stands at its limit meanwhile. From 64 MiB, Aeron's default, on there is little left of that.
     */
    private static final int TERM_LENGTH = 256 * 1024 * 1024;

    private final AddedEnds ends = new AddedEnds();
    private MediaDriver driver;
    private Aeron aeron;
    private boolean fragmented;

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        fragmented = messageLength > maxUnfragmentedLength(MTU_LENGTH);
        final String directory = folder.resolve("aeron").toString();
        if (host) {
            driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy())
                .termBufferSparseFile(false)
                .ipcTermBufferLength(SystemUtil.getSizeAsInt(
                    Configuration.IPC_TERM_BUFFER_LENGTH_PROP_NAME, TERM_LENGTH))
                .ipcMtuLength(MTU_LENGTH));
        }
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory).preTouchMappedMemory(true));
    }

    @Override
    public Sender addSender(final int streamId) {
        final ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, streamId);
        ends.addPublication(publication, publication.channel());
        return sender(publication);
    }

    /** {@return a sending end over any channel} */
    static Sender sender(final ExclusivePublication publication) {
        return new AeronSender(publication);
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        final Subscription subscription = aeron.addSubscription(CHANNEL, streamId);
        ends.addSubscription(subscription, subscription.channel());
        return receiver(subscription, listener, messageLimit, fragmented);
    }

    /** {@return a receiving end over any channel} */
    static Receiver receiver(
        final Subscription subscription,
        final MessageListener listener,
        final int messageLimit,
        final boolean fragmented) {
        final FragmentHandler handler = (buffer, offset, length, header) -> listener.onMessage(buffer, offset, length);
        return new AeronReceiver(subscription, fragmented ? new FragmentAssembler(handler) : handler, messageLimit);
    }

    /** {@return the longest message that is one fragment} */
    static int maxUnfragmentedLength(final int mtuLength) {
        return mtuLength - DataHeaderFlyweight.HEADER_LENGTH;
    }

    /**
     * {@return the way in which images are polled, for people and by length, since a row of settings is one for all
     * lengths}
     */
    static String pollUse(final int mtuLength) {
        return "Image.poll on the measured thread, through a FragmentAssembler for messages of more than "
            + maxUnfragmentedLength(mtuLength) + " B";
    }

    @Override
    public Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("version", Aeron.class.getPackage().getImplementationVersion());
        ends.putInto(settings, "offer", pollUse(MTU_LENGTH));
        settings.put("own threads", "1 client conductor per process" + (driver == null ? "" : ", embedded driver "
            + driver.context().threadingMode() + " with " + driver.context().sharedIdleStrategy().alias() + " idle"));
        settings.put("log", driver == null ? "" : "term " + driver.context().ipcTermBufferLength() + " B, mtu "
            + driver.context().ipcMtuLength() + " B, sparse files " + driver.context().termBufferSparseFile()
            + ", pre-touched " + aeron.context().preTouchMappedMemory());
        return settings;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
    }

    private static final class AeronSender implements Sender {
        private final ExclusivePublication publication;

        AeronSender(final ExclusivePublication publication) {
            this.publication = publication;
        }

        @Override
        public boolean isConnected() {
            return publication.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            final long result = publication.offer(buffer, offset, length);
            if (result > 0) {
                return true;
            }
            if (result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION) {
                return false;
            }
            throw new IllegalStateException("offer failed: " + Publication.errorString(result));
        }
    }

    private static final class AeronReceiver implements Receiver {
        private final Subscription subscription;
        private final FragmentHandler handler;
        private final int messageLimit;
        private Image image;

        AeronReceiver(final Subscription subscription, final FragmentHandler handler, final int messageLimit) {
            this.subscription = subscription;
            this.handler = handler;
            this.messageLimit = messageLimit;
        }

        @Override
        public boolean isConnected() {
            if (image == null && subscription.imageCount() > 0) {
                image = subscription.imageAtIndex(0);
            }
            return image != null && !image.isClosed();
        }

        @Override
        public int poll() {
            return image.poll(handler, messageLimit);
        }
    }
}
