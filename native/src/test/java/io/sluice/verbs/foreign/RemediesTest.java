package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
        assertTrue(Remedies.remedy(errno, "unlimited", List.of()).contains("rdma_rxe"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Remedies.ENODEV, Remedies.ENOSYS})
    void shouldTellWhichModuleProgramsReachTheKernelsDevicesBy(final int errno) {
        final String remedy = Remedies.remedy(errno, "unlimited", List.of("mlx5_0", "rxe0"));

        assertTrue(remedy.contains("[mlx5_0, rxe0]") && remedy.contains("modprobe ib_uverbs"), remedy);
        assertFalse(remedy.contains("no RDMA device") || remedy.contains("driver"), remedy);
    }

    @Test
    void shouldNameALimitOfLockedMemory() {
        final String remedy = Remedies.remedy(Errno.ENOMEM, "65536", List.of());

        assertTrue(remedy.contains("65536 bytes") && remedy.contains("ulimit -l unlimited"), remedy);
        assertTrue(remedy.contains("the device has no room left"), remedy);
    }

    @Test
    void shouldNotBlameALimitThatIsNone() {
        assertEquals(
            ": the device or the kernel has no memory left for it",
            Remedies.remedy(Errno.ENOMEM, "unlimited", List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {Remedies.ENODEV, Remedies.EADDRNOTAVAIL})
    void shouldTellWhichAddressesCanBeListenedOn(final int errno) {
        final String sentence = Remedies.ofListening("10.0.0.1:40123", errno);

        assertTrue(sentence.startsWith("address=10.0.0.1:40123 "), sentence);
        assertTrue(sentence.contains("./sluice devices lists"), sentence);
        assertFalse(sentence.contains("driver") || sentence.contains("no RDMA device"), sentence);
    }

    @Test
    void shouldTellWhichLimitOfDescriptorsToRaise() {
        assertTrue(Remedies.remedy(Errno.EMFILE).contains("ulimit -n"), Remedies.remedy(Errno.EMFILE));
        assertTrue(Remedies.remedy(Errno.ENFILE).contains("fs.file-max"), Remedies.remedy(Errno.ENFILE));
    }

    @Test
    void shouldTellThatLowPortsNeedACapability() {
        assertEquals("address=10.0.0.1:80 is not for this user: ports below 1024 need CAP_NET_BIND_SERVICE,"
            + " use a higher one", Remedies.ofListening("10.0.0.1:80", Errno.EACCES));
    }

    @Test
    void shouldNotGuessWhyAnAddressCannotBeBound() {
        assertEquals("address=10.0.0.1:40123 cannot be bound", Remedies.ofListening("10.0.0.1:40123", Errno.EINVAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOENT, Remedies.ENODEV, Remedies.ENOSYS})
    void shouldTellWhichModuleTheConnectionManagerIs(final int errno) {
        final String sentence = Remedies.ofManager(errno);

        assertTrue(sentence.contains("modprobe rdma_ucm"), sentence);
        assertFalse(sentence.contains("no RDMA device"), sentence);
    }

    @Test
    void shouldTellWhoMayUseTheConnectionManager() {
        assertEquals("no connection manager" + Remedies.remedy(Errno.EACCES), Remedies.ofManager(Errno.EACCES));
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
