package io.sluice.transport.harness;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of the protocol between a test and its children: a word, and values by name. Values hold no blanks.
 */
public record Line(String word, Map<String, String> values) {
    /**
     * Take a line apart.
     *
     * @param text {@code WORD key=value key=value}.
     * @return its parts.
     */
    public static Line parse(final String text) {
        final String[] parts = text.trim().split(" +");
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            final int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("expected key=value: found=" + parts[i] + " line=\"" + text + "\"");
            }
            values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return new Line(parts[0], values);
    }

    public String text(final String key) {
        final String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("missing: key=" + key + " line=" + this);
        }
        return value;
    }

    public String text(final String key, final String defaultValue) {
        return values.getOrDefault(key, defaultValue);
    }

    public long number(final String key) {
        return Long.parseLong(text(key));
    }

    public long number(final String key, final long defaultValue) {
        return values.containsKey(key) ? number(key) : defaultValue;
    }

    public int intNumber(final String key) {
        return Integer.parseInt(text(key));
    }

    public int intNumber(final String key, final int defaultValue) {
        return values.containsKey(key) ? intNumber(key) : defaultValue;
    }

    public boolean flag(final String key) {
        return Boolean.parseBoolean(values.getOrDefault(key, "false"));
    }

    /** Whether the word is this one and the values are among the line's. */
    boolean matches(final Line pattern) {
        return word.equals(pattern.word) && values.entrySet().containsAll(pattern.values.entrySet());
    }
}
