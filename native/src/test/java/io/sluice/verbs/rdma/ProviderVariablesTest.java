package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Environment variables by which a provider would end or freeze this process. */
class ProviderVariablesTest {
    /** Beforehand, and not where an exception is expected. */
    @BeforeEach
    void assumeLibraries() {
        PresentLibraries.assume();
    }

    private static void check(final int vendor, final Map<String, String> variables) {
        try (ScriptedLibraries libraries = new ScriptedLibraries()) {
            libraries.answer("ibv_query_device", arguments -> {
                ibv_device_attr.vendor_id(
                    ((MemorySegment) arguments[1]).reinterpret(ibv_device_attr.sizeof()), vendor);
                return 0;
            });
            ProviderVariables.check(
                "mlx5_0", () -> DeviceQuery.vendor(libraries.verbs(), 1, "mlx5_0"), variables::get);
        }
    }

    @ParameterizedTest
    @CsvSource({"MLX5_SINGLE_THREADED, 1", "MLX5_FREEZE_ON_ERROR_CQE, 1", "MLX5_FREEZE_ON_ERROR_CQE, -02",
        "MLX5_FREEZE_ON_ERROR_CQE, ' 10 '"})
    void shouldRefuseADeviceWhoseProviderIsToldSo(final String name, final String value) {
        final VerbsException e = assertThrows(
            VerbsException.class, () -> check(DeviceVendor.MELLANOX, Map.of(name, value)));

        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("device mlx5_0 cannot be used: " + name + "=" + value), e.getMessage());
        assertTrue(e.getMessage().contains("; unset it"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"MLX5_SINGLE_THREADED, 0", "MLX5_SINGLE_THREADED, yes", "MLX5_SINGLE_THREADED, 11",
        "MLX5_FREEZE_ON_ERROR_CQE, 0", "MLX5_FREEZE_ON_ERROR_CQE, 00", "MLX5_FREEZE_ON_ERROR_CQE, ''",
        "MLX5_FREEZE_ON_ERROR_CQE, no"})
    void shouldTakeValuesThatTheProviderTakesForNone(final String name, final String value) {
        assertDoesNotThrow(() -> check(DeviceVendor.MELLANOX, Map.of(name, value)));
    }

    @Test
    void shouldTakeADeviceOfAnotherProvider() {
        final Map<String, String> variables = Map.of("MLX5_SINGLE_THREADED", "1", "MLX5_FREEZE_ON_ERROR_CQE", "1");

        assertDoesNotThrow(() -> check(DeviceVendor.INTEL, variables));
    }
}
