package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key of a channel that says how long a poller stays away from the log of a dense stream. */
class ModerationChannelTest {
    private final Channels channels = new Channels(new Context().links(new LinkOptions().moderationPeriodNs(7_000)));

    private long periodNs(final String channel) {
        return channels.subscription(channel, 1, SubscriptionMode.INVOKER, CompletionMode.SPIN)
            .logs().moderationPeriodNs();
    }

    @Test
    void shouldTakeWhatIsLeftOutFromTheContext() {
        assertEquals(7_000, periodNs("sluice:ipc"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "500ns, 500", "20us, 20000", "1ms, 1000000"})
    void shouldTakeAPeriodOrNone(final String value, final long periodNs) {
        assertEquals(periodNs, periodNs("sluice:ipc?moderation=" + value));
    }

    @ParameterizedTest
    @CsvSource({"1001us, moderation=1001us, maximum=1000000 unit=ns", "-1, -1, moderation", "soon, soon, moderation"})
    void shouldNameAValueThatIsWrongAndWhatIsRight(final String value, final String named, final String right) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> periodNs("sluice:ipc?moderation=" + value)).getMessage();
        assertTrue(message.contains(named) && message.contains(right), message);
    }
}
