package io.sluice.transport.connection;

import io.sluice.codec.ControlMessageReader;
import io.sluice.transport.harness.CapturedMessages;
import io.sluice.transport.harness.ControlMessages;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.status.RepeatedErrorHandler;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportCounters;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.transport.stub.StubControlDevice;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A conductor with one publication whose agents run, whose clock moves and whose peers speak when a test says so. One
 * thread.
 */
final class SteppedConductor {
    static final int STREAM_ID = 5;
    static final String CHANNEL = "sluice:ipc";
    static final long HEARTBEAT_INTERVAL_NS = 100_000_000L;
    static final long HANDSHAKE_TIMEOUT_NS = 50 * HEARTBEAT_INTERVAL_NS;

    private static final long LONG_NS = 1_000 * HEARTBEAT_INTERVAL_NS;
    private static final int CREDIT_LENGTH = 8;
    /** Turns after which nothing more happens without the clock. */
    private static final int TURNS = 8;

    private final List<Throwable> errors = new ArrayList<>();
    private final TransportCounters counters = new TransportCounters();
    private final ManualEnvironment environment = new ManualEnvironment();
    private final StubControlDevice device;
    private final TaskAgent setUp = new TaskAgent("set-up", Integer.MAX_VALUE, errors::add);
    private final TaskAgent callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
    private final Conductor conductor;
    private final PublicationState publication;

    SteppedConductor(final StubControlDevice device) {
        this(device, null, PeerRules.EVERYBODY);
    }

    /** One whose errors somebody else hears of, unless that is null, and which takes some for peers. */
    SteppedConductor(final StubControlDevice device, final RepeatedErrorHandler errorHandler, final PeerRules rules) {
        this.device = device;
        final TransportParameters parameters = new TransportParameters(environment, device,
            device.allocateProtectionDomain(), counters, errorHandler == null ? errors::add : errorHandler, "stepped",
            HEARTBEAT_INTERVAL_NS, LONG_NS,
            LONG_NS, HANDSHAKE_TIMEOUT_NS, LONG_NS, LONG_NS, LONG_NS, 16, 4, rules);
        conductor = new Conductor(parameters, setUp, callbacks, new Listeners(callbacks, parameters, change -> { }));
        publication = conductor.publication(conductor.ipc(), new PublicationOptions(CHANNEL, "ipc/default",
            STREAM_ID, 7, true, 4096, 4, LONG_NS, false, false, FlowControl.min(LONG_NS), null), false);
        conductor.add(publication);
        step();
    }

    Conductor conductor() {
        return conductor;
    }

    TaskAgent setUp() {
        return setUp;
    }

    ManualEnvironment environment() {
        return environment;
    }

    PublicationState publication() {
        return publication;
    }

    long count(final TransportCounter counter) {
        return counters.get(counter);
    }

    /** What the application was told that contains a text. */
    List<Throwable> errors(final String text) {
        return errors.stream().filter(error -> String.valueOf(error.getMessage()).contains(text)).toList();
    }

    /** Let every agent do all that it can do now. */
    void step() {
        for (int i = 0; i < TURNS; i++) {
            conductor.doWork();
            setUp.doWork();
            callbacks.doWork();
        }
    }

    /** Let time pass, which is short enough to be no stall, and step. */
    void advance(final long durationNs) {
        environment.advance(durationNs);
        step();
    }

    /** Let somebody connect, who says nothing yet. */
    StubControlDevice.Peer connect(final ControlMessages messages, final String name) {
        final StubControlDevice.Peer peer = device.request(messages.privateData(), name);
        step();
        return peer;
    }

    /** A peer says something behind a credit that adds up; it is heard with the next step. */
    static void send(final StubControlDevice.Peer peer, final byte[] message) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CREDIT_LENGTH + message.length]);
        buffer.putLong(0, peer.heard().size());
        buffer.putBytes(CREDIT_LENGTH, message);
        peer.send(buffer.byteArray());
    }

    /** What a peer was told. */
    static CapturedMessages heard(final StubControlDevice.Peer peer) {
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
