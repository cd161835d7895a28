package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The clock of each card below the provider: some stamp completions by a clock that nobody can read. */
class ModelClockTest {
    private static Stream<ModelCard> cards() {
        return ModelCard.all().stream();
    }

    @BeforeEach
    void requireLibraries() {
        PresentLibraries.assume();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldTellTheTimeOrRefuseItByName(final ModelCard card) {
        try (RdmaDevice device =
            new Model(card, SystemEnvironment.instance()).open(RdmaDeviceOptions.DEFAULT)) {
            assertEquals(card.has(Trait.READS_CLOCK), device.attributes().clock().frequencyKHz() != 0);
            if (card.has(Trait.READS_CLOCK)) {
                final long before = device.clockTicks();
                assertTrue(device.clockTicks() - before >= 0);
            } else {
                assertEquals(Errno.EOPNOTSUPP, assertThrows(VerbsException.class, device::clockTicks).errno());
            }
        }
    }
}
