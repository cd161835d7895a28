package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A name that is no test at all has not failed: whoever shows by a failing test that a bug is found must not take it
 * so.
 */
class TestProgramTest {
    private static final String SAMPLES = Samples.class.getName();

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int run(final String... names) {
        return TestProgram.run(List.of(names), List.of(""), new PrintStream(output, true, StandardCharsets.UTF_8));
    }

    private String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private boolean hasFailure() {
        return output().lines().anyMatch(line -> line.startsWith("FAILED "));
    }

    static Stream<String> strangers() {
        return Stream.of("io.sluice.NoSuchTest", "NoSuchTest", "io.sluice.NoSuchTest#shouldPass",
            SAMPLES + "#shouldNotExist", SAMPLES + "#helper", TestProgram.class.getName());
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void shouldRunNothingWhenANameIsThatOfNoTest(final String name) {
        assertEquals(2, run(SAMPLES + "#shouldFail", name), this::output);
        assertFalse(hasFailure(), this::output);
        assertTrue(output().contains("no such test: " + name), this::output);
    }

    @Test
    void shouldTellWhatHasFailed() {
        assertEquals(1, run(SAMPLES));
        assertTrue(hasFailure(), this::output);
        assertTrue(output().endsWith("3 passed, 1 failed, 0 skipped" + System.lineSeparator()), this::output);
    }

    @Test
    void shouldHavePassedWhenTagsLeaveNothingToRun() {
        System.setProperty(TestProgram.EXCLUDED, "none()");
        try {
            assertEquals(0, run(SAMPLES), this::output);
        } finally {
            System.clearProperty(TestProgram.EXCLUDED);
        }
        assertTrue(output().contains("nothing to run: " + TestProgram.EXCLUDED + "=none()"), this::output);
    }

    @Test
    void shouldFindAMethodWithParametersByItsName() {
        assertEquals(0, run(SAMPLES + "#shouldPassWith"), this::output);
        assertTrue(output().endsWith("2 passed, 0 failed, 0 skipped" + System.lineSeparator()), this::output);
    }

    @Test
    void shouldFindAClassOfTheTransportWithoutItsPackage() {
        assertEquals(0, run(DeliveryTest.class.getSimpleName()), this::output);
    }

    /** Samples that the build does not run, because it leaves classes inside of others out. */
    static class Samples {
        @Test
        void shouldPass() {
            helper();
        }

        @Test
        void shouldFail() {
            fail("as it must");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void shouldPassWith(final int number) {
            assertTrue(number > 0);
        }

        void helper() {
            // no test
        }
    }
}
