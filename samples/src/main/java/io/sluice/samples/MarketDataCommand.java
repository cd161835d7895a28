package io.sluice.samples;

import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice market-data}: a made-up market, and the consumers of its feed. The market and each consumer have
 * threads of their own; the main thread shows what the consumers publish.
 * <pre>
 *   market --publication--> subscription's ring --+--> books ------+--> journal
 *                                                 +--> statistics -+
 * </pre>
 */
@Command(
    name = "market-data",
    description = "Publishes the feed of a made-up market, builds its books, adds up its trades and shows both every"
        + " second, until Ctrl-C. With --subscribe, in another terminal, only listens to that feed.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class MarketDataCommand implements Callable<Integer> {
    private static final int DEFAULT_STREAM = 1005;
    private static final int MAX_INSTRUMENTS = 1000;
    private static final long MAX_RATE = 10_000_000;
    private static final long REPORT_INTERVAL_MS = 1000;
    private static final long FINISH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private int instruments;
    private int shown;
    private long rate;
    private long seconds;

    @Mixin
    private final StreamOptions options = new StreamOptions(DEFAULT_STREAM);

    @Option(names = "--subscribe", order = 9, description = "Only listen to a feed that another process publishes.")
    private boolean isListener;

    @Option(names = "--seed", order = 12, paramLabel = "N", defaultValue = "1",
        description = "Equal seeds make equal markets. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--journal", order = 15, paramLabel = "FILE",
        description = "Keep every message there, each after its length. Default: they are only counted")
    private Path journalFile;

    @Spec
    private CommandSpec command;

    @Option(names = "--instruments", order = 10, paramLabel = "N", defaultValue = "100",
        description = "Instruments of the market. Default: ${DEFAULT-VALUE}")
    void instruments(final WrittenNumber value) {
        instruments = (int) OptionMistake.within(command, "--instruments", value, 1, MAX_INSTRUMENTS);
    }

    @Option(names = "--rate", order = 11, paramLabel = "PER-SECOND", defaultValue = "20000",
        description = "Events per second; most are one message. 0: as many as possible. Default: ${DEFAULT-VALUE}")
    void rate(final WrittenNumber value) {
        rate = OptionMistake.within(command, "--rate", value, 0, MAX_RATE);
    }

    @Option(names = "--seconds", order = 13, paramLabel = "N", defaultValue = "0",
        description = "End after so many. 0: go on until Ctrl-C. Default: ${DEFAULT-VALUE}")
    void seconds(final WrittenNumber value) {
        seconds = OptionMistake.within(command, "--seconds", value, 0, TimeUnit.DAYS.toSeconds(1));
    }

    @Option(names = "--show", order = 14, paramLabel = "N", defaultValue = "5",
        description = "Instruments to show every second. Default: ${DEFAULT-VALUE}")
    void shown(final WrittenNumber value) {
        shown = (int) OptionMistake.within(command, "--show", value, 0, MAX_INSTRUMENTS);
    }

    @Override
    public Integer call() throws InterruptedException {
        final ErrorHandler errorHandler = error -> System.err.println("sluice market-data: " + error);
        final BookBuilder books = new BookBuilder(instruments, errorHandler);
        final TradeStatistics statistics = new TradeStatistics(instruments, errorHandler);
        try (StopSignal stop = new StopSignal(); MarketJournal journal = MarketJournal.open(journalFile, stop)) {
            final HandlerGraph graph = new HandlerGraph();
            graph.handleEventsWith(books.consumer(), statistics.consumer()).then(journal);
            final MarketReport report =
                new MarketReport(System.out, Math.min(shown, instruments), books, statistics, journal);
            try (Endpoint here = options.open("market-data"); SampleThreads threads = new SampleThreads(stop)) {
                final Subscription subscription =
                    here.addSubscription(options.stream(), graph, new ImageNotices("feed"));
                System.out.printf(Locale.ROOT, "%s on %s, stream %d, until Ctrl-C%n",
                    isListener ? "Listening for a feed" : "A market of " + instruments + " instruments",
                    options.channel(), options.stream());
                if (isListener) {
                    show(report, stop);
                } else {
                    final Publication publication = here.addExclusivePublication(options.stream());
                    awaitImage(subscription, publication.sessionId(), stop);
                    final FeedPublisher feed = new FeedPublisher(publication, seed, instruments, rate, stop);
                    threads.start("market", feed);
                    show(report, stop);
                    threads.end();
                    finish(publication, subscription);
                    System.out.printf(Locale.ROOT, "Sent %,d messages, %,d offers were back-pressured%n",
                        feed.sent(), feed.backPressured());
                }
            }
            // the transport is closed, and the consumers have published what they knew at last
            report.printSummary();
            final BookSnapshot known = books.consumer().snapshots().latest();
            return known.gaps() + known.misfits() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    /**
     * Waits for the market's image: a subscription sees what is published from its joining on: the market begins with
     * its own consumers.
     */
    private static void awaitImage(final Subscription subscription, final int sessionId, final StopSignal stop) {
        while (subscription.imageBySessionId(sessionId) == null && !stop.isRequested()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void show(final MarketReport report, final StopSignal stop) throws InterruptedException {
        for (long second = 1; !stop.await(REPORT_INTERVAL_MS); second++) {
            report.print(System.nanoTime());
            if (second == seconds) {
                stop.request();
            }
        }
    }

    /** Ends the feed, and gives time for the consumers to see it. */
    private static void finish(final Publication publication, final Subscription subscription) {
        publication.close();
        final long startNs = System.nanoTime();
        while (subscription.isConnected() && System.nanoTime() - startNs < FINISH_TIMEOUT_NS) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
