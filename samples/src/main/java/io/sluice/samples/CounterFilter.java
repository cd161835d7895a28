package io.sluice.samples;

import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import picocli.CommandLine.Option;

/**
 * Options that choose streams.
 */
final class CounterFilter {
    @Option(names = "--channel", order = 10, paramLabel = "TEXT",
        description = "Only counters of channels that contain this text.")
    private String channel;

    @Option(names = "--stream", order = 11, paramLabel = "ID", description = "Only counters of this stream id.")
    private Integer stream;

    @Option(names = "--session", order = 12, paramLabel = "ID", description = "Only counters with that session id.")
    private Integer session;

    boolean accepts(final CounterReading reading) {
        final CounterScope scope = reading.type().scope();
        if (!scope.hasStream()) {
            return channel == null && stream == null && session == null;
        }
        return (channel == null || reading.channel().contains(channel))
            && (stream == null || stream == reading.key().streamId())
            && (session == null || scope.hasSession() && session == reading.key().sessionId());
    }
}
