package io.sluice.samples;

import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice market-data}: a made-up market, and the consumers of its feed. The main thread polls and thereby owns
 * the consumers; the market has a thread of its own.
 */
@Command(
    name = "market-data",
    description = "Publishes the feed of a made-up market, builds its books, adds up its trades and shows both every"
        + " second, until Ctrl-C. With --subscribe, in another terminal, only listens to that feed.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class MarketDataCommand implements Callable<Integer> {
    private static final int MAX_INSTRUMENTS = 1000;
    private static final int MESSAGE_LIMIT = 100;
    private static final long MAX_RATE = 10_000_000;
    private static final long REPORT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private int instruments;
    private int shown;
    private long rate;
    private long seconds;
    private StopSignal stop;
    private FeedPublisher feed;

    @Mixin
    private StreamOptions options;

    @Option(names = "--subscribe", order = 9, description = "Only listen to a feed that another process publishes.")
    private boolean isListener;

    @Option(names = "--seed", order = 12, paramLabel = "N", defaultValue = "1",
        description = "Equal seeds make equal markets. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--journal", order = 15, paramLabel = "FILE",
        description = "Keep every message there, each after its length. Default: they are only counted")
    private Path journalFile;

    @Option(names = "--stream", order = 21, paramLabel = "ID", defaultValue = "1005",
        description = "Stream within the channel. Default: ${DEFAULT-VALUE}")
    private int stream;

    @Spec
    private CommandSpec command;

    @Option(names = "--instruments", order = 10, paramLabel = "N", defaultValue = "100",
        description = "Instruments of the market. Default: ${DEFAULT-VALUE}")
    void instruments(final int value) {
        instruments = (int) OptionMistake.within(command, "--instruments", value, 1, MAX_INSTRUMENTS);
    }

    @Option(names = "--rate", order = 11, paramLabel = "PER-SECOND", defaultValue = "20000",
        description = "Events per second; most are one message. 0: as many as possible. Default: ${DEFAULT-VALUE}")
    void rate(final long value) {
        rate = OptionMistake.within(command, "--rate", value, 0, MAX_RATE);
    }

    @Option(names = "--seconds", order = 13, paramLabel = "N", defaultValue = "0",
        description = "End after so many. 0: go on until Ctrl-C. Default: ${DEFAULT-VALUE}")
    void seconds(final long value) {
        seconds = OptionMistake.within(command, "--seconds", value, 0, TimeUnit.DAYS.toSeconds(1));
    }

    @Option(names = "--show", order = 14, paramLabel = "N", defaultValue = "5",
        description = "Instruments to show every second. Default: ${DEFAULT-VALUE}")
    void shown(final int value) {
        shown = (int) OptionMistake.within(command, "--show", value, 0, MAX_INSTRUMENTS);
    }

    @Override
    public Integer call() throws InterruptedException {
        final ErrorHandler errorHandler = error -> System.err.println("sluice market-data: " + error);
        final BookBuilder books = new BookBuilder(instruments, errorHandler);
        final TradeStatistics statistics = new TradeStatistics(instruments, errorHandler);
        try (StopSignal signal = new StopSignal(); MarketJournal journal = MarketJournal.open(journalFile)) {
            stop = signal;
            final MarketConsumers consumers = new MarketConsumers(books, statistics, journal);
            final MarketReport report =
                new MarketReport(System.out, Math.min(shown, instruments), books, statistics, journal);
            try (Endpoint here = options.open("market-data"); SampleThreads threads = new SampleThreads(stop)) {
                final Subscription subscription =
                    here.addSubscription(stream, MarketDataCommand::tellCame, MarketDataCommand::tellWent);
                System.out.printf("%s on %s, stream %d, %s mode, until Ctrl-C%n",
                    isListener ? "Listening for a feed" : "A market of " + instruments + " instruments",
                    options.channel(), stream, here.mode());
                if (!isListener) {
                    feed = new FeedPublisher(here.addPublication(stream), seed, instruments, rate, stop);
                    threads.start("market", feed);
                }
                poll(subscription, consumers, report);
                threads.end();
                while (subscription.poll(consumers, MESSAGE_LIMIT) > 0) {
                    // what the market sent at last
                    continue;
                }
            }
            System.out.printf("Received %,d messages, %,d trades; %d gaps, %d misfits, %d of other feeds%s%n",
                journal.messages(), statistics.trades(), books.gaps(), books.misfits(), consumers.foreign(),
                feed == null ? "" : String.format("; the market sent %,d, %,d offers were back-pressured",
                    feed.sent(), feed.backPressured()));
            return books.gaps() + books.misfits() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private void poll(final Subscription subscription, final MarketConsumers consumers, final MarketReport report) {
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();
        final long startNs = System.nanoTime();
        long reportNs = startNs + REPORT_INTERVAL_NS;
        while (!stop.isRequested()) {
            idleStrategy.idle(subscription.poll(consumers, MESSAGE_LIMIT));
            final long nowNs = System.nanoTime();
            if (nowNs - reportNs >= 0) {
                report.print(nowNs);
                reportNs += REPORT_INTERVAL_NS;
                if (seconds > 0 && nowNs - startNs >= TimeUnit.SECONDS.toNanos(seconds)) {
                    stop.request();
                }
            }
        }
    }

    private static void tellCame(final Image image) {
        System.out.println("feed connected: " + image.sourceIdentity());
    }

    private static void tellWent(final Image image) {
        System.out.println("feed " + (image.isEndOfStream() ? "finished: " : "lost: ") + image.sourceIdentity());
    }
}
