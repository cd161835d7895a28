package io.sluice.samples;

import io.sluice.transport.Subscription;
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
 * {@code sluice subscribe}: subscribers, each with its own thread and subscription, and their rate every second.
 */
@Command(
    name = "subscribe",
    description = "Receives what \"sluice publish\" sends, checks that nothing is missing, and tells the rate every"
        + " second, until Ctrl-C. Either may be started first.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class SubscribeCommand implements Callable<Integer> {
    private static final long REPORT_INTERVAL_MS = 1000;

    private final List<StreamSubscriber> subscribers = new ArrayList<>();
    private int subscriberCount;
    private long messages;

    @Mixin
    private final StreamOptions options = new StreamOptions(StreamOptions.DEFAULT_STREAM);

    @Spec
    private CommandSpec command;

    @Option(names = "--subscribers", order = 10, paramLabel = "N", defaultValue = "1",
        description = "Subscriptions, each with a thread of its own; every one receives every message."
            + " Default: ${DEFAULT-VALUE}")
    void subscribers(final WrittenNumber value) {
        subscriberCount = (int) OptionMistake.within(
            command, "--subscribers", value, 1, PublishCommand.MAX_THREADS);
    }

    @Option(names = "--messages", order = 11, paramLabel = "N", defaultValue = "0",
        description = "End when each subscriber has received so many. 0: go on until Ctrl-C. Default: ${DEFAULT-VALUE}")
    void messages(final WrittenNumber value) {
        messages = OptionMistake.within(command, "--messages", value, 0, Long.MAX_VALUE);
    }

    @Override
    public Integer call() throws InterruptedException {
        try (StopSignal stop = new StopSignal()) {
            try (Endpoint here = options.open("subscribe"); SampleThreads threads = new SampleThreads(stop)) {
                final ImageNotices notices = new ImageNotices("publisher");
                for (int i = 0; i < subscriberCount; i++) {
                    // one of them tells of the publishers: they hear the same ones
                    final Subscription subscription = i == 0
                        ? here.addSubscription(options.stream(), notices, notices)
                        : here.addSubscription(options.stream());
                    subscribers.add(new StreamSubscriber(
                        subscription, messages == 0 ? Long.MAX_VALUE : messages, stop));
                }
                System.out.println("Subscribing to " + options.channel() + ", stream " + options.stream() + ", "
                    + subscriberCount + " subscribers, " + here.mode() + " mode, until Ctrl-C");
                subscribers.forEach(subscriber -> threads.start("subscriber", subscriber));
                report(threads);
            }
            System.out.printf(Locale.ROOT, "Received %,d messages, %,d gaps%n",
                total(StreamSubscriber::received), total(StreamSubscriber::gaps));
        }
        return total(StreamSubscriber::gaps) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void report(final SampleThreads threads) throws InterruptedException {
        final RateMeter meter = new RateMeter(System.nanoTime());
        boolean hasEnded = false;
        while (!hasEnded) {
            hasEnded = threads.awaitEnd(REPORT_INTERVAL_MS);
            System.out.printf(Locale.ROOT, "%s   from %d publishers   %d gaps%n",
                meter.line(System.nanoTime(), total(StreamSubscriber::received), total(StreamSubscriber::bytes)),
                subscribers.getFirst().publishers(), total(StreamSubscriber::gaps));
            Output.requireArrived(System.out);
        }
    }

    private long total(final ToLongFunction<StreamSubscriber> count) {
        return subscribers.stream().mapToLong(count).sum();
    }
}
