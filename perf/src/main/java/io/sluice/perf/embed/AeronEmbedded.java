package io.sluice.perf.embed;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Aeron in one process, driver included, with the defaults but for the threads. */
final class AeronEmbedded implements EmbeddedSystem {
    private static final String CHANNEL = "aeron:ipc";
    private static final int FRAGMENT_LIMIT = 16;

    private final FragmentHandler handler = (buffer, offset, length, header) -> { };
    private final boolean isInvoked;
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication publication;
    private volatile Subscription first;
    private Subscription subscription;
    private Thread poller;

    private AeronEmbedded(final boolean isInvoked) {
        this.isInvoked = isInvoked;
    }

    static AeronEmbedded invoked() {
        return new AeronEmbedded(true);
    }

    static AeronEmbedded threaded() {
        return new AeronEmbedded(false);
    }

    @Override
    public void launch(final Path folder) {
        final MediaDriver.Context driverContext = new MediaDriver.Context()
            .aeronDirectoryName(folder.toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(isInvoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .sharedIdleStrategy(new BackoffIdleStrategy());
        driver = MediaDriver.launch(driverContext);
        final Aeron.Context context = new Aeron.Context().aeronDirectoryName(folder.toString());
        if (isInvoked) {
            context.useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker());
        }
        aeron = Aeron.connect(context);
    }

    @Override
    public void add(final int streamId) {
        subscription = aeron.addSubscription(CHANNEL, streamId);
        first = first == null ? subscription : first;
        publication = aeron.addExclusivePublication(CHANNEL, streamId);
        if (!isInvoked && poller == null) {
            poller = Thread.ofPlatform().daemon().name("poller").start(this::pollUntilClosed);
        }
    }

    private void pollUntilClosed() {
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();
        while (!Thread.currentThread().isInterrupted()) {
            idleStrategy.idle(first.poll(handler, FRAGMENT_LIMIT));
        }
    }

    @Override
    public boolean isConnected() {
        return publication.isConnected() && subscription.isConnected();
    }

    @Override
    public void remove() {
        publication.close();
        subscription.close();
        subscription = first;
    }

    @Override
    public int cycle() {
        return driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke()
            + subscription.poll(handler, FRAGMENT_LIMIT);
    }

    @Override
    public void close() {
        try {
            if (poller != null) {
                poller.interrupt();
                poller.join();
            }
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            CloseHelper.closeAll(aeron, driver);
        }
    }
}
