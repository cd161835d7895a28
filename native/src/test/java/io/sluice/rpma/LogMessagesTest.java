package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that the test logs as the library does, from C. */
class LogMessagesTest {
    private static final int ENOMEM = 12;
    private static final int MAX_LENGTH = 1023;

    private final LogMessages messages = new LogMessages();
    private final List<String> told = new ArrayList<>();

    private void log(final RpmaLogLevel level, final String format, final Object... values) {
        LogCall.log(messages.stub(), level.number(), "rpma.c", format, values);
    }

    private void listen() {
        messages.function((level, file, line, function, message) ->
            told.add(level + "|" + file + "|" + line + "|" + function + "|" + message));
    }

    /** Formats of the library's messages, and arguments of each kind. */
    static Stream<Arguments> formats() {
        return Stream.of(
            Arguments.of("plain", "plain\n", new Object[0]),
            Arguments.of("100%", "100%%\n", new Object[0]),
            Arguments.of("a b", "%s %s\n", new Object[] {"a", "b"}),
            Arguments.of("-1 -2147483648", "%d %i\n", new Object[] {-1, Integer.MIN_VALUE}),
            Arguments.of("4294967295", "%u\n", new Object[] {-1}),
            Arguments.of("18446744073709551615", "%zu\n", new Object[] {-1L}),
            Arguments.of("0x7f00dead", "%p\n", new Object[] {0x7f00_deadL}),
            Arguments.of("cafe CAFE", "%x %X\n", new Object[] {0xcafe, 0xcafe}),
            Arguments.of("raddr=0x7fff00000001, size=4096, rkey=0xff, usage=0x12",
                "raddr=0x%lx, size=%lu, rkey=0x%x, usage=0x%hhx\n",
                new Object[] {0x7fff_0000_0001L, 4096L, 0xff, 0x7712}),
            Arguments.of("rdma_resolve_addr(src_addr=::1, dst_addr=10.0.0.1, timeout_ms=1000) failed: no",
                "rdma_resolve_addr(src_addr=%s, dst_addr=%s, timeout_ms=%d) failed: %s\n",
                new Object[] {"::1", "10.0.0.1", 1000, "no"}),
            Arguments.of("1 2 three 4 5 6 7 8 9 ten", "%d %d %s %ld %d %d %ld %d %d %s\n",
                new Object[] {1, 2, "three", 4L, 5, 6, 7L, 8, 9, "ten"}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formats")
    void shouldFormatAsPrintfDoes(final String expected, final String format, final Object[] values) {
        listen();
        log(RpmaLogLevel.ERROR, format, values);

        assertEquals(List.of("ERROR|rpma.c|" + LogCall.LINE + "|" + LogCall.FUNCTION + "|" + expected), told);
        assertEquals(expected, messages.lastError());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DISABLED")
    void shouldTellMessagesOfAllLevelsAndKeepErrors(final RpmaLogLevel level) {
        listen();
        log(level, "%s\n", "something");

        assertTrue(told.getFirst().startsWith(level + "|"), told::toString);
        assertEquals(level == RpmaLogLevel.ERROR || level == RpmaLogLevel.FATAL ? "something" : "",
            messages.lastError());
    }

    @Test
    void shouldTakeMessagesWithoutASource() {
        listen();
        LogCall.log(messages.stub(), RpmaLogLevel.INFO.number(), null, "%s", "from nowhere");

        assertEquals(List.of("INFO||" + LogCall.LINE + "||from nowhere"), told);
    }

    @Test
    void shouldCutLongMessages() {
        log(RpmaLogLevel.ERROR, "%s", "x".repeat(MAX_LENGTH));
        assertEquals(MAX_LENGTH, messages.lastError().length());
        log(RpmaLogLevel.ERROR, "%s", "y".repeat(4 * MAX_LENGTH));
        assertEquals("y".repeat(MAX_LENGTH), messages.lastError());
    }

    @Test
    void shouldKeepTheLastErrorOfAThread() throws InterruptedException {
        log(RpmaLogLevel.ERROR, "first\n");
        log(RpmaLogLevel.ERROR, "second\n");
        log(RpmaLogLevel.WARNING, "not an error\n");
        final List<String> others = new ArrayList<>();
        final Thread other = new Thread(() -> {
            others.add(messages.lastError());
            log(RpmaLogLevel.ERROR, "the other's\n");
            others.add(messages.lastError());
        });
        other.start();
        other.join();

        assertEquals(List.of("", "the other's"), others);
        assertEquals("second", messages.lastError());
        messages.forget();
        assertEquals("", messages.lastError());
    }

    /** Thrown into C it would end the process. */
    @Test
    void shouldSurviveAFunctionThatThrows() {
        final List<Throwable> thrown = List.of(new IllegalStateException("user"), new StackOverflowError(),
            new RuntimeException("user") {
                private static final long serialVersionUID = 1L;

                @Override
                public String toString() {
                    throw new IllegalStateException("even this");
                }
            });
        for (final Throwable each : thrown) {
            messages.function((level, file, line, function, message) -> sneakyThrow(each));
            log(RpmaLogLevel.ERROR, "what matters\n");
            assertEquals("what matters", messages.lastError(), "the cause of a failure is not the user's bug");
            log(RpmaLogLevel.INFO, "what does not\n");
            assertEquals("what matters", messages.lastError());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneakyThrow(final Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void shouldTellNobodyWhenNobodyListens() {
        listen();
        messages.function(null);
        log(RpmaLogLevel.ERROR, "still known\n");

        assertEquals(List.of(), told);
        assertEquals("still known", messages.lastError());
    }

    @Test
    void shouldKnowErrorNumbersByTheirTexts() {
        final List<Integer> unknown = IntStream.rangeClosed(1, 133).boxed().filter(errno -> {
            final String text = LogCall.errorText(errno);
            return !text.equals(LogCall.errorText(messages.errnoIn("ibv_create_cq() failed: " + text)));
        }).toList();

        assertEquals(List.of(), unknown);
    }

    @Test
    void shouldTakeTheErrorAtTheEndOfAMessage() {
        final String text = LogCall.errorText(ENOMEM);
        assertEquals(ENOMEM, messages.errnoIn("rdma_create_qp(max_send_wr=10) failed: " + text));
        assertEquals(ENOMEM, messages.errnoIn("a failed: b failed: " + text));
        assertEquals(0, messages.errnoIn("ibv_poll_cq() failed (no details available)"));
        assertEquals(0, messages.errnoIn("a failed: " + text + " and more"));
        assertEquals(0, messages.errnoIn(text));
        assertEquals(0, messages.errnoIn(""));
    }

    @Test
    void shouldNumberLevelsAsTheLibraryDoes() {
        for (final RpmaLogLevel level : RpmaLogLevel.values()) {
            assertEquals(level, RpmaLogLevel.of(level.number()));
        }
        assertEquals(RpmaLogLevel.DISABLED, RpmaLogLevel.of(Integer.MIN_VALUE));
        assertEquals(RpmaLogLevel.DEBUG, RpmaLogLevel.of(Integer.MAX_VALUE));
    }
}
