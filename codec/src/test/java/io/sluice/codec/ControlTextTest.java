package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ControlTextTest {
    // One, two, three and four bytes of UTF-8.
    private static final String MIXED = "a\u00e9\u20ac\ud83d\ude00";

    @Test
    void shouldKeepATextThatFits() {
        assertArrayEquals(MIXED.getBytes(StandardCharsets.UTF_8), ControlText.bounded(MIXED, 10));
        assertEquals(0, ControlText.bounded("", 10).length);
        assertEquals(0, ControlText.bounded(null, 10).length);
    }

    @Test
    void shouldCutBetweenCharacters() {
        String[] expected = {"", "a", "a", "a\u00e9", "a\u00e9", "a\u00e9", "a\u00e9\u20ac"};
        for (int maxLength = 0; maxLength < 10; maxLength++) {
            byte[] bytes = ControlText.bounded(MIXED, maxLength);
            assertTrue(bytes.length <= maxLength);
            assertEquals(expected[Math.min(maxLength, 6)], new String(bytes, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldShowOnlyWhatCanBeShown() {
        assertEquals(MIXED + " b", ControlText.printable(MIXED + " b"));
        assertEquals("a?b?[31mc?", ControlText.printable("a\nb\u001b[31mc\u0000"));
        assertEquals("????", ControlText.printable("\u202e\u2028\u0085\ud800"));
    }
}
