package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.kit.FuzzInputs;
import io.sluice.transport.kit.Parameters;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.PreSharedKey;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.stream.EventOptions;
import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.LogOptions;
import io.sluice.transport.stream.LogSharing;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.SessionChoice;
import io.sluice.transport.stream.SlowConsumerPolicy;
import io.sluice.transport.stream.SubscriptionImages;
import io.sluice.transport.stream.SubscriptionOptions;
import io.sluice.transport.stream.SubscriptionState;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.transport.stub.StubControlDevice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole conversations of peers that are up to no good with a conductor that has a publication and a subscription, from
 * the private data of the request on: every one of them ends, with what it took released, and the conductor lives on.
 */
class ControlSessionFuzzTest {
    private static final int INPUTS = 100_000;
    /** Messages of a conversation, about. */
    private static final int INPUTS_AT_ONCE = 10;
    private static final int MAX_MESSAGES = 20;
    private static final int STREAM_ID = 5;
    /** The time after which the conductor looks at the only connection again. */
    private static final long LOOK_NS = 4_000_000L;
    /** The time after which a conductor that rests looks at anything again. */
    private static final long REST_NS = 50_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int STEPS = 4;
    private static final int CREDIT_LENGTH = 8;
    private static final Set<String> TOLD_TO_STRANGERS = Set.of("Hello", "Challenge", "Answer", "Goodbye");
    private static final Set<String> TOLD_TO_PEERS =
        Set.of("Hello", "Subscribe", "Setup", "Accept", "Refuse", "Goodbye");
    private static final Set<String> TOLD_TO_HOLDERS = Set.of(
        "Hello", "Challenge", "Answer", "Introduction", "Subscribe", "Setup", "Accept", "Refuse", "Goodbye");
    private static final String KEY = "a key of at least thirty-two bytes";

    /** Kinds of speakers, and what each may be told. */
    private enum Speaker {
        /** To a transport that asks for no key. */
        ANYBODY("control", false, TOLD_TO_PEERS),
        /** To one that does, without it. */
        STRANGER("control-with-key", true, Set.of()),
        /** To one that does, and mostly proves to hold it. */
        HOLDER("control-of-holders", true, TOLD_TO_HOLDERS);

        private final String fuzzer;
        private final boolean isAsked;
        private final Set<String> told;

        Speaker(final String fuzzer, final boolean isAsked, final Set<String> told) {
            this.fuzzer = fuzzer;
            this.isAsked = isAsked;
            this.told = told;
        }
    }

    private final List<Throwable> errors = new ArrayList<>();
    private final Map<String, MutableInteger> told = new HashMap<>();
    private final LiveCounters counters = new LiveCounters();
    private final ManualEnvironment environment = new ManualEnvironment();
    private final StubControlDevice device = new StubControlDevice();
    private final TaskAgent setup = new TaskAgent("set-up", Integer.MAX_VALUE, errors::add);
    private final TaskAgent callbacks = new TaskAgent("callbacks", Integer.MAX_VALUE, errors::add);
    private Conductor conductor;
    private SubscriptionState subscription;

    private void launch(final PeerRules rules) {
        final TransportParameters parameters = Parameters.of(environment, device,
            device.allocateProtectionDomain(), counters, Parameters.all(SECOND_NS), rules);
        conductor = new Conductor(parameters, setup, callbacks,
            new Listeners(callbacks, counters, this::onError, change -> { }));
        conductor.add(conductor.publication(conductor.ipc(), new PublicationOptions(
            "sluice:ipc", new Medium.Party("ipc/default", true, null), STREAM_ID, new SessionChoice(7, true),
            new LogOptions(4096, false, false, false), 4, SECOND_NS, FlowControl.min(SECOND_NS)), false));
        subscription = conductor.subscription(conductor.ipc(), new SubscriptionOptions(
            "sluice:ipc", new Medium.Party("ipc/default", false, null), STREAM_ID, FlowControl.NO_TAG, 16,
            new LogSharing(false, false, 0), new EventOptions(16, false, false, SlowConsumerPolicy.GATE)), null);
        subscription.images(new NoImages());
        conductor.add(subscription);
        step();
    }

    /** An error that the product tells itself is no failure; an exception out of its code is. */
    private void onError(final Throwable error) {
        if (!(error instanceof TransportException told) || told.kind() == ErrorKind.INTERNAL) {
            errors.add(error);
        }
    }

