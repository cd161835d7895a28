package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Channels with {@code control-mode=dynamic}: the publication owns a name, and subscribers join under it. */
class ControlModeTest {
    private static final String CHANNEL = "sluice:ipc?control=prices|control-mode=dynamic";

    @RegisterExtension
    private final Transports transports = new Transports();

    @Test
    void shouldLetAnyNumberOfSubscribersJoinUnderTheName() {
        final Transport publishing = transports.launch();
        final Transport subscribing = transports.launch();
        final ExclusivePublication publication = publishing.addExclusivePublication(CHANNEL, 1);
        final Subscription near = publishing.addSubscription(CHANNEL, 1);
        final Subscription far = subscribing.addSubscription(CHANNEL + "|gtag=3", 1);
        final Subscription elsewhere = subscribing.addSubscription("sluice:ipc?endpoint=prices", 1);
        Transports.awaitConnected(publication, near, far);
        Transports.offer(publication, new byte[] {7});
        assertEquals(7, Transports.receive(near, 1).getFirst()[0]);
        assertEquals(7, Transports.receive(far, 1).getFirst()[0]);
        assertEquals(0, elsewhere.imageCount());
    }

    @Test
    void shouldRefuseTheNameToAnotherTransportWhileItHasAPublication() {
        final Transport owner = transports.launch();
        final Transport other = transports.launch();
        final Publication first = owner.addExclusivePublication(CHANNEL, 1);
        final Publication second = owner.addExclusivePublication(CHANNEL, 2);
        assertRefused(other);
        first.close();
        assertRefused(other);
        second.close();
        Await.accepted("the name to be free", () -> other.addExclusivePublication(CHANNEL, 1));
        assertRefused(owner);
    }

    private static void assertRefused(final Transport transport) {
        final String message = assertThrows(
            IllegalStateException.class, () -> transport.addExclusivePublication(CHANNEL, 1)).getMessage();
        assertTrue(message.contains("control=prices"), message);
        assertTrue(message.contains("in use by pid " + ProcessHandle.current().pid()), message);
    }
}
