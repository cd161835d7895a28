package io.sluice.perf.report;

import io.sluice.perf.rig.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The figures that {@code native/lab/rtt} has measured over a device of the lab: Sluice beside C programs, in turn,
 * round by round. That program leaves lines of {@value #HEADER}. Immutable.
 */
public final class LabFigures {
    /** No figures, for when none were given. */
    public static final LabFigures NONE = new LabFigures(List.of());

    /** The remark to be made wherever the figures are shown. */
    static final String REMARK = "In the lab, an emulated machine, the device is soft-RoCE: it goes through the kernel"
        + " and is slower than TCP there. Only the ratio to the C programs on the same device means anything.";

    private static final String HEADER = "measure,unit,round,program,value";
    private static final String SUBJECT = "sluice:rdma";
    private static final String ROUND_TRIP_REFERENCE = "2 x ib_send_lat";
    private static final double MAX_ROUND_TRIP_RATIO = 1.15;
    private static final String RATE_REFERENCE = "ib_send_bw";
    private static final double MIN_RATE_RATIO = 15;
    private static final int FIELDS = 5;
    /** The greatest number of a round, far beyond any machine's patience. */
    private static final int MAX_ROUND = 100_000;

    private final List<Figure> figures;

    private LabFigures(final List<Figure> figures) {
        this.figures = figures;
    }

    /** One program's figure of a round. */
    private record Figure(String measure, int round, String program, double value) {
    }

    /**
     * Read files that the lab has left.
     *
     * @param files one for each of its modes.
     * @return all of their figures.
     * @throws IOException              when a file cannot be read.
     * @throws IllegalArgumentException when one is something else; the message has file, line and what is wrong.
     */
    public static LabFigures read(final List<Path> files) throws IOException {
        final List<Figure> figures = new ArrayList<>();
        for (final Path file : files) {
            final List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
                throw new IllegalArgumentException(
                    "not a file of native/lab/rtt: file=" + file + " line=1 expected=" + HEADER);
            }
            for (int i = 1; i < lines.size(); i++) {
                figures.add(figure(lines.get(i), file, i + 1));
            }
        }
        return new LabFigures(List.copyOf(figures));
    }

    private static Figure figure(final String line, final Path file, final int number) {
        final String[] fields = line.split(",", -1);
        try {
            final int round = Integer.parseInt(fields.length == FIELDS ? fields[2] : "");
            final double value = Double.parseDouble(fields[4]);
            if (round > 0 && round <= MAX_ROUND && value > 0 && Double.isFinite(value)) {
                return new Figure(fields[0] + ", " + fields[1], round, fields[3], value);
            }
        } catch (final NumberFormatException ex) {
            // told below
        }
        throw new IllegalArgumentException("not a figure: file=" + file + " line=" + number + " text=" + line
            + " expected=" + HEADER + " with a round from 1 and a positive value");
    }

    /** {@return Sluice beside each program by measure, ratios within rounds only; empty when there are no figures} */
    Optional<TextTable> table() {
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        final TextTable table = new TextTable();
        table.add("median [min – max] of rounds in the lab", SUBJECT, "beside", "", "ratio within rounds", "rounds",
            "bar");
        final Set<String> measures = new LinkedHashSet<>();
        figures.forEach(figure -> measures.add(figure.measure));
        for (final String measure : measures) {
            final Set<String> programs = new LinkedHashSet<>();
            figures.stream().filter(figure -> figure.measure.equals(measure) && !figure.program.equals(SUBJECT))
                .forEach(figure -> programs.add(figure.program));
            for (final String program : programs) {
                final Sample ratios = ratios(measure, program);
                table.add(measure, text(values(measure, SUBJECT)), program, text(values(measure, program)),
                    text(ratios), Integer.toString(ratios.count()), verdict(program, ratios));
            }
        }
        return Optional.of(table);
    }

    private static String verdict(final String program, final Sample ratios) {
        return switch (program) {
            case ROUND_TRIP_REFERENCE ->
                "<= " + MAX_ROUND_TRIP_RATIO + ": " + Verdict.of(ratios, MAX_ROUND_TRIP_RATIO, true);
            case RATE_REFERENCE -> ">= " + MIN_RATE_RATIO + ": " + Verdict.of(ratios, MIN_RATE_RATIO, false);
            default -> "";
        };
    }

    private Sample values(final String measure, final String program) {
        return Sample.of(figures.stream()
            .filter(figure -> figure.measure.equals(measure) && figure.program.equals(program))
            .map(Figure::value).toList());
    }

    private Sample ratios(final String measure, final String program) {
        final List<Double> ratios = new ArrayList<>();
        for (final Figure own : figures) {
            if (own.measure.equals(measure) && own.program.equals(SUBJECT)) {
                figures.stream().filter(other -> other.measure.equals(measure) && other.program.equals(program)
                    && other.round == own.round).forEach(other -> ratios.add(own.value / other.value));
            }
        }
        return Sample.of(ratios);
    }

    private static String text(final Sample sample) {
        return sample.isEmpty() ? "-" : Report.number(sample.median()) + " [" + Report.number(sample.min()) + " – "
            + Report.number(sample.max()) + "]";
    }
}
