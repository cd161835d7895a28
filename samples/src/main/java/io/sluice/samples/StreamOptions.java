package io.sluice.samples;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Options that publish, subscribe and market-data share: where publishers and subscribers meet.
 */
final class StreamOptions {
    static final String DEFAULT_CHANNEL = "sluice:ipc?endpoint=samples";
    static final int DEFAULT_STREAM = 1001;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--channel", order = 20, paramLabel = "URI", defaultValue = DEFAULT_CHANNEL,
        description = {"Where publishers and subscribers meet. Default:", "${DEFAULT-VALUE}"})
    private String channel;

    @Option(names = "--stream", order = 21, paramLabel = "ID",
        description = "Stream within the channel. Default: ${DEFAULT-VALUE}")
    private int stream;

    /** Options with the stream of those who name none. */
    StreamOptions(final int defaultStream) {
        stream = defaultStream;
    }

    String channel() {
        return channel;
    }

    int stream() {
        return stream;
    }

    /** Launch a transport and name the option that was wrong, if one was. */
    Endpoint open(final String clientName) {
        return Endpoint.open(clientName, channel, reason ->
            OptionMistake.of(command, "--channel", channel, "cannot be used: " + reason));
    }
}
