package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScreenTest {
    private static final String END = System.lineSeparator();

    private static String lines(final String... lines) {
        return String.join(END, lines) + END;
    }

    @Test
    void shouldLeaveTextThatFits() {
        final String text = lines("one", "two", "three");

        assertEquals(text, new Screen(4, 5).fit(text, "hint"));
        assertEquals(text, Screen.UNBOUNDED.fit(text, "hint"));
    }

    @Test
    void shouldSayHowManyLinesAreLeftOut() {
        assertEquals(lines("one", "2 more lines: enlarge"),
            new Screen(3, 80).fit(lines("one", "two", "three"), "enlarge"));
    }

    @Test
    void shouldCountTheRowsOfALineThatIsWrapped() {
        assertEquals(lines("one", "2 more "), new Screen(4, 7).fit(lines("one", "a long line", "three"), "enlarge"));
    }

    @Test
    void shouldSayMoreWhereNothingHasRoom() {
        assertEquals(lines("2 more lines: hint"), new Screen(1, 80).fit(lines("one", "two"), "hint"));
    }

    @Test
    void shouldReadWhatSttyTells() {
        assertEquals(new Screen(24, 80), Screen.parse("24 80"));
        assertEquals(Screen.UNBOUNDED, Screen.parse("0 0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "24", "24 x", "-1 80", "999999999999 80"})
    void shouldBoundNothingByAnythingElse(final String told) {
        assertEquals(Screen.UNBOUNDED, Screen.parse(told));
        assertEquals(Screen.UNBOUNDED, Screen.parse(null));
    }
}
