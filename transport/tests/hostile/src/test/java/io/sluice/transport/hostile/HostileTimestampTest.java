package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.Header;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.HostilePublication;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.ControlMessages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A publication that stamps its messages with what it likes: a subscription is told just that. */
class HostileTimestampTest {
    private static final int STREAM_ID = 5;
    private static final long[] STAMPS = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1};
    private static final int KNOWN_FLAG = FrameDescriptor.TIMESTAMP_FLAG;
    private static final int ALL_FLAGS = 0xFF;
    private static final int ALL_OTHER_FLAGS = ALL_FLAGS ^ KNOWN_FLAG;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final ControlMessages messages = new ControlMessages(0x0101_0101_0101_0101L, 1);
    private final List<Long> stamps = new ArrayList<>();
    private final List<Long> reservedValues = new ArrayList<>();

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellWhateverStandsThere(final String parameters) {
        final Transport victim = transports.launch();
        final Subscription subscription = victim.addSubscription(transports.channel(parameters), STREAM_ID);
        try (HostilePeer peer = new HostilePeer(transports.fabric());
            Session session = peer.connect(peer.address(), messages.privateData())) {
            Await.until("a connection", session::isEstablished);
            session.send(messages.hello());
            try (HostilePublication publication =
                new HostilePublication(peer, session, messages, STREAM_ID, !parameters.endsWith("copied"))) {
                Transports.awaitImages(subscription, 1);
                for (final int flags : new int[] {KNOWN_FLAG, ALL_FLAGS, ALL_OTHER_FLAGS}) {
                    for (final long stamp : STAMPS) {
                        publication.memory().putLong(
                            (int) publication.position() + FrameDescriptor.RESERVED_VALUE_OFFSET, stamp);
                        publication.write(FrameDescriptor.lengthWord(
                            HostilePublication.FRAME_LENGTH, flags, FrameDescriptor.DATA_TYPE));
                        receive(subscription);
                    }
                }
            }
        }
        for (int i = 0; i < STAMPS.length; i++) {
            // by a distance that is the same for all of them
            assertEquals(STAMPS[i], stamps.get(i) - stamps.getFirst());
            assertEquals(STAMPS[i], stamps.get(STAMPS.length + i) - stamps.getFirst());
            assertEquals(Header.NO_TIMESTAMP, stamps.get(2 * STAMPS.length + i));
            assertEquals(0, reservedValues.get(i));
            assertEquals(0, reservedValues.get(STAMPS.length + i));
            assertEquals(STAMPS[i], reservedValues.get(2 * STAMPS.length + i));
        }
    }

    private void receive(final Subscription subscription) {
        Await.until("a message", () -> subscription.poll((buffer, offset, length, header) -> {
            stamps.add(header.offerTimestampNs());
            reservedValues.add(header.reservedValue());
        }, 1) == 1);
    }
}
