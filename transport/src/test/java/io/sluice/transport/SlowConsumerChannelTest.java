package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.stream.SlowConsumerPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of a channel for consumers that are too slow. */
class SlowConsumerChannelTest {
    private final Context context =
        new Context().eviction(new EvictionOptions().evictAfterNs(7_000_000).evictBehindPercent(60));

    private SlowConsumerPolicy parse(final String parameters, final SubscriptionMode mode) {
        return SlowConsumerPolicies.parse(ChannelUri.parse("sluice:ipc?" + parameters), mode, context);
    }

    private String refuse(final String parameters, final SubscriptionMode mode) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> parse(parameters, mode));
        assertTrue(ex.getMessage().endsWith("channel=sluice:ipc?" + parameters)
            || ex.getMessage().startsWith("out of range"), ex.getMessage());
        return ex.getMessage();
    }

    @Test
    void shouldGateUnlessTold() {
        for (final SubscriptionMode mode : SubscriptionMode.values()) {
            assertFalse(parse("endpoint=a", mode).isEvicting());
            assertFalse(parse("slow=gate", mode).isEvicting());
        }
    }

    @Test
    void shouldTakeWhatIsLeftOutFromTheContext() {
        assertEquals(new SlowConsumerPolicy(60, 7_000_000, Configuration.EVICT_TIMEOUT_DEFAULT_NS),
            parse("slow=evict", SubscriptionMode.DEDICATED));
        assertEquals(new SlowConsumerPolicy(100, 1_000_000, 2_000_000_000),
            parse("slow=evict|evict-behind=100|evict-after=1ms|evict-timeout=2s|log=copied",
                SubscriptionMode.DEDICATED));
    }

    @ParameterizedTest
    @CsvSource({
        "slow=evict|evict-behind=0, evict-behind=0, minimum=1",
        "slow=evict|evict-behind=101, evict-behind=101, maximum=100",
        "slow=evict|evict-after=999us, evict-after=999us, minimum=1000000",
        "slow=evict|evict-timeout=3601s, evict-timeout=3601s, maximum=3600000000000"
    })
    void shouldNameAValueOutOfRangeAndItsBound(final String parameters, final String value, final String bound) {
        final String message = refuse(parameters, SubscriptionMode.DEDICATED);
        assertTrue(message.contains(value), message);
        assertTrue(message.contains(bound), message);
    }

    @ParameterizedTest
    @CsvSource({
        "evict-after=1s, evict-after=1s, without slow=evict",
        "slow=gate|evict-behind=50, evict-behind=50, without slow=evict",
        "slow=drop, slow=drop, 'known=gate,evict'",
        "slow=evict|log=shared, slow=evict, memory can be abandoned to a handler only when"
    })
    void shouldSayWhyItRefuses(final String parameters, final String value, final String reason) {
        final String message = refuse(parameters, SubscriptionMode.DEDICATED);
        assertTrue(message.contains(value), message);
        assertTrue(message.contains(reason), message);
    }

    @Test
    void shouldRefuseToEvictTheOnlyThreadThereIs() {
        final String invoker = refuse("slow=evict", SubscriptionMode.INVOKER);
        assertTrue(invoker.contains("choose mode=dedicated: slow=evict"), invoker);
        context.threadingMode(ThreadingMode.INVOKER);
        final String driven = refuse("slow=evict", SubscriptionMode.DEDICATED);
        assertTrue(driven.contains("threadingMode=INVOKER"), driven);
    }
}
