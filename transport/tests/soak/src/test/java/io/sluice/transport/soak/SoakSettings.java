package io.sluice.transport.soak;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a soak: what it is to do.
 *
 * @param durationMs  until the last fault, in milliseconds.
 * @param seed        of the faults and of the messages.
 * @param publishers  processes that publish.
 * @param subscribers processes that subscribe.
 * @param channel     {@code sluice:ipc...}, or {@code sluice:rdma?control=HOST:PORT|control-mode=dynamic...}, where
 *                    the publisher of number n has the port PORT + n.
 */
record SoakSettings(long durationMs, long seed, int publishers, int subscribers, String channel) {
    static final String DEFAULT_CHANNEL = "sluice:ipc?endpoint=soak";
    static final int LIVENESS_MS = 4_000;
    static final int RESUME_MS = 2_000;

    /** The stream of subscriptions that are there for a fault only. */
    static final int OTHER_STREAM_ID = 2;

    private static final Pattern ENDPOINT = Pattern.compile("[?|]endpoint=([^|]+)");
    private static final String IPC = "sluice:ipc";
    private static final String RDMA = "sluice:rdma?control=";
    private static final String IN_MEMORY = "|log=shared";
    /** The ways for bytes to arrive, by the number of the subscriber; over rdma there is one way. */
    private static final List<String> LOGS = List.of("|log=copied", IN_MEMORY, "|log=shared|completion=queue");

    /** The reason why the channel cannot be used, or null. */
    String mistake() {
        if (isSoftware()) {
            return channel.equals(IPC) || channel.startsWith(IPC + "?") ? null : "is not a channel of " + IPC;
        }
        return channel.matches("sluice:rdma\\?control=[^:|]+:\\d{1,5}\\|control-mode=dynamic(\\|.*)?")
            ? null : "must be " + RDMA + "HOST:PORT|control-mode=dynamic";
    }

    boolean isSoftware() {
        return !channel.startsWith("sluice:rdma");
    }

    /** The channel of a publisher's process. */
    String ofPublisher(final int number) {
        if (isSoftware()) {
            return channel + (channel.contains("?") ? "" : "?endpoint=soak");
        }
        final int colon = channel.indexOf(':', RDMA.length());
        final int end = channel.indexOf('|');
        return channel.substring(0, colon + 1) + (Integer.parseInt(channel.substring(colon + 1, end)) + number)
            + channel.substring(end);
    }

    /** The channels of a subscriber's process, {@code a;b;...}. */
    String ofSubscriber(final int number) {
        return ofAllPublishers(how(number));
    }

    /** The channel of a subscriber's process to one publisher's. */
    String ofSubscriber(final int number, final int publisher) {
        return ofPublisher(publisher) + how(number);
    }

    private String how(final int number) {
        return "|mode=" + (number % 2 == 0 ? "invoker" : "dedicated")
            + (isSoftware() ? LOGS.get(number % LOGS.size()) : "");
    }

    /** Whether what comes to a subscriber's process completes in queues, which may overrun. */
    boolean completesInQueues(final int number) {
        return !isSoftware() || !LOGS.get(number % LOGS.size()).equals(IN_MEMORY);
    }

    /** Whether a subscriber's process reads what others write where they keep it themselves. */
    boolean readsSharedLogs(final int number) {
        return isSoftware() && LOGS.get(number % LOGS.size()).startsWith(IN_MEMORY);
    }

    /** The name under which all listen, where it is the software device that they meet on. */
    String service() {
        final Matcher endpoint = ENDPOINT.matcher(ofPublisher(0));
        return "ipc/" + (endpoint.find() ? endpoint.group(1) : "default");
    }

    /** Channels of a subscriber that is taken out when it is too slow. */
    String ofEvicted() {
        return ofAllPublishers("|mode=dedicated|log=copied|slow=evict|evict-after=100ms");
    }

    private String ofAllPublishers(final String parameters) {
        if (isSoftware()) {
            return ofPublisher(0) + parameters;
        }
        final StringBuilder all = new StringBuilder();
        for (int i = 0; i < publishers; i++) {
            all.append(i == 0 ? "" : ";").append(ofPublisher(i)).append(parameters);
        }
        return all.toString();
    }
}
