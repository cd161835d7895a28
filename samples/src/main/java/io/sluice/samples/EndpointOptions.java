package io.sluice.samples;

import java.util.ArrayList;
import java.util.List;
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

    private int stream = DEFAULT_STREAM;

    @Option(names = "--no-pin", order = 32, description = "Let the operating system choose the processors.")
    private boolean isUnpinned;

    @Option(names = "--stream", order = 21, paramLabel = "ID", defaultValue = "" + DEFAULT_STREAM,
        description = "Stream of the pings; the pongs come on the next one. Default: ${DEFAULT-VALUE}")
    void stream(final int value) {
        stream = (int) OptionMistake.within(command, "--stream", value, Integer.MIN_VALUE, Integer.MAX_VALUE - 1L);
    }

    String channel() {
        return channel == null ? DEFAULT_CHANNEL : channel;
    }

    String pongChannel() {
        return pongChannel == null ? channel() : pongChannel;
    }

    /** To be alone, where the user names no channel: two pings on one channel would hear each other's pongs. */
    void makeDefaultChannelUnique() {
        if (channel == null) {
            channel = DEFAULT_CHANNEL.replace("ping-pong", "ping-pong-" + ProcessHandle.current().pid());
        }
    }

    int pingStream() {
        return stream;
    }

    int pongStream() {
        return stream + 1;
    }

    /** The core to use: the one asked for, else the default one. */
    int core(final Cores cores, final String option, final Integer wanted, final int defaultCore) {
        if (wanted == null) {
            return isUnpinned ? Cores.NONE : defaultCore;
        }
        if (isUnpinned) {
            throw OptionMistake.of(command, option, wanted, "contradicts --no-pin");
        }
        if (!cores.isAllowed(wanted)) {
            throw OptionMistake.of(command, option, wanted, "is not a processor that this process can pin a thread to: "
                + cores);
        }
        return wanted;
    }

    /** The same, for the pong command. */
    List<String> arguments(final int pongCore) {
        final List<String> arguments = new ArrayList<>(List.of(
            "--channel", channel(), PONG_CHANNEL, pongChannel(), "--stream", Integer.toString(stream)));
        if (pongCore == Cores.NONE) {
            arguments.add("--no-pin");
        } else {
            arguments.addAll(List.of(PongCommand.CORE, Integer.toString(pongCore)));
        }
        return arguments;
    }

    /** Launch a transport and name the option that was wrong, if one was. */
    Endpoint open(final String clientName) {
        if (channel().startsWith(RDMA) && pongChannel().equals(channel())) {
            throw OptionMistake.of(command, PONG_CHANNEL, pongChannel(), "must be another one than --channel:"
                + " over rdma pong listens at the one, and ping at the other");
        }
        return Endpoint.open(clientName, channel(), reason ->
            OptionMistake.of(command, "--channel", channel(), "cannot be used: " + reason));
    }

    /** An opened endpoint, to add on the channel of the pongs. */
    Endpoint ofPongs(final Endpoint opened) {
        return pongChannel == null ? opened : opened.on(pongChannel, reason ->
            OptionMistake.of(command, PONG_CHANNEL, pongChannel, "cannot be used: " + reason));
    }
}
