package io.sluice.samples;

import java.util.Locale;

/**
 * Writes one JSON text. One thread; the caller sees to it that what was begun is ended.
 */
final class Json {
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int FIRST_BEYOND_ASCII = 0x7f;

    private final StringBuilder text = new StringBuilder();

    Json beginObject() {
        separate();
        text.append('{');
        return this;
    }

    Json beginObject(final String name) {
        name(name);
        text.append('{');
        return this;
    }

    Json endObject() {
        text.append('}');
        return this;
    }

    Json beginArray(final String name) {
        name(name);
        text.append('[');
        return this;
    }

    Json endArray() {
        text.append(']');
        return this;
    }

    Json element(final String value) {
        separate();
        quote(value);
        return this;
    }

    Json element(final long value) {
        separate();
        text.append(value);
        return this;
    }

    Json field(final String name, final String value) {
        name(name);
        quote(value);
        return this;
    }

    Json field(final String name, final long value) {
        name(name);
        text.append(value);
        return this;
    }

    Json field(final String name, final boolean value) {
        name(name);
        text.append(value);
        return this;
    }

    private void name(final String name) {
        separate();
        quote(name);
        text.append(':');
    }

    /** Writes a comma, unless something has just begun. */
    private void separate() {
        if (!text.isEmpty() && "{[:".indexOf(text.charAt(text.length() - 1)) < 0) {
            text.append(',');
        }
    }

    private void quote(final String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            final char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE || c >= FIRST_BEYOND_ASCII) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
