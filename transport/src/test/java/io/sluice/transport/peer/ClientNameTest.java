package io.sluice.transport.peer;

import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer's name for people, wherever it is shown: nothing of it stands there when the peer has none. */
class ClientNameTest {
    private final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());

    @ParameterizedTest
    @CsvSource({"risk, pid 1 client=risk, : client=risk", "'', pid 1, ''"})
    void shouldShowTheNameOfAPeerThatHasOne(final String name, final String ofLink, final String ofLoss) {
        final ControlMessages messages = new ControlMessages(1, 2);
        final Peer peer = stepped.connect(messages, "pid 1");
        send(peer, messages.hello(name));
        send(peer, messages.subscribe(7, SteppedConductor.STREAM_ID, SteppedConductor.CHANNEL));
        stepped.step();
        assertEquals(List.of(ofLink), stepped.publication().links().all().stream()
            .map(link -> link.id().peerName()).toList());

        peer.hangUp();
        stepped.step();
        final String lost = stepped.errors("without a goodbye").getFirst().getMessage();
        assertTrue(lost.endsWith("without a goodbye" + ofLoss), lost);
    }
}
