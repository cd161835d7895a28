package io.sluice.samples;

import io.sluice.transport.CompletionMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Options that ping and pong share: where they meet.
 */
final class EndpointOptions {
    static final String DEFAULT_CHANNEL = "sluice:ipc?endpoint=ping-pong|mode=invoker";
    static final int DEFAULT_STREAM = 1002;

    private static final String PONG_CHANNEL = "--pong-channel";
    private static final String COMPLETION = "--completion";
    private static final String POLLED = "mode=dedicated";
    private static final String NOT_POLLED = "mode=invoker";
    private static final String RDMA = "sluice:rdma";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--channel", order = 20, paramLabel = "URI", description = {
        "Where ping and pong meet. Default:", DEFAULT_CHANNEL,
        "(ping-pong adds its process id to the endpoint, to be alone there)"})
    private String channel;

    @Option(names = PONG_CHANNEL, order = 22, paramLabel = "URI", description = {
        "Where the pongs come back. Default: the same; sluice:rdma needs another one, since a",
        "process listens at each."})
    private String pongChannel;

    private CompletionMode completion;

    private int stream = DEFAULT_STREAM;

    @Option(names = "--no-pin", order = 32, description = "Let the operating system choose the processors.")
    private boolean isUnpinned;

    @Option(names = "--stream", order = 21, paramLabel = "ID", defaultValue = "" + DEFAULT_STREAM,
        description = "Stream of the pings; the pongs come on the next one. Default: ${DEFAULT-VALUE}")
    void stream(final WrittenNumber value) {
        stream = (int) OptionMistake.within(command, "--stream", value, Integer.MIN_VALUE, Integer.MAX_VALUE - 1L);
    }

    @Option(names = COMPLETION, order = 23, paramLabel = "MODE", description = {
        "Put a poller between the device and the threads of ping and pong, and choose how it learns",
        "of messages: spin, event or adaptive. Default: no poller, they poll for themselves."})
    void completion(final String value) {
        completion = completionMode(value);
    }

    private CompletionMode completionMode(final String value) {
        for (final CompletionMode mode : CompletionMode.values()) {
            if (word(mode).equals(value)) {
                return mode;
            }
        }
        throw OptionMistake.of(command, COMPLETION, value, "is not one of spin, event, adaptive");
    }

    private static String word(final CompletionMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    String channel() {
        return channel == null ? defaultChannel() : polled(channel);
    }

    private String defaultChannel() {
        return completion == null ? DEFAULT_CHANNEL : DEFAULT_CHANNEL.replace(NOT_POLLED, POLLED);
    }

    String pongChannel() {
        return pongChannel == null ? channel() : polled(pongChannel);
    }

    /** Adds a poller to a channel, if one is asked for: the last of equal keys counts. */
    private String polled(final String text) {
        if (completion == null || text.endsWith(POLLED)) {
            return text;
        }
        if (text.contains(NOT_POLLED)) {
            throw OptionMistake.of(command, COMPLETION, word(completion), "needs a poller: leave out " + NOT_POLLED);
        }
        return text + (text.contains("?") ? "|" : "?") + POLLED;
    }

    /** The cores on which the threads of ping and pong run. */
    Cores cores() {
        final Cores cores = Cores.ofThisProcess();
        return completion == null ? cores : cores.besidePollers();
    }

    /**
     * Makes the channel this process's own, where the user names none: two pings on one channel would hear each other's
     * pongs.
     */
    void makeDefaultChannelUnique() {
        if (channel == null) {
            channel = defaultChannel().replace("ping-pong", "ping-pong-" + ProcessHandle.current().pid());
        }
    }

    /** The settings that are told before a run, by name. */
    Map<String, String> settings(final String mode) {
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("channel", channel() + (pongChannel().equals(channel()) ? "" : ", back " + pongChannel()));
        settings.put("streams", pingStream() + " (pings), " + pongStream() + " (pongs)");
        settings.put("mode", mode);
        return settings;
    }

    int pingStream() {
        return stream;
    }

    int pongStream() {
        return stream + 1;
    }

    /** The core to use: the one asked for, else the default one. */
    int core(final Cores cores, final String option, final Integer wanted, final int defaultCore) {
        return cores.choose(command, option, wanted, isUnpinned, defaultCore);
    }

    /** The arguments that give the pong command these options. */
    List<String> arguments(final int pongCore) {
        final List<String> arguments = new ArrayList<>(List.of(
            "--channel", channel(), PONG_CHANNEL, pongChannel(), "--stream", Integer.toString(stream)));
        if (completion != null) {
            arguments.addAll(List.of(COMPLETION, word(completion)));
        }
        if (pongCore == Cores.NONE) {
            arguments.add("--no-pin");
        } else {
            arguments.addAll(List.of(PongCommand.CORE, Integer.toString(pongCore)));
        }
        return arguments;
    }

    /** Launches a transport, and names the option that was wrong, if one was. */
    Endpoint open(final String clientName) {
        if (channel().startsWith(RDMA) && pongChannel().equals(channel())) {
            throw OptionMistake.of(command, PONG_CHANNEL, pongChannel(), "must be another one than --channel:"
                + " over rdma pong listens at the one, and ping at the other");
        }
        return Endpoint.open(clientName, channel(), completion, reason ->
            OptionMistake.of(command, "--channel", channel(), "cannot be used: " + reason));
    }

    /** Returns an opened endpoint, to add on the channel of the pongs. */
    Endpoint ofPongs(final Endpoint opened) {
        return pongChannel == null ? opened : opened.on(pongChannel(), reason ->
            OptionMistake.of(command, PONG_CHANNEL, pongChannel(), "cannot be used: " + reason));
    }
}
