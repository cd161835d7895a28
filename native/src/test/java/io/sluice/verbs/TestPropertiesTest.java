package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.rdma.PostingInterface;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A mistyped word of a property of the tests fails, and does not run something else. */
class TestPropertiesTest {
    private static final String NAME = "sluice.verbs.test.word";

    @AfterEach
    void clear() {
        System.clearProperty(NAME);
    }

    private static PostingInterface word() {
        return TestProperties.word(NAME, PostingInterface.WORK_REQUESTS, PostingInterface.class);
    }

    @Test
    void shouldTakeTheWordOrItsDefault() {
        assertEquals(PostingInterface.WORK_REQUESTS, word());
        assertFalse(TestProperties.flag(NAME));
        System.setProperty(NAME, "BUILDER");
        assertEquals(PostingInterface.BUILDER, word());
        System.setProperty(NAME, "true");
        assertTrue(TestProperties.flag(NAME));
    }

    @Test
    void shouldRefuseAnotherWordWithThoseThatAreKnown() {
        System.setProperty(NAME, "typo");
        assertEquals("unknown value: " + NAME + "=typo known=[WORK_REQUESTS, BUILDER]",
            assertThrows(IllegalArgumentException.class, TestPropertiesTest::word).getMessage());
        assertEquals("unknown value: " + NAME + "=typo known=[true, false]",
            assertThrows(IllegalArgumentException.class, () -> TestProperties.flag(NAME)).getMessage());
    }
}
