package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The log of the library of this machine, which is one for the process. */
class RpmaLogTest {
    private final List<String> told = new ArrayList<>();
    private RpmaLogLevel threshold;
    private RpmaLogLevel auxiliaryThreshold;

    @BeforeEach
    void keepLog() {
        PresentRpma.require();
        threshold = RpmaLog.threshold();
        auxiliaryThreshold = RpmaLog.auxiliaryThreshold();
    }

    @AfterEach
    void restoreLog() {
        if (auxiliaryThreshold != null) {
            RpmaLog.function(null);
            RpmaLog.threshold(threshold);
            RpmaLog.auxiliaryThreshold(auxiliaryThreshold);
        }
    }

    private void listen() {
        RpmaLog.function((level, file, line, function, message) ->
            told.add(level + " " + file.substring(file.lastIndexOf('/') + 1) + " " + (line > 0) + " " + function + " "
                + message));
    }

    private static RpmaException failure() {
        return assertThrows(RpmaException.class, () -> RpmaPeerConfiguration.ofDescriptor(new byte[0]));
    }

    @ParameterizedTest
    @EnumSource(RpmaLogLevel.class)
    void shouldSetThresholds(final RpmaLogLevel level) {
        RpmaLog.threshold(level);
        RpmaLog.auxiliaryThreshold(RpmaLogLevel.values()[RpmaLogLevel.values().length - 1 - level.ordinal()]);

        assertEquals(level, RpmaLog.threshold());
        assertEquals(RpmaLogLevel.values().length - 1 - level.ordinal(), RpmaLog.auxiliaryThreshold().ordinal());
    }

    @Test
    void shouldTellAUserWhatTheLibrarySays() {
        listen();
        RpmaLog.threshold(RpmaLogLevel.INFO);
        RpmaPeerConfiguration.ofDescriptor(new byte[] {1});
        failure();

        assertEquals(List.of(
            "INFO peer_cfg.c true rpma_peer_cfg_from_descriptor INFO: Direct Write To PMem is supported",
            "ERROR peer_cfg.c true rpma_peer_cfg_from_descriptor incorrect size of the descriptor: 0 bytes"
                + " (should be at least 1 bytes)"), told);
    }

    @Test
    void shouldTellNothingBelowTheThreshold() {
        listen();
        RpmaLog.threshold(RpmaLogLevel.ERROR);
        RpmaPeerConfiguration.ofDescriptor(new byte[] {1});
        assertEquals(List.of(), told);

        RpmaLog.threshold(RpmaLogLevel.DISABLED);
        final RpmaException e = failure();
        assertEquals(List.of(), told);
        assertEquals("rpma_peer_cfg_from_descriptor: no descriptor of a peer: length=0 (RPMA_E_INVAL -100004)",
            e.getMessage());
    }

    @Test
    void shouldKeepTheCauseForTheExceptionWhenNobodyListens() {
        RpmaLog.function(null);

        assertTrue(failure().getMessage().contains("incorrect size of the descriptor"));
    }

    /** The log stays as it was before anybody used this binding. */
    @Test
    void shouldLeaveTheLogToTheLibrary() {
        listen();
        RpmaLog.useLibraryFunction();
        final RpmaException e = failure();

        assertEquals(List.of(), told);
        assertEquals("rpma_peer_cfg_from_descriptor: no descriptor of a peer: length=0 (RPMA_E_INVAL -100004)",
            e.getMessage());
    }
}
