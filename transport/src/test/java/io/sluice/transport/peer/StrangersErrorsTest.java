package io.sluice.transport.peer;

import static io.sluice.transport.conductor.SteppedConductor.heard;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.PreSharedKey;
import io.sluice.transport.status.ErrorReading;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stream.LogOptions;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.SessionChoice;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.verbs.Connection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Strangers who are refused, or who come and go where there is no key, leave room for other errors: in the file, where
 * readers find those, and on the way to the application.
 */
class StrangersErrorsTest {
    private static final int STRANGERS = 4_000;
    /** Each time all that was said before is read again. */
    private static final int REFUSALS = 1_000;
    private static final int BYTES = 256;
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";
    private static final String WAY = "from device rxe0 at 10.77.0.1, gid ::ffff:10.77.0.1: ";
    private static final byte[] NONSENSE = {1, 2, 3};
    private static final String OWN = "something of this transport";
    private static final String SUBJECT = "something else";

    @TempDir
    private Path directory;

    private final StubControlDevice device = new StubControlDevice();
    private final List<Throwable> told = new ArrayList<>();
    private StatusFiles files;
    private SteppedConductor stepped;

    @BeforeEach
    void begin() {
        files = StatusFiles.create(SystemEnvironment.instance(), directory, "flooded", told::add);
        stepped = new SteppedConductor(device, files.errorHandler(), PeerRules.EVERYBODY);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private static String address(final int number) {
        return "10.77." + number / BYTES + "." + number % BYTES + ":" + (40_000 + number);
    }

    private List<String> errors() throws IOException {
        final List<String> skipped = new ArrayList<>();
        final List<String> texts = new StatusReader(SystemEnvironment.instance(), directory).read(skipped::add)
            .getFirst().errors().stream().map(ErrorReading::text).toList();
        assertEquals(List.of(), skipped);
        return texts;
    }

    private void assertOwnErrorIsFound() throws IOException {
        stepped.conductor().reportFailure(SUBJECT, new IllegalStateException(OWN));
        stepped.step();
        assertEquals(OWN, told.getLast().getMessage());
        assertTrue(errors().stream().anyMatch(text -> text.contains(OWN)), () -> "told=" + told.size());
    }

    @Test
    void shouldFindAnOwnErrorBehindThoseOfThousandsWhoAreRejected() throws IOException {
        for (int i = 0; i < STRANGERS; i++) {
            device.request(NONSENSE, address(i));
            stepped.step();
        }
        assertEquals(STRANGERS, stepped.count(TransportCounter.CONTROL_MESSAGES_REJECTED));
        assertEquals(STRANGERS, told.size(), "each of another address");
        assertEquals(0, stepped.count(TransportCounter.ERRORS_REPEATED));
        assertOwnErrorIsFound();
        final List<String> texts = errors();
        final String last = address(STRANGERS - 1);
        assertTrue(texts.stream().anyMatch(text -> text.contains(RefusedPeers.hostOf(last) + " rejected: "
            + GoodbyeReason.PROTOCOL_ERROR)), texts::toString);
        assertTrue(texts.stream().noneMatch(text -> text.contains("10.77.0.1 ")), "the oldest made room");
    }

    /** A peer that was let in without a key has proved nothing. */
    @Test
    void shouldFindAnOwnErrorBehindThoseOfThousandsWhoWereLetInAndHungUp() throws IOException {
        final int peers = 500;
        for (int i = 0; i < peers; i++) {
            final ControlMessages messages = new ControlMessages(i + 1, 2);
            final StubControlDevice.Peer peer = stepped.connect(messages, address(i));
            send(peer, messages.hello());
            stepped.step();
            peer.hangUp();
            stepped.step();
        }
        assertEquals(peers, stepped.count(TransportCounter.CONNECTIONS_LOST));
        assertOwnErrorIsFound();
    }

    /** Each is a peer of its own, and names a queue pair that there cannot be. */
    @Test
    void shouldFindAnOwnErrorBehindThoseOfThousandsWhoseLinksCannotBeMade() throws IOException {
        device.refuseAddresses();
        final int peers = STRANGERS;
        for (int i = 0; i < peers; i++) {
            final ControlMessages messages = new ControlMessages(i + 1, 2);
            final StubControlDevice.Peer peer = stepped.connect(messages, address(i));
            send(peer, messages.hello());
            send(peer, messages.subscribe(1, SteppedConductor.STREAM_ID, SteppedConductor.CHANNEL));
            stepped.step();
            send(peer, messages.accept(heard(peer).linkIds().getLast(), 1, 64, new byte[] {1, 2, 3}));
            stepped.step();
            peer.hangUp();
            stepped.step();
        }
        assertEquals(0, stepped.count(TransportCounter.LINKS_ESTABLISHED));
        assertTrue(told.stream().filter(error -> error.getMessage().contains("does not know lid=")).count()
            >= peers, () -> "told=" + told.size());
        assertOwnErrorIsFound();
    }

    /** Bytes that are written in letters only, which no rule for numbers takes out of a text. */
    private static byte[] letters(final int number) {
        final byte[] said = new byte[16];
        for (int i = 0; i < said.length; i++) {
            said[i] = (byte) (0xaa + (number >>> i & 1) * 0x11);
        }
        return said;
    }

    private int dial(final Connection.State answer, final int times, final long intervalNs) {
        return dial(answer, true, times, intervalNs);
    }

    private int dial(
        final Connection.State answer, final boolean saysSomething, final int times, final long intervalNs) {
        stepped.conductor().add(stepped.conductor().publication(
            stepped.conductor().addMedium(device, device.allocateProtectionDomain()),
            new PublicationOptions(
                SteppedConductor.CHANNEL, new Medium.Party("rdma/10.88.0.2:40123", true, null),
                SteppedConductor.STREAM_ID, new SessionChoice(1, true), new LogOptions(4096, false, false, false), 4,
                1, FlowControl.min(1)), false));
        for (int i = 0; i < times; i++) {
            device.refuse(answer, saysSomething ? letters(i) : new byte[0], WAY + "reason " + i);
            stepped.advance(intervalNs);
        }
        return device.connects();
    }

    private static List<Connection.State> answers() {
        return List.of(Connection.State.REJECTED, Connection.State.ESTABLISHED);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldTellOnceOfAHostThatAnswersInAnotherWayEachTime(final Connection.State answer) {
        final int connects = dial(answer, 600, SteppedConductor.HEARTBEAT_INTERVAL_NS);
        assertTrue(connects >= 50, () -> "connects=" + connects);
        assertEquals(1, told.size(), told::toString);
        assertEquals(connects - 1, stepped.count(TransportCounter.ERRORS_REPEATED));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldFindAnOwnErrorBehindThoseOfAHostThatIsDialledForHours(final Connection.State answer) throws IOException {
        final int times = 2_000;
        final int connects = dial(answer, times, 2 * Failures.QUIET_NS);
        assertEquals(connects, new HashSet<>(told.stream().map(Throwable::getMessage).toList()).size());
        assertTrue(2 * connects >= times, () -> "connects=" + connects);
        assertOwnErrorIsFound();
    }

    /** A peer that was let in, by the key where there is one. */
    private StubControlDevice.Peer letIn(final ControlMessages messages, final boolean hasKey) {
        final StubControlDevice.Peer peer = stepped.connect(messages, address(0));
        if (hasKey) {
            send(peer, messages.helloWithAuthentication());
            send(peer, messages.challenge(new byte[ControlDescriptor.NONCE_LENGTH]));
            send(peer, messages.answer(messages.proof(
                KEY, heard(peer), new byte[ControlDescriptor.NONCE_LENGTH], peer.binding())));
        } else {
            send(peer, messages.hello());
        }
        stepped.step();
        return peer;
    }

    /** Under another subscription id and in other words each time, with the key, too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindAnOwnErrorBehindThoseOfAPeerThatRefusesForHours(final boolean hasKey) throws IOException {
        stepped = new SteppedConductor(device, files.errorHandler(), hasKey
            ? new PeerRules(PreSharedKey.of("test", KEY.getBytes(StandardCharsets.US_ASCII)), List.of(),
                PeerQuotas.NONE)
            : PeerRules.EVERYBODY);
        final ControlMessages messages = new ControlMessages(1, 2);
        final StubControlDevice.Peer peer = letIn(messages, hasKey);
        for (int i = 1; i <= REFUSALS; i++) {
            send(peer, messages.subscribe(i, SteppedConductor.STREAM_ID, SteppedConductor.CHANNEL));
            stepped.step();
            send(peer, messages.refuse(
                heard(peer).linkIds().getLast(), RefuseReason.RESOURCES, HexFormat.of().formatHex(letters(i))));
            send(peer, messages.unsubscribe(i));
            stepped.step();
        }
        assertEquals(REFUSALS, stepped.count(TransportCounter.LINKS_REFUSED));
        assertOwnErrorIsFound();
        assertTrue(told.stream().filter(error -> error.getMessage().contains("refuses a link")).count() > 100,
            () -> "told=" + told.size());
    }

    /** No program there has said it, but the kernel, in whose answers root has numbers of 16 bits to choose from. */
    @Test
    void shouldFindAnOwnErrorBehindThoseOfAHostWhoseKernelRejects() throws IOException {
        final int connects = dial(Connection.State.REJECTED, false, 2_000, 2 * Failures.QUIET_NS);
        assertEquals(connects, new HashSet<>(told.stream().map(Throwable::getMessage).toList()).size());
        assertOwnErrorIsFound();
    }

    @Test
    void shouldTellAStrangerWithoutWhatChangesEachTime() throws IOException {
        for (int i = 0; i < 10; i++) {
            device.request(NONSENSE, "10.77.0.2:" + (40_000 + i));
            stepped.advance(2 * Failures.QUIET_NS);
        }
        assertEquals(10, told.size(), "each after a long time");
        final Set<String> texts = new HashSet<>();
        told.forEach(error -> texts.add(error.getMessage()));
        assertEquals(1, texts.size(), texts::toString);
        assertEquals(1, errors().size(), errors()::toString);
    }
}
