package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of OpenMetrics text by the grammar of its specification, which shares no code with what writes it: each line
 * must be one of the grammar, each sample of the metric that stands before it, and no series twice.
 */
final class OpenMetricsText {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String VALUE = "(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*";
    private static final String LABEL = "([a-zA-Z_][a-zA-Z0-9_]*)=\"(" + VALUE + ")\"";
    private static final Pattern DESCRIPTION = Pattern.compile("# (TYPE|UNIT|HELP) (" + NAME + ") (.*)");
    private static final Pattern SAMPLE = Pattern.compile(
        "(" + NAME + ")(?:\\{((?:" + LABEL + ")(?:," + LABEL + ")*)?})? (-?[0-9][0-9.E+-]*)");
    private static final Pattern ONE_LABEL = Pattern.compile(LABEL);

    private final Map<String, Map<Map<String, String>, Double>> samples = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private final Map<String, String> helps = new HashMap<>();

    private OpenMetricsText() {
    }

    static OpenMetricsText parse(final String text) {
        final OpenMetricsText parsed = new OpenMetricsText();
        assertTrue(text.endsWith("\n# EOF\n"), "no end");
        String metric = null;
        for (final String line : text.substring(0, text.length() - "# EOF\n".length()).split("\n")) {
            metric = line.startsWith("#") ? parsed.describe(line, metric) : parsed.sample(line, metric);
        }
        return parsed;
    }

    private String describe(final String line, final String metric) {
        final Matcher matcher = DESCRIPTION.matcher(line);
        assertTrue(matcher.matches(), line);
        final String name = matcher.group(2);
        if (matcher.group(1).equals("TYPE")) {
            assertNull(types.put(name, matcher.group(3)), line);
            return name;
        }
        assertEquals(metric, name, line);
        if (matcher.group(1).equals("UNIT")) {
            assertTrue(name.endsWith("_" + matcher.group(3)), line);
        }
        if (matcher.group(1).equals("HELP")) {
            assertNull(helps.put(name, matcher.group(3)), line);
        }
        return metric;
    }

    private String sample(final String line, final String metric) {
        final Matcher matcher = SAMPLE.matcher(line);
        assertTrue(matcher.matches(), line);
        final String name = matcher.group(1);
        assertEquals(types.get(metric).equals("counter") ? metric + "_total" : metric, name, line);
        final Map<String, String> labels = new TreeMap<>();
        final Matcher each = ONE_LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
        while (each.find()) {
            assertNull(labels.put(each.group(1), unescaped(each.group(2))), line);
        }
        final Double before = samples.computeIfAbsent(name, _ -> new LinkedHashMap<>())
            .put(labels, Double.valueOf(matcher.group(matcher.groupCount())));
        assertNull(before, line);
        return metric;
    }

    private static String unescaped(final String value) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\\') {
                i++;
                text.append(value.charAt(i) == 'n' ? '\n' : value.charAt(i));
            } else {
                text.append(value.charAt(i));
            }
        }
        return text.toString();
    }

    /** All series of a sample's name. */
    Map<Map<String, String>, Double> series(final String name) {
        return samples.getOrDefault(name, Map.of());
    }

    /** The only series of a name with a label's value. */
    double value(final String name, final String label, final String value) {
        final List<Double> found = series(name).entrySet().stream()
            .filter(each -> value.equals(each.getKey().get(label))).map(Map.Entry::getValue).toList();
        assertEquals(1, found.size(), () -> name + "{" + label + "=" + value + "} in " + series(name));
        return found.getFirst();
    }

    /** The only series of a name. */
    double value(final String name) {
        assertEquals(1, series(name).size(), () -> name + " in " + series(name));
        return series(name).values().iterator().next();
    }

    /** The names of samples that have a series. */
    SortedSet<String> names() {
        return new TreeSet<>(samples.keySet());
    }

    long count() {
        return samples.values().stream().mapToLong(Map::size).sum();
    }

    String help(final String metric) {
        return helps.get(metric);
    }
}
