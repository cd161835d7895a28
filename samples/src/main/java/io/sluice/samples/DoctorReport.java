package io.sluice.samples;

import io.sluice.samples.machine.Finding;
import io.sluice.samples.machine.Verdict;
import java.util.List;
import java.util.Locale;

/**
 * The doctor's findings as text for people, and as JSON. Stateless.
 */
final class DoctorReport {
    private static final String ROW = "%-5s %-16s %s%n";

    private DoctorReport() {
    }

    /** The text of the report: lines, each ended. */
    static String text(final List<Finding> findings) {
        final StringBuilder text = new StringBuilder();
        for (final Finding finding : findings) {
            text.append(String.format(Locale.ROOT, ROW, name(finding.verdict()), finding.subject(), finding.text()));
            if (!finding.remedy().isEmpty()) {
                text.append(String.format(Locale.ROOT, ROW, "", "", "-> " + finding.remedy()));
            }
        }
        return text.append(String.format(Locale.ROOT, "%n%d ok, %d warn, %d fail%n", count(findings, Verdict.OK),
            count(findings, Verdict.WARN), count(findings, Verdict.FAIL))).toString();
    }

    static String name(final Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    static long count(final List<Finding> findings, final Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    /** One line. */
    static String json(final List<Finding> findings) {
        final Json json = new Json().beginObject();
        for (final Verdict verdict : Verdict.values()) {
            json.field(name(verdict), count(findings, verdict));
        }
        json.beginArray("findings");
        for (final Finding finding : findings) {
            json.beginObject().field("verdict", name(finding.verdict())).field("subject", finding.subject())
                .field("text", finding.text()).field("remedy", finding.remedy()).endObject();
        }
        return json.endArray().endObject() + System.lineSeparator();
    }
}
