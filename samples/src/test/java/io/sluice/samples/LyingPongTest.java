package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ping notices answers that do not fit its pings: in a process of its own it talks to a pong of ours that lies once.
 */
class LyingPongTest {
    private static final int LIE_AT = 50;

    @TempDir
    private Path folder;
    private int messages;

    @Test
    void shouldFailWhenAnAnswerIsLost() throws Exception {
        assertPingSays("lost: pong 49 is missing, after it came pong 50", (publication, buffer) -> {
            if (++messages != LIE_AT) {
                send(publication, buffer);
            }
        });
    }

    @Test
    void shouldFailWhenAnAnswerComesTwice() throws Exception {
        assertPingSays("duplicated: pong 49 came again when pong 50 was expected", (publication, buffer) -> {
            send(publication, buffer);
            if (++messages == LIE_AT) {
                send(publication, buffer);
            }
        });
    }

    @Test
    void shouldFailWhenAnAnswerIsCutShort() throws Exception {
        assertPingSays("changed: pong 49 has 24 bytes instead of 32", (publication, buffer) -> {
            if (++messages == LIE_AT) {
                offer(publication, buffer, 24);
            } else {
                send(publication, buffer);
            }
        });
    }

    private void assertPingSays(final String complaint, final Liar liar) throws Exception {
        final Context context = new Context().directory(folder.resolve("fabric"));
        try (Transport transport = Transport.launch(context);
            Publication pongs =
                transport.addExclusivePublication(EndpointOptions.DEFAULT_CHANNEL, EndpointOptions.DEFAULT_STREAM + 1);
            Subscription pings =
                transport.addSubscription(EndpointOptions.DEFAULT_CHANNEL, EndpointOptions.DEFAULT_STREAM);
            SluiceProcess ping = SluiceProcess.command(
                folder, "ping", "--timeout", "100", "--messages", "100", "--warmup", "0", "--rate", "1000")) {
            final FragmentHandler handler = (buffer, offset, length, header) -> liar.answer(pongs, buffer);
            while (!pongs.isConnected() && ping.isAlive()) {
                LockSupport.parkNanos(1);
            }
            while (ping.isAlive()) {
                if (pings.poll(handler, 1) == 0) {
                    LockSupport.parkNanos(1);
                }
            }
            assertEquals(1, ping.exitCode(), ping::output);
            assertTrue(ping.errorLines().getLast().contains(complaint), () -> ping.output());
        }
    }

    private static void send(final Publication publication, final DirectBuffer message) {
        offer(publication, message, message.capacity());
    }

    private static void offer(final Publication publication, final DirectBuffer message, final int length) {
        // Not connected any more: ping has heard enough.
        while (publication.offer(message, 0, length) < 0 && publication.isConnected()) {
            Thread.onSpinWait();
        }
    }

    /** Answers a ping in its own way. */
    private interface Liar {
        void answer(Publication publication, DirectBuffer message);
    }
}
