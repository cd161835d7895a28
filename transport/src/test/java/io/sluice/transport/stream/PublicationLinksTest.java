package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicationLinksTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String CHANNEL = "sluice:ipc";

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final TaskAgent callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
    private RdmaDevice device;
    private PublicationLinks links;

    @BeforeEach
    void open() {
        device = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        final TransportParameters parameters = Parameters.of(SystemEnvironment.instance(), device,
            device.allocateProtectionDomain(), new LiveCounters(), Parameters.all(SECOND_NS), PeerRules.EVERYBODY);
        final Conductor conductor = new Conductor(parameters, new TaskAgent("set-up", Integer.MAX_VALUE, errors::add),
            callbacks, new Listeners(callbacks, parameters.counters(), errors::add, change -> { }));
        links = new PublicationLinks(conductor.services(), null, null, new LinkSetups());
    }

    @AfterEach
    void close() {
        device.close();
    }

    /** Any one. */
    private static PublicationLink link() {
        final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());
        final ControlMessages messages = new ControlMessages(1, 2);
        final StubControlDevice.Peer peer = stepped.connect(messages, "pid 1");
        SteppedConductor.send(peer, messages.hello());
        SteppedConductor.send(peer, messages.subscribe(7, SteppedConductor.STREAM_ID, SteppedConductor.CHANNEL));
        stepped.step();
        return stepped.publication().links().all().getFirst();
    }

    /** Subscriptions that are left over are looked at again and again. */
    @Test
    void shouldTellOnceThatItHasNoRoomUntilItHasAgain() {
        final PublicationLink link = link();
        for (int i = 0; i < PublicationLinks.MAX_LINKS; i++) {
            assertTrue(links.hasRoom(CHANNEL));
            links.add(link);
        }
        for (int i = 0; i < 10; i++) {
            assertFalse(links.hasRoom(CHANNEL));
        }
        callbacks.doWork();
        assertEquals(1, errors.size(), errors::toString);
        links.onGone(link);
        assertTrue(links.hasRoom(CHANNEL));
        links.add(link);
        assertFalse(links.hasRoom(CHANNEL));
        callbacks.doWork();
        assertEquals(2, errors.size(), errors::toString);
    }
}
