package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Publication;
import io.sluice.transport.ReentrantCallException;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Closes within what an add calls of the program's own, a thread factory or a provider of devices. */
class CloseWithinAddTest {
    private static final int STREAM_ID = 1;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<Exception> thrown = new CopyOnWriteArrayList<>();
    private final AtomicReference<Transport> self = new AtomicReference<>();

    @BeforeEach
    void requireIpc() {
        TestMedium.assumeIpc();
    }

    private void closeTransport() {
        try {
            self.get().close();
        } catch (final ReentrantCallException ex) {
            thrown.add(ex);
        }
    }

    @Test
    void shouldRefuseToBeClosedByAThreadFactory() {
        self.set(transports.launch(context -> context.threadFactory(task -> {
            if (self.get() != null) {
                closeTransport();
            }
            return new Thread(task);
        })));

        try (Subscription added = self.get().addSubscription(transports.channel("mode=dedicated"), STREAM_ID)) {
            assertEquals(1, thrown.size());
            assertTrue(thrown.getFirst().getMessage().contains("inside=adding"), thrown.getFirst().getMessage());
            assertFalse(added.isClosed());
        }
        assertFalse(self.get().isClosed());
    }

    @Test
    void shouldRefuseToBeClosedByAProviderOfDevices() {
        self.set(transports.launch(context -> context.rdmaProvider((environment, options) -> {
            closeTransport();
            return SoftwareDevice.open(environment, transports.fabric().directory());
        })));

        self.get().addPublication("sluice:rdma?endpoint=10.0.0.1:40123", STREAM_ID).close();

        assertEquals(1, thrown.size());
        assertFalse(self.get().isClosed());
    }

    @Test
    void shouldCloseAHandleWhileAnAddWaitsForADevice() {
        final AtomicReference<Publication> handle = new AtomicReference<>();
        final Transport transport = transports.launch(context -> context.rdmaProvider((environment, options) -> {
            final Thread closing = Thread.ofPlatform().daemon().start(handle.get()::close);
            Await.until("the handle's close", () -> !closing.isAlive());
            return SoftwareDevice.open(environment, transports.fabric().directory());
        }));
        handle.set(transport.addPublication(transports.channel(""), STREAM_ID));

        transport.addPublication("sluice:rdma?endpoint=10.0.0.1:40123", STREAM_ID).close();

        assertTrue(handle.get().isClosed());
    }
}
