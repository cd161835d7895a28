package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.send.FlowControl;
import io.sluice.transport.send.FlowControl.Strategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowControlsTest {
    private static final long RESUME_NS = 5_000_000_000L;
    private static final long LIVENESS_NS = 10_000_000_000L;

    private static FlowControl parse(final String parameters) {
        return FlowControls.parse(ChannelUri.parse("sluice:ipc?" + parameters), RESUME_NS, LIVENESS_NS);
    }

    @Test
    void shouldWaitForAllByDefault() {
        assertEquals(FlowControl.min(RESUME_NS), parse("window=4k"));
        assertEquals(FlowControl.min(RESUME_NS), parse("fc=min"));
    }

    @Test
    void shouldTakeAeronsGrammar() {
        assertEquals(new FlowControl(Strategy.MIN, FlowControl.NO_TAG, 3, 1_000_000_000L), parse("fc=min,g:/3,t:1s"));
        assertEquals(new FlowControl(Strategy.MAX, FlowControl.NO_TAG, 0, RESUME_NS), parse("fc=max"));
        assertEquals(new FlowControl(Strategy.TAGGED, 101, 0, RESUME_NS), parse("fc=tagged,g:101"));
        assertEquals(new FlowControl(Strategy.TAGGED, -5, 2, 20_000_000L), parse("fc=tagged,t:20ms,g:-5/2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "fc=fast; fc=fast", "fc=max,g:1; takes no options", "fc=tagged; needs the tag", "fc=tagged,g:/2; needs the tag",
        "fc=min,g:/2,g:/3; given twice",
        "fc=min,g:1/2; fc=min has no tag", "fc=tagged,g:x; fc g=x", "fc=tagged,g:1/-1; minimum=0",
        "fc=tagged,g:1/5000; maximum=1024", "fc=min,t:11s; maximum=10000000000", "fc=min,x:1; x:1", "fc=min,; found",
        "fc=tagged,g:-9223372036854775808; minimum=-9223372036854775807",
        "fc=min,t:9999999999s; out of range: fc t=9999999999s"
    })
    void shouldNameWhatIsWrong(final String parameters, final String expected) {
        final String message = assertThrows(IllegalArgumentException.class, () -> parse(parameters)).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
