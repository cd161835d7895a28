package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemediesTest {
    @ParameterizedTest
    @ValueSource(ints = {Remedies.EPERM, Errno.EACCES})
    void shouldTellWhoMayUseTheDevice(final int errno) {
        assertTrue(Remedies.remedy(errno).contains("/dev/infiniband"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Remedies.ENODEV, Remedies.ENOSYS})
    void shouldTellHowToGetADevice(final int errno) {
        assertTrue(Remedies.remedy(errno).contains("rdma_rxe"));
    }

    @Test
    void shouldNameALimitOfLockedMemory() {
        final String remedy = Remedies.remedy(Errno.ENOMEM, "65536");

        assertTrue(remedy.contains("65536 bytes") && remedy.contains("ulimit -l unlimited"), remedy);
    }

    @Test
    void shouldNotBlameALimitThatIsNone() {
        assertEquals(
            ": the device or the kernel has no memory left for it", Remedies.remedy(Errno.ENOMEM, "unlimited"));
    }

    @Test
    void shouldSayNothingWhereItKnowsNothing() {
        assertEquals("", Remedies.remedy(Errno.EINVAL));
    }

    @Test
    void shouldReadTheLimitThatTheKernelTells() {
        final List<String> lines = List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max open files            1024                 1048576              files     ",
            "Max locked memory         8388608              unlimited            bytes     ");

        assertEquals("8388608", Remedies.lockedMemoryLimit(lines));
        assertEquals("unknown", Remedies.lockedMemoryLimit(lines.subList(0, 2)));
    }
}
