package io.sluice.samples;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option that publish, subscribe and market-data share: where publishers and subscribers meet.
 */
final class StreamOptions {
    static final String DEFAULT_CHANNEL = "sluice:ipc?endpoint=samples";
    static final int DEFAULT_STREAM = 1001;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--channel", order = 20, paramLabel = "URI", defaultValue = DEFAULT_CHANNEL,
        description = {"Where publishers and subscribers meet. Default:", "${DEFAULT-VALUE}"})
    private String channel;

    String channel() {
        return channel;
    }

    /** Launch a transport and name the option that was wrong, if one was. */
    Endpoint open(final String clientName) {
        return Endpoint.open(clientName, channel, reason ->
            OptionMistake.of(command, "--channel", channel, "cannot be used: " + reason));
    }
}
