package io.sluice.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts on their way into and out of control messages: cut to their bound, and made fit to be shown. Stateless; any
 * thread may call it. It allocates and belongs to the control path.
 */
public final class ControlText {
    private static final int UTF8_CONTINUATION_MASK = 0xC0;
    private static final int UTF8_CONTINUATION = 0x80;
    private static final char REPLACEMENT = '?';

    private ControlText() {
    }

    /**
     * The bytes of a text for an encoder, cut between two characters if there are too many.
     *
     * @param text      any text; null counts as empty
     * @param maxLength in bytes, at least 0: one of the bounds in {@link ControlDescriptor}
     * @return UTF-8, at most maxLength bytes
     */
    public static byte[] bounded(final String text, final int maxLength) {
        if (text == null) {
            return new byte[0];
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= maxLength) {
            return bytes;
        }
        int length = maxLength;
        while (length > 0 && (bytes[length] & UTF8_CONTINUATION_MASK) == UTF8_CONTINUATION) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }

    /**
     * A peer's text for a log, a terminal or an exception: without line ends, escape sequences and other characters
     * that would do something instead of being shown.
     *
     * @param text from a control message
     * @return the same text with a question mark for each such character
     */
    public static String printable(final String text) {
        final StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isShown(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(REPLACEMENT);
            }
        });
        return shown.toString();
    }

    private static boolean isShown(final int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                 Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
