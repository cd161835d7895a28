package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The property that decides how calls are linked. */
class DataPathLinkerTest {
    @Test
    void shouldTakeTheWordsThatItHas() {
        assertDoesNotThrow(() -> DataPathLinker.requireKnown(null));
        assertDoesNotThrow(() -> DataPathLinker.requireKnown("true"));
        assertDoesNotThrow(() -> DataPathLinker.requireKnown("false"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "", "FALSE"})
    void shouldRefuseAnotherWord(final String word) {
        assertEquals("unknown value: sluice.verbs.critical=" + word + " known=true,false",
            assertThrows(IllegalArgumentException.class, () -> DataPathLinker.requireKnown(word)).getMessage());
    }
}
