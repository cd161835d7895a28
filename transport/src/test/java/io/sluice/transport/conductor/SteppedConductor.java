package io.sluice.transport.conductor;

import io.sluice.codec.ControlMessageReader;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.counters.RepeatedErrorHandler;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.Peers;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.settings.Durations;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stream.LogOptions;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.PublicationState;
import io.sluice.transport.stream.SessionChoice;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.transport.stub.StubControlDevice;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A conductor with one publication whose agents run, whose clock moves and whose peers speak when a test says so. One
 * thread.
 */
public final class SteppedConductor {
    public static final int STREAM_ID = 5;
    public static final String CHANNEL = "sluice:ipc";
    public static final long HEARTBEAT_INTERVAL_NS = 100_000_000L;
    public static final long HANDSHAKE_TIMEOUT_NS = 50 * HEARTBEAT_INTERVAL_NS;
    /** Longer than a listener and the connections of two peers are not looked at, also by a conductor that rests. */
    public static final long STEP_NS = 50_000_000L;

    private static final long LONG_NS = 1_000 * HEARTBEAT_INTERVAL_NS;
    private static final int CREDIT_LENGTH = 8;
    /** Turns after which nothing more happens without the clock. */
    private static final int TURNS = 8;

    private final List<Throwable> errors = new ArrayList<>();
    private final LiveCounters counters = new LiveCounters();
    private final ManualEnvironment environment = new ManualEnvironment();
    private final StubControlDevice device;
    private final TaskAgent setup = new TaskAgent("set-up", Integer.MAX_VALUE, errors::add);
    private final TaskAgent callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
    private final Conductor conductor;
    private final PublicationState publication;

    public SteppedConductor(final StubControlDevice device) {
        this(device, null, PeerRules.EVERYBODY);
    }

    /** One whose errors somebody else hears of, unless that is null, and which takes some for peers. */
    public SteppedConductor(
        final StubControlDevice device, final RepeatedErrorHandler errorHandler, final PeerRules rules) {
        this.device = device;
        final TransportParameters parameters = Parameters.of(
            environment, device, device.allocateProtectionDomain(), counters, new Durations(HEARTBEAT_INTERVAL_NS,
                LONG_NS, LONG_NS, HANDSHAKE_TIMEOUT_NS, LONG_NS, LONG_NS, LONG_NS), rules);
        conductor = new Conductor(parameters, setup, callbacks, new Listeners(callbacks, counters,
            errorHandler == null ? errors::add : errorHandler, change -> { }));
        publication = conductor.publication(conductor.ipc(), new PublicationOptions(
            CHANNEL, new Medium.Party("ipc/default", true, null), STREAM_ID, new SessionChoice(7, true),
            new LogOptions(4096, false, false, false), 4, LONG_NS, FlowControl.min(LONG_NS)), false);
        conductor.add(publication);
        step();
    }

    /** The way of other rooms' tests to the parts of a conductor. */
    public static Peers peersOf(final Conductor conductor) {
        return conductor.peers();
    }

    public Conductor conductor() {
        return conductor;
    }

    public Services services() {
        return conductor.services();
    }

    public TaskAgent setup() {
        return setup;
    }

    public ManualEnvironment environment() {
        return environment;
    }

    public PublicationState publication() {
        return publication;
    }

    public long count(final TransportCounter counter) {
        return counters.get(counter);
    }

    /** The errors told to the application whose messages contain a text. */
    public List<Throwable> errors(final String text) {
        return errors.stream().filter(error -> String.valueOf(error.getMessage()).contains(text)).toList();
    }

    /** Let every agent do all that it can do, after a time in which the clock has made each look due. */
    public void step() {
        environment.advance(STEP_NS);
        for (int i = 0; i < TURNS; i++) {
            conductor.doWork();
            setup.doWork();
            callbacks.doWork();
        }
    }

    /** Let time pass, at least that of a step, which is short enough to be no stall, and step. */
    public void advance(final long durationNs) {
        environment.advance(Math.max(0, durationNs - STEP_NS));
        step();
    }

    /** Let somebody connect, who says nothing yet. */
    public StubControlDevice.Peer connect(final ControlMessages messages, final String name) {
        final StubControlDevice.Peer peer = device.request(messages.privateData(), name);
        step();
        return peer;
    }

    /** A peer says something behind a credit that adds up; it is heard with the next step. */
    public static void send(final StubControlDevice.Peer peer, final byte[] message) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CREDIT_LENGTH + message.length]);
        buffer.putLong(0, peer.heard().size());
        buffer.putBytes(CREDIT_LENGTH, message);
        peer.send(buffer.byteArray());
    }

    /** The messages that a peer was told. */
    public static CapturedMessages heard(final StubControlDevice.Peer peer) {
        final CapturedMessages heard = new CapturedMessages();
        final ControlMessageReader reader = new ControlMessageReader(heard);
        for (final byte[] message : peer.heard()) {
            if (message.length > CREDIT_LENGTH) {
                reader.read(new UnsafeBuffer(message), CREDIT_LENGTH, message.length - CREDIT_LENGTH);
            }
        }
        return heard;
    }
}
