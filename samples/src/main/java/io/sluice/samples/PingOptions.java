package io.sluice.samples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Options of the measuring side. Every setter checks its value, so that a mistake is told before anything starts.
 */
final class PingOptions {
    static final String CORE = "--ping-core";
    private static final String MESSAGE_LENGTH = "--message-length";
    /** The most messages, which keeps times and positions within 64 bits, and runs within a day. */
    private static final long MAX_MESSAGES = 1_000_000_000L;
    private static final long MAX_RATE = 1_000_000_000L;
    private static final int MAX_WARM_UP_ROUNDS = 1_000_000;
    private static final int MAX_TIMEOUT_SECONDS = 3600;

    private long messages;
    private int messageLength;
    private int warmUpRounds;
    private long rate;
    private long timeoutSeconds;
    private Path histogram;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = CORE, order = 30, paramLabel = "CPU",
        description = "Processor for ping's thread. Default: chosen")
    private Integer core;

    @Option(names = "--messages", order = 10, paramLabel = "N", defaultValue = "1000000",
        description = "Messages to measure. Default: ${DEFAULT-VALUE}")
    void messages(final WrittenNumber value) {
        messages = OptionMistake.within(command, "--messages", value, 1, MAX_MESSAGES);
    }

    @Option(names = MESSAGE_LENGTH, order = 11, paramLabel = "BYTES", defaultValue = "32",
        description = "Length of a message, at least " + PongHandler.MIN_MESSAGE_LENGTH
            + " for sequence number and timestamp. Default: ${DEFAULT-VALUE}")
    void messageLength(final WrittenNumber value) {
        messageLength = (int) OptionMistake.within(
            command, MESSAGE_LENGTH, value, PongHandler.MIN_MESSAGE_LENGTH, Integer.MAX_VALUE);
    }

    @Option(names = "--warmup", order = 12, paramLabel = "ROUNDS", defaultValue = "10",
        description = "Rounds of 10,000 messages before the measurement. Default: ${DEFAULT-VALUE}")
    void warmUpRounds(final WrittenNumber value) {
        warmUpRounds = (int) OptionMistake.within(command, "--warmup", value, 0, MAX_WARM_UP_ROUNDS);
    }

    @Option(names = "--rate", order = 13, paramLabel = "PER-SECOND", defaultValue = "0",
        description = "Messages per second on a fixed schedule. Times count from when a message was due, so that a"
            + " stall is charged to all it held up. 0: each leaves when the last one was answered."
            + " Default: ${DEFAULT-VALUE}")
    void rate(final WrittenNumber value) {
        rate = OptionMistake.within(command, "--rate", value, 0, MAX_RATE);
    }

    @Option(names = "--timeout", order = 22, paramLabel = "SECONDS", defaultValue = "10",
        description = "How long to wait for pong to connect, and for an answer. Default: ${DEFAULT-VALUE}")
    void timeout(final WrittenNumber value) {
        timeoutSeconds = OptionMistake.within(command, "--timeout", value, 1, MAX_TIMEOUT_SECONDS);
    }

    @Option(names = "--histogram", order = 14, paramLabel = "FILE",
        description = "Also write the distribution, in microseconds, to a file that HdrHistogram's plotter reads.")
    void histogram(final Path value) {
        final Path folder = value.toAbsolutePath().getParent();
        final Path target = Files.exists(value) ? value : folder;
        if (folder == null || Files.isDirectory(value) || !Files.isDirectory(folder) || !Files.isWritable(target)) {
            throw OptionMistake.of(command, "--histogram", value, "is not a file that can be written");
        }
        histogram = value;
    }

    long messages() {
        return messages;
    }

    int messageLength() {
        return messageLength;
    }

    int warmUpRounds() {
        return warmUpRounds;
    }

    long rate() {
        return rate;
    }

    long timeoutNs() {
        return TimeUnit.SECONDS.toNanos(timeoutSeconds);
    }

    Path histogram() {
        return histogram;
    }

    Integer core() {
        return core;
    }

    /** Checks the message length against the greatest one, which only the publication knows. */
    void checkMessageLength(final int maximum) {
        OptionMistake.check(command, MESSAGE_LENGTH, messageLength, PongHandler.MIN_MESSAGE_LENGTH, maximum);
    }
}
