package io.sluice.perf;

import io.sluice.perf.downcall.CardCase;
import io.sluice.perf.downcall.CardSession;
import io.sluice.perf.downcall.DowncallSession;
import io.sluice.perf.report.CardReport;
import io.sluice.perf.report.DowncallReport;
import io.sluice.verbs.model.ModelCard;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code bench downcalls} command: what a call of native code costs by each linker option, and how long a slow one
 * keeps all threads from being stopped; or the latter of the rdma provider's own calls, over models of cards. Needs a C
 * compiler and no device; a model needs libibverbs and librdmacm. Ends with 1 when there is none of these, when a
 * process fails, or when a stop waited for a call over a model for too long.
 */
@Command(
    name = "downcalls",
    description = "Measure calls of native code by linker option, and what slow ones do to other threads.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DowncallsCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final long DURATION_MS = 500;
    private static final String ALL_CARDS = "all";
    private static final long SYSTEM_CALL_MS = 50;

    @Option(
        names = "--cards",
        arity = "0..1",
        split = ",",
        paramLabel = "NAME",
        fallbackValue = ALL_CARDS,
        description = "Instead, what calls of the rdma provider do to other threads on models of these cards; of all"
            + " when none is named.")
    private List<String> cards;

    @Option(
        names = "--rounds",
        defaultValue = "5",
        description = "Processes of each option; with --cards, times that each thing is done."
            + " Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(names = "--cpu", description = "Processor for the measured thread. Default: the second of two cores")
    private Integer cpu;

    @Option(
        names = "--quiet-limit",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long each process waits for a moment in which nothing else runs. Default: ${DEFAULT-VALUE}")
    private int quietLimitSeconds;

    @Spec
    private CommandSpec spec;

    private DowncallsCommand() {
    }

    @Override
    public Integer call() throws InterruptedException {
        OptionRange.check(spec, "--rounds", rounds, 1, OptionRange.MAX_ROUNDS);
        OptionRange.check(spec, "--quiet-limit", quietLimitSeconds, 0, OptionRange.MAX_QUIET_LIMIT_SECONDS);
        if (cpu != null) {
            OptionRange.checkCpu(spec, cpu);
        }
        return cards == null ? measureOptions() : measureCards();
    }

    private int measureCards() throws InterruptedException {
        final CardSession session = new CardSession(CardCase.of(chosenCards()), rounds,
            TimeUnit.MILLISECONDS.toNanos(SYSTEM_CALL_MS), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        CardReport.settings(session, System.out);
        try {
            return CardReport.results(session.run(System.out::println), System.out) ? 0 : EXIT_FAILED;
        } catch (final IOException e) {
            System.err.println("sluice bench downcalls: " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    private List<ModelCard> chosenCards() {
        final List<String> known = ModelCard.all().stream().map(ModelCard::name).toList();
        if (cards.equals(List.of(ALL_CARDS))) {
            return ModelCard.all();
        }
        for (final String card : cards) {
            if (!known.contains(card)) {
                throw new ParameterException(
                    spec.commandLine(), "unknown card: --cards=" + card + " known=" + String.join(",", known));
            }
        }
        return ModelCard.all().stream().filter(card -> cards.contains(card.name())).toList();
    }

    private int measureOptions() throws InterruptedException {
        final int measuringCpu = cpu == null ? ProcessorPair.choose().getLast() : cpu;
        final DowncallSession session = new DowncallSession(rounds, measuringCpu,
            TimeUnit.MILLISECONDS.toNanos(DURATION_MS), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        DowncallReport.settings(session, System.out);
        try {
            DowncallReport.results(session.run(System.out::println), System.out);
            return 0;
        } catch (final IOException e) {
            System.err.println("sluice bench downcalls: " + e.getMessage());
            return EXIT_FAILED;
        }
    }
}
