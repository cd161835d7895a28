package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "control=a; belong together", "control-mode=dynamic; belong together",
        "control=a|control-mode=manual; control-mode=manual", "control=a|control-mode=dynamic|endpoint=b; no endpoint",
        "control=a/b|control-mode=dynamic; control=a/b"
    })
    void shouldNameWhatIsWrong(final String parameters, final String expected) {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?" + parameters)).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
