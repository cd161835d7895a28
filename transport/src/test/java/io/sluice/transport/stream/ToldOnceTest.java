package io.sluice.transport.stream;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.HEARTBEAT_INTERVAL_NS;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.verbs.Connection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thing that fails again and again for a minute of the virtual clock is told once, counted always, and told anew when
 * it has changed, stayed away, or worked in between.
 */
class ToldOnceTest {
    private static final String ADDRESS = "10.88.0.2:40123";
    private static final String FROM = "from device rxe0 at 10.77.0.1, gid ::ffff:10.77.0.1: ";
    private static final String NO_GID = FROM + "rejected by the connection manager, reason 12 INVALID_GID";
    private static final int PUBLICATIONS = 64;
    /** The number of {@link #HEARTBEAT_INTERVAL_NS} in a minute. */
    private static final int INTERVALS_OF_A_MINUTE = 600;
    private static final int ATTEMPTS = 100;

    private final StubControlDevice device = new StubControlDevice();
    private final SteppedConductor stepped = new SteppedConductor(device);

    private void addPublication(final Medium medium, final String rendezvous, final int sessionId) {
        stepped.conductor().add(stepped.conductor().publication(medium, new PublicationOptions(
            CHANNEL, new Medium.Party(rendezvous, true, null), STREAM_ID, new SessionChoice(sessionId, true),
            new LogOptions(4096, false, false, false), 4, 1, FlowControl.min(1)), false));
        stepped.step();
    }

    private void passMinute() {
        for (int i = 0; i < INTERVALS_OF_A_MINUTE; i++) {
            stepped.advance(HEARTBEAT_INTERVAL_NS);
        }
    }

    @Test
    void shouldTellOnceThatTheQueuesOfAllPublicationsOfAStreamHaveOverrun() {
        for (int i = 1; i < PUBLICATIONS; i++) {
            addPublication(stepped.conductor().ipc(), "ipc/default", i);
        }
        final List<PublicationState> all = List.copyOf(stepped.conductor().publications().all());
        assertEquals(PUBLICATIONS, all.size());
        all.forEach(publication -> publication.context().overrun().run());
        stepped.step();
        assertEquals(1, stepped.errors(" has overrun: capacity=").size());
        assertEquals(PUBLICATIONS, stepped.count(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
        assertEquals(PUBLICATIONS - 1, stepped.count(TransportCounter.ERRORS_REPEATED));
    }

    @Test
    void shouldTellOnceThatADeviceWhichIsAwayCannotBeLetGoOf() {
        stepped.conductor().addMedium(device, device.allocateProtectionDomain());
        stepped.step();
        device.remove();
        passMinute();
        assertTrue(device.releases() > 10, () -> "releases=" + device.releases());
        assertEquals(1, stepped.errors("was removed").size());
        assertEquals(1, stepped.errors("somebody holds the ").size());
        assertEquals(device.releases() - 1, stepped.count(TransportCounter.ERRORS_REPEATED));
    }

    private void beRefused(final String stranger) {
        device.request(new byte[] {1, 2, 3}, stranger);
        stepped.step();
    }

    private int refusals() {
        return stepped.errors("rejected: " + GoodbyeReason.PROTOCOL_ERROR).size();
    }

    @Test
    void shouldTellOnceOfAStrangerThatIsRefusedForAMinute() {
        for (int i = 0; i < INTERVALS_OF_A_MINUTE; i++) {
            device.request(new byte[] {1, 2, 3}, "10.77.0.2:" + (40_000 + i));
            stepped.advance(HEARTBEAT_INTERVAL_NS);
        }
        assertEquals(1, refusals());
        assertEquals(INTERVALS_OF_A_MINUTE, stepped.count(TransportCounter.CONTROL_MESSAGES_REJECTED));
        assertEquals(INTERVALS_OF_A_MINUTE - 1, stepped.count(TransportCounter.ERRORS_REPEATED));
        device.request(new byte[] {1, 2, 3}, "10.77.0.3:40000");
        stepped.step();
        assertEquals(2, refusals(), "of another address");
        passMinute();
        device.request(new byte[] {1, 2, 3}, "10.77.0.2:40000");
        stepped.step();
        assertEquals(3, refusals(), "after a minute");
    }

    @Test
    void shouldTellAgainOfAStrangerThatWasAcceptedInBetween() {
        final ControlMessages messages = new ControlMessages(1, 2);
        beRefused("10.77.0.2:40001");
        beRefused("10.77.0.2:40002");
        assertEquals(1, refusals());
        send(stepped.connect(messages, "10.77.0.2:40003"), messages.hello());
        stepped.step();
        beRefused("10.77.0.2:40004");
        assertEquals(2, refusals());
    }

    private static List<byte[]> strangers() {
        return List.of(new byte[0], new byte[148], "HTTP/1.1 400".getBytes(StandardCharsets.US_ASCII));
    }

    /** The kernel, a program that is closing, another program: who it is cannot be known. */
    @ParameterizedTest
    @MethodSource("strangers")
    void shouldTellOnceThatSomebodyRejectsForAMinuteAndNotWhoHeIsWhereThatIsUnknown(final byte[] said) {
        device.refuse(Connection.State.REJECTED, said, FROM + "reason 28 CONSUMER_DEFINED");
        addPublication(
            stepped.conductor().addMedium(device, device.allocateProtectionDomain()), "rdma/" + ADDRESS, 2);
        passMinute();
        assertTrue(device.connects() > ATTEMPTS, () -> "connects=" + device.connects());
        final List<Throwable> told = stepped.errors("cannot connect to " + ADDRESS);
        assertEquals(1, told.size(), told::toString);
        final String text = told.getFirst().getMessage();
        assertTrue(text.contains(FROM + "reason 28 CONSUMER_DEFINED"), text);
        assertEquals(said.length != 0 && said[0] != 0, text.contains("is no Sluice"), text);
        assertEquals(device.connects() - 1, stepped.count(TransportCounter.ERRORS_REPEATED));
    }

    @Test
    void shouldTellOnceThatAnAddressIsNotReachedForAMinuteAndAgainWhenTheWayChanges() {
        device.refuse(Connection.State.REJECTED, new byte[0], NO_GID);
        addPublication(
            stepped.conductor().addMedium(device, device.allocateProtectionDomain()), "rdma/" + ADDRESS, 2);
        passMinute();
        assertEquals(1, stepped.errors("INVALID_GID").size());
        device.refuse(Connection.State.REJECTED, new byte[0], NO_GID.replace("10.77.0.1", "10.88.0.1"));
        passMinute();
        assertEquals(2, stepped.errors("INVALID_GID").size());
        device.refuse(Connection.State.UNREACHABLE, new byte[0], FROM + "no answer in time");
        passMinute();
        assertEquals(1, stepped.errors("no answer in time").size());
        device.refuse(Connection.State.REJECTED, new byte[0], NO_GID);
        passMinute();
        assertEquals(3, stepped.errors("INVALID_GID").size(), "it had stayed away for more than a minute");
    }
}
