package io.sluice.samples;

import io.sluice.transport.Publication;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice publish}: publishers, each with its own thread and publication, and their rate every second.
 */
@Command(
    name = "publish",
    description = "Publishes numbered messages and tells the rate every second, until Ctrl-C. \"sluice subscribe\" in"
        + " another terminal receives them; either may be started first.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class PublishCommand implements Callable<Integer> {
    static final int MAX_THREADS = 64;
    private static final String MESSAGE_LENGTH = "--message-length";
    private static final long MAX_RATE = 1_000_000_000L;
    private static final long REPORT_INTERVAL_MS = 1000;

    private final List<StreamPublisher> publishers = new ArrayList<>();
    private int messageLength;
    private int publisherCount;
    private long rate;
    private long messages;

    @Mixin
    private final StreamOptions options = new StreamOptions(StreamOptions.DEFAULT_STREAM);

    @Spec
    private CommandSpec command;

    @Option(names = "--publishers", order = 10, paramLabel = "N", defaultValue = "1",
        description = "Publications, each with a thread of its own. Default: ${DEFAULT-VALUE}")
    void publishers(final WrittenNumber value) {
        publisherCount = (int) OptionMistake.within(command, "--publishers", value, 1, MAX_THREADS);
    }

    @Option(names = MESSAGE_LENGTH, order = 11, paramLabel = "BYTES", defaultValue = "32",
        description = "Length of a message, at least " + StreamSubscriber.MIN_MESSAGE_LENGTH
            + " for its number. Default: ${DEFAULT-VALUE}")
    void messageLength(final WrittenNumber value) {
        messageLength = (int) OptionMistake.within(
            command, MESSAGE_LENGTH, value, StreamSubscriber.MIN_MESSAGE_LENGTH, Integer.MAX_VALUE);
    }

    @Option(names = "--rate", order = 12, paramLabel = "PER-SECOND", defaultValue = "0",
        description = "Messages per second of each publisher, while a subscriber is there. 0: as many as possible."
            + " Default: ${DEFAULT-VALUE}")
    void rate(final WrittenNumber value) {
        rate = OptionMistake.within(command, "--rate", value, 0, MAX_RATE);
    }

    @Option(names = "--messages", order = 13, paramLabel = "N", defaultValue = "0",
        description = "End when each publisher has sent so many. 0: go on until Ctrl-C. Default: ${DEFAULT-VALUE}")
    void messages(final WrittenNumber value) {
        messages = OptionMistake.within(command, "--messages", value, 0, Long.MAX_VALUE);
    }

    @Override
    public Integer call() throws InterruptedException {
        final List<Publication> publications = new ArrayList<>();
        try (StopSignal stop = new StopSignal()) {
            try (Endpoint here = options.open("publish"); SampleThreads threads = new SampleThreads(stop)) {
                for (int i = 0; i < publisherCount; i++) {
                    final Publication publication = here.addExclusivePublication(options.stream());
                    OptionMistake.check(command, MESSAGE_LENGTH, messageLength, StreamSubscriber.MIN_MESSAGE_LENGTH,
                        publication.maxMessageLength());
                    publications.add(publication);
                    publishers.add(new StreamPublisher(
                        publication, messageLength, rate, messages == 0 ? Long.MAX_VALUE : messages, stop));
                }
                System.out.println("Publishing on " + options.channel() + ", stream " + options.stream() + ", "
                    + publisherCount + " publishers, " + messageLength + " bytes, until Ctrl-C");
                publishers.forEach(publisher -> threads.start("publisher", publisher));
                report(threads);
            }
            final boolean isDrained = publications.stream().allMatch(Publication::isDrained);
            System.out.println(outcome(total(StreamPublisher::sent), isDrained,
                publishers.stream().anyMatch(StreamPublisher::isUnconnected)));
        }
        return ExitCode.OK;
    }

    static String outcome(final long sent, final boolean isDrained, final boolean hasLostAll) {
        if (sent == 0) {
            return "Sent no message: nobody has subscribed";
        }
        return String.format(Locale.ROOT, "Sent %,d messages; %s", sent, hasLostAll
            ? "no subscriber was left at the end, and those before may lack the latest"
            : isDrained ? "every subscriber that stayed has received them" : "not every subscriber has confirmed them");
    }

    private void report(final SampleThreads threads) throws InterruptedException {
        final RateMeter meter = new RateMeter(System.nanoTime());
        long lastSent = 0;
        long lastBackPressured = 0;
        boolean hasEnded = false;
        while (!hasEnded) {
            hasEnded = threads.awaitEnd(REPORT_INTERVAL_MS);
            final long sent = total(StreamPublisher::sent);
            final long backPressured = total(StreamPublisher::backPressured);
            final long refused = backPressured - lastBackPressured;
            System.out.printf(Locale.ROOT, "%s   back-pressured %5.1f%% of offers   %d of %d connected%n",
                meter.line(System.nanoTime(), sent, sent * messageLength),
                100.0 * refused / Math.max(1, refused + sent - lastSent),
                publishers.stream().filter(StreamPublisher::isConnected).count(), publisherCount);
            Output.requireArrived(System.out);
            lastSent = sent;
            lastBackPressured = backPressured;
        }
    }

    private long total(final ToLongFunction<StreamPublisher> count) {
        return publishers.stream().mapToLong(count).sum();
    }
}
