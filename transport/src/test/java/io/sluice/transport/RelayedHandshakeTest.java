package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.harness.Await;
import io.sluice.transport.harness.CapturedMessages;
import io.sluice.transport.harness.ControlMessages;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.KeyFile;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Listener;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process without the key between two that hold it: one of them dials it, it dials the other one, and passes on what
 * each says under the other's name.
 */
class RelayedHandshakeTest {
    private static final int STREAM_ID = 5;
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private HostilePeer relay;
    /** Dials whom it finds by the smaller id. */
    private Transport greater;
    private Transport smaller;
    private String address;
    private String greaterId;

    @BeforeEach
    void launch() {
        TestMedium.assumeIpc();
        final Transport one = launch("one");
        final Transport two = launch("two");
        relay = new HostilePeer(transports.fabric());
        final String addressOfOne = relay.awaitListener("ipc/one");
        final String addressOfTwo = relay.awaitListener("ipc/two");
        final boolean isOneGreater = idOf(addressOfOne).compareTo(idOf(addressOfTwo)) > 0;
        greater = isOneGreater ? one : two;
        smaller = isOneGreater ? two : one;
        address = isOneGreater ? addressOfTwo : addressOfOne;
        greaterId = idOf(isOneGreater ? addressOfOne : addressOfTwo);
    }

    private Transport launch(final String name) {
        final Transport transport = transports.launch(context -> context
            .preSharedKeyFile(KeyFile.of(folder, KEY))
            .handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1)));
        transport.addSubscription(transports.channel("endpoint=" + name), STREAM_ID);
        return transport;
    }

    @AfterEach
    void close() {
        CloseHelper.close(relay);
    }

    private static String idOf(final String address) {
        return address.substring(address.lastIndexOf('/') + 1);
    }

    private static ControlMessages named(final String id) {
        return new ControlMessages(
            Long.parseUnsignedLong(id.substring(0, 16), 16), Long.parseUnsignedLong(id.substring(16), 16));
    }

    @Test
    void shouldNotBeProvedByAnAnswerToAnotherConnection() {
        try (Listener listener = relay.listen("ipc/meeting/" + idOf(address))) {
            final Publication publication =
                greater.addPublication(transports.channel("endpoint=meeting"), STREAM_ID);
            try (Session ofGreater = relay.accept(listener);
                Session ofSmaller = relay.connect(address, named(greaterId).privateData())) {
                final int[] passed = {0, 0};
                Await.until("both to hang up", () -> {
                    passed[0] = pass(ofGreater, ofSmaller, passed[0]);
                    passed[1] = pass(ofSmaller, ofGreater, passed[1]);
                    return ofGreater.isOver() && ofSmaller.isOver();
                });
                // who has dialled begins; who was dialled answers nobody who has not proved itself
                assertEquals(List.of("Hello", "Challenge", "Answer"), said(ofGreater).names());
                assertEquals(List.of("Hello", "Challenge", "Goodbye"), said(ofSmaller).names());
                assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(ofSmaller).goodbye());
            }
            assertFalse(publication.isConnected());
        }
        assertTrue(greater.counters().get(TransportCounter.PEERS_REFUSED)
            + smaller.counters().get(TransportCounter.PEERS_REFUSED) > 0);
        transports.awaitError("peer refused", "AUTHENTICATION_FAILED");
    }

    private static int pass(final Session from, final Session to, final int passed) {
        final List<byte[]> received = from.received();
        for (int i = passed; i < received.size(); i++) {
            to.send(received.get(i));
        }
        return received.size();
    }

    /** Its own proof is none of the one that it has dialled. */
    @Test
    void shouldNotBeProvedByItsOwnAnswer() {
        final String id = idOf(address);
        try (Listener listener = relay.listen("ipc/meeting/" + id)) {
            final Publication publication =
                greater.addPublication(transports.channel("endpoint=meeting"), STREAM_ID);
            try (Session session = relay.accept(listener)) {
                Await.until("a challenge", () -> said(session).nonce() != null);
                session.send(named(id).helloWithAuthentication());
                session.send(named(id).challenge(said(session).nonce()));
                Await.until("an answer", () -> said(session).digest() != null);
                session.send(named(id).answer(said(session).digest()));
                session.awaitOver();
                assertEquals(List.of("Hello", "Challenge", "Answer", "Goodbye"), said(session).names());
                assertEquals(GoodbyeReason.AUTHENTICATION_FAILED, said(session).goodbye());
            }
            assertFalse(publication.isConnected());
        }
        assertTrue(greater.counters().get(TransportCounter.PEERS_REFUSED) > 0);
        transports.awaitError("peer refused", "AUTHENTICATION_FAILED");
    }

    private static CapturedMessages said(final Session session) {
        final CapturedMessages heard = new CapturedMessages();
        final ControlMessageReader reader = new ControlMessageReader(heard);
        for (final byte[] message : session.received()) {
            reader.read(new UnsafeBuffer(message), 0, message.length);
        }
        return heard;
    }
}
