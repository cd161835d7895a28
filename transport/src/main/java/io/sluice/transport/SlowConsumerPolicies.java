package io.sluice.transport;

import io.sluice.transport.stream.SlowConsumerPolicy;
import java.util.List;

/**
 * The channel keys {@code slow}, {@code evict-behind}, {@code evict-after} and {@code evict-timeout}. Stateless; any
 * thread.
 */
final class SlowConsumerPolicies {
    private static final String GATE = "gate";
    private static final String EVICT = "evict";
    private static final List<String> EVICT_KEYS =
        List.of(ChannelUri.EVICT_BEHIND, ChannelUri.EVICT_AFTER, ChannelUri.EVICT_TIMEOUT);

    private SlowConsumerPolicies() {
    }

    static SlowConsumerPolicy parse(final ChannelUri uri, final SubscriptionMode mode, final Context context) {
        final boolean isEvicting = uri.wordValue(ChannelUri.SLOW, GATE, List.of(GATE, EVICT)).equals(EVICT);
        if (!isEvicting) {
            for (final String key : EVICT_KEYS) {
                if (uri.has(key)) {
                    throw mistake(key + " says when a consumer is evicted, which it never is without "
                        + ChannelUri.SLOW + "=" + EVICT, key, uri);
                }
            }
            return SlowConsumerPolicy.GATE;
        }
        if (mode != SubscriptionMode.DEDICATED) {
            throw mistake("in INVOKER mode the thread that polls takes messages straight from the window, and there is"
                + " no ring that it could leave to others: choose mode=dedicated", ChannelUri.SLOW, uri);
        }
        if (context.threadingMode() != ThreadingMode.DEDICATED) {
            throw mistake("without threads of its own a transport runs handlers, poller and conductor in turn, and none"
                + " of them can wait for another: threadingMode=" + context.threadingMode(), ChannelUri.SLOW, uri);
        }
        if ("shared".equals(uri.value(ChannelUri.LOG))) {
            throw mistake("memory can be abandoned to a handler only when it is the subscription's own, and "
                + ChannelUri.LOG + "=shared is the publication's: leave it out", ChannelUri.SLOW, uri);
        }
        final EvictionOptions eviction = context.eviction();
        return new SlowConsumerPolicy(
            uri.intValue(
                ChannelUri.EVICT_BEHIND, eviction.evictBehindPercent(), 1, Configuration.EVICT_BEHIND_MAX),
            duration(uri, ChannelUri.EVICT_AFTER, eviction.evictAfterNs()),
            duration(uri, ChannelUri.EVICT_TIMEOUT, eviction.evictTimeoutNs()));
    }

    private static long duration(final ChannelUri uri, final String key, final long defaultNs) {
        return uri.durationNsValue(key, defaultNs, Configuration.TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
    }

    private static IllegalArgumentException mistake(final String what, final String key, final ChannelUri uri) {
        return new IllegalArgumentException(what + ": " + key + "=" + uri.value(key) + " channel=" + uri);
    }
}