    private void step() {
        for (int i = 0; i < STEPS; i++) {
            environment.advance(i == 0 ? REST_NS : LOOK_NS);
            conductor.doWork();
            setup.doWork();
            callbacks.doWork();
            subscription.receiver().drain();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndEveryConversationAndLiveOn(final Speaker speaker) {
        launch(speaker.isAsked
            ? new PeerRules(
                PreSharedKey.of("test", KEY.getBytes(StandardCharsets.US_ASCII)), List.of(), PeerQuotas.NONE)
            : PeerRules.EVERYBODY);
        final ControlSessions sessions = ((DeviceMedium) conductor.ipc()).sessions();
        FuzzInputs.feed(speaker.fuzzer, INPUTS, INPUTS_AT_ONCE, random -> {
            final StubControlDevice.Peer peer = converse(random, speaker);
            assertEquals(List.of(), errors);
            final Set<String> heard = heard(peer);
            heard.forEach(name -> told.computeIfAbsent(name, any -> new MutableInteger()).value++);
            if (speaker == Speaker.STRANGER) {
                // nobody has the key: whatever they say, they hear of no stream, address or key of memory
                assertTrue(TOLD_TO_STRANGERS.containsAll(heard), heard::toString);
                assertEquals(0, sessions.ready().size());
            }
            peer.hangUp();
            step();
            assertTrue(peer.isOver());
            assertEquals(0, sessions.all().size());
        });
        final long rejected = counters.get(TransportCounter.CONTROL_MESSAGES_REJECTED);
        final long refused = counters.get(TransportCounter.PEERS_REFUSED);
        final String summary = "rejected=" + rejected + " refused=" + refused + " told=" + told;
        System.out.println(summary);
        assertTrue(!FuzzInputs.areMany()
            || rejected > 1000 && refused > 100 && told.keySet().containsAll(speaker.told), summary);
    }

    private StubControlDevice.Peer converse(final SplittableRandom random, final Speaker speaker) {
        final ControlMessages messages = new ControlMessages(random.nextLong(), random.nextLong());
        final StubControlDevice.Peer peer = device.request(
            random.nextInt(8) == 0 ? FuzzInputs.mutated(messages.privateData(), random) : messages.privateData());
        step();
        if (random.nextInt(8) != 0) {
            send(peer, random.nextInt(8) == 0 == speaker.isAsked
                ? messages.hello() : messages.helloWithAuthentication(), random, 8);
            step();
        }
        if (speaker == Speaker.HOLDER && random.nextInt(8) != 0) {
            prove(peer, messages, random);
        }
        final List<byte[]> templates = messages.all(1 + random.nextInt(4), 1 + random.nextInt(2), STREAM_ID);
        for (int i = random.nextInt(MAX_MESSAGES); i > 0; i--) {
            send(peer, templates.get(random.nextInt(templates.size())), random, 2);
            if (random.nextInt(3) == 0) {
                step();
            }
        }
        step();
        return peer;
    }

    private void prove(
        final StubControlDevice.Peer peer, final ControlMessages messages, final SplittableRandom random) {
        final CapturedMessages asked = captured(peer);
        if (asked.nonce() != null) {
            final byte[] nonce = new byte[ControlDescriptor.NONCE_LENGTH];
            random.nextBytes(nonce);
            send(peer, messages.challenge(nonce), random, 16);
            send(peer, messages.answer(messages.proof(KEY, asked, nonce, peer.binding())), random, 16);
            step();
        }
    }

    /** A message behind a credit, one in so many of both changed. */
    private static void send(
        final StubControlDevice.Peer peer, final byte[] message, final SplittableRandom random, final int changed) {
        final byte[] body = random.nextInt(changed) == 0 ? FuzzInputs.mutated(message, random) : message;
        final byte[] bytes = new byte[
            CREDIT_LENGTH + Math.min(body.length, ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH)];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putLong(0, random.nextInt(20 * changed) == 0 ? random.nextInt(-2, 40) : peer.heard().size());
        buffer.putBytes(CREDIT_LENGTH, body, 0, bytes.length - CREDIT_LENGTH);
        peer.send(bytes);
    }

    /** The kinds of messages that a peer was told. */
    private static Set<String> heard(final StubControlDevice.Peer peer) {
        return new HashSet<>(captured(peer).names());
    }

    private static CapturedMessages captured(final StubControlDevice.Peer peer) {
        final CapturedMessages heard = new CapturedMessages();
        final ControlMessageReader reader = new ControlMessageReader(heard);
        for (final byte[] message : peer.heard()) {
            if (message.length > CREDIT_LENGTH) {
                reader.read(new UnsafeBuffer(message), CREDIT_LENGTH, message.length - CREDIT_LENGTH);
            }
        }
        return heard;
    }

    private static final class NoImages implements SubscriptionImages {
        @Override
        public void onAvailable(final ImageState image) {
        }

        @Override
        public void onUnavailable(final ImageState image) {
        }
    }
}
