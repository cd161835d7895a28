package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A device's clock and capabilities, as the device tells them. */
class ClockTest extends VerbsSuite {
    /** The clock's rate and its present value come together, or are both refused by name. */
    @Test
    void shouldTellRateAndTimeOfItsClock() {
        final DeviceClock clock = rig.first.attributes().clock();
        if (clock.frequencyKHz() == 0) {
            assertEquals(Errno.EOPNOTSUPP, assertThrows(VerbsException.class, () -> clock.toNs(1)).errno());
            assertEquals(Errno.EOPNOTSUPP,
                assertThrows(VerbsException.class, () -> rig.first.clockTicks()).errno());
            return;
        }
        final long before = rig.first.clockTicks();
        rig.until("a tick", () -> clock.elapsedTicks(before, rig.first.clockTicks()) > 0);
        assertTrue(clock.toNs(clock.elapsedTicks(before, rig.first.clockTicks())) >= 0);
    }

    @Test
    void shouldStampCompletionsByItsClockOnly() {
        final DeviceAttributes attributes = rig.first.attributes();

        assertEquals((attributes.completionFields() & CompletionField.COMPLETION_TIMESTAMP) != 0,
            attributes.clock().timestampMask() != 0);
    }

    /** Soft-RoCE and the software device have it. */
    @Test
    void shouldTellWhatItCanDo() {
        final long capabilities = rig.first.attributes().capabilities();

        assertTrue((capabilities & DeviceCapability.RC_RNR_NAK_GEN) != 0, DeviceCapability.describe(capabilities));
        assertFalse(DeviceCapability.describe(capabilities).contains("BIT_0"));
    }
}
