package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bounds within which two round trips between cores are of one state of the machine.
 */
class CoreRoundTripTest {
    private static final CoreRoundTrip NEAR = new CoreRoundTrip(100);

    @ParameterizedTest
    @CsvSource({"100, true", "150, true", "151, false", "67, true", "66, false"})
    void shouldBeLikeWhatIsLessThanHalfAsFarAgain(double medianNs, boolean isLike) {
        assertEquals(isLike, NEAR.isLike(new CoreRoundTrip(medianNs)));
        assertEquals(isLike, new CoreRoundTrip(medianNs).isLike(NEAR));
    }

    @Test
    void shouldBeLikeNothingWhenItIsNotKnown() {
        assertTrue(NEAR.isKnown());
        assertFalse(CoreRoundTrip.UNKNOWN.isKnown());
        assertFalse(NEAR.isLike(CoreRoundTrip.UNKNOWN));
        assertFalse(CoreRoundTrip.UNKNOWN.isLike(NEAR));
        assertFalse(CoreRoundTrip.UNKNOWN.isLike(CoreRoundTrip.UNKNOWN));
    }
}
