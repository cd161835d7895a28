package io.sluice.samples.machine;

import static io.sluice.samples.machine.Verdict.FAIL;
import static io.sluice.samples.machine.Verdict.OK;
import static io.sluice.samples.machine.Verdict.WARN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.DeviceDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every state of a machine that the doctor knows, as files and answers of a made-up one. */
class DoctorTest {
    private final ScriptedMachine machine = new ScriptedMachine();

    private List<Finding> examine() {
        return Doctor.examine(machine, Path.of(ScriptedMachine.FOLDER));
    }

    private void finds(final Verdict verdict, final String subject, final String text, final String remedy) {
        final Finding finding = examine().stream().filter(line -> line.subject().equals(subject)).findFirst()
            .orElseThrow(() -> new AssertionError("no line about " + subject + ": " + examine()));
        assertEquals(verdict, finding.verdict(), finding::toString);
        assertTrue(finding.text().contains(text), finding::toString);
        assertTrue(finding.remedy().contains(remedy), finding::toString);
    }

    private long count(final Verdict verdict) {
        return examine().stream().filter(finding -> finding.verdict() == verdict).count();
    }

    @Test
    void shouldFindNothingWrongWithAFitMachine() {
        assertEquals(examine().size(), count(OK), () -> examine().toString());
        assertEquals(List.of("jdk", "jvm flags", "internal access", "native access", "system", "libraries",
            "device mlx5_0", "permissions", "processors", "isolated cores", "governor", "memlock", "huge pages",
            "/dev/shm", "shared folder"), examine().stream().map(Finding::subject).toList());
        finds(OK, "jdk", "Test VM 25+1 in /jdk", "");
        finds(OK, "jvm flags", "-Xmx1g", "");
    }

    /** Software devices need nothing of all that. */
    @Test
    void shouldOnlyWarnOnAMachineWithoutAnyOfIt() {
        machine.withoutRdma().files.clear();
        machine.room.clear();
        machine.processors = 1;

        assertEquals(0, count(FAIL), () -> examine().toString());
        finds(WARN, "libraries", "cannot be used", "libibverbs.so.1 is not installed: install it");
        finds(WARN, "devices", "only sluice:ipc works", "rdma_rxe");
        finds(OK, "permissions", "no device", "");
        finds(WARN, "processors", "1 for this process", "idle strategies");
        finds(WARN, "isolated cores", "none", "isolcpus=");
        finds(OK, "governor", "virtual machine", "");
        finds(WARN, "memlock", "does not tell", "ulimit -l");
        finds(WARN, "huge pages", "none are reserved", "vm.nr_hugepages=");
        finds(WARN, "/dev/shm", "is not there", "tmpfs");
        finds(OK, "shared folder", "made by the first transport", "");
    }

    @Test
    void shouldSayThatItKnowsLinuxOnly() {
        machine.properties.put("os.name", "Mac OS X");

        finds(WARN, "system", "Mac OS X, where only sluice:ipc works", "use Linux");
        assertEquals(List.of("jdk", "jvm flags", "internal access", "native access", "system", "shared folder"),
            examine().stream().map(Finding::subject).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"24", "1.8", "", "twentyfive", "99999999999999999999"})
    void shouldRefuseAnOldJdk(final String release) {
        machine.properties.put("java.specification.version", release);

        finds(FAIL, "jdk", "too old", "install a JDK 25");
    }

    @Test
    void shouldNameTheFlagsThatAreMissing() {
        machine.internalAccess = false;
        machine.nativeAccess = false;
        machine.flags.clear();

        finds(FAIL, "internal access", "closed", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        finds(WARN, "native access", "not allowed", "--enable-native-access=ALL-UNNAMED");
        finds(OK, "jvm flags", "none", "");
    }

    @Test
    void shouldFailWhenTheKernelHasADeviceThatLibrariesAreMissingFor() {
        machine.rdma = new RdmaSurvey("", List.of(), "install libibverbs1");

        finds(FAIL, "libraries", "cannot be used", "install libibverbs1");
        finds(FAIL, "devices", "the kernel has mlx5_0, but none can be used", "install libibverbs1");
    }

    @Test
    void shouldNameThePackageOfDriversWhenTheKernelAloneHasADevice() {
        final String problem = RdmaSurvey.whyNone(new String[] {"mlx5_0"});
        machine.rdma = new RdmaSurvey("56.1", List.of(), problem);

        finds(OK, "libraries", "56.1", "");
        finds(FAIL, "devices", "the kernel has mlx5_0, but none can be used", "install ibverbs-providers");
        assertTrue(RdmaSurvey.whyNone(new String[0]).contains("rdma_rxe"));
        assertTrue(RdmaSurvey.whyNone(null).contains("rdma_rxe"));
    }

    @ParameterizedTest
    @CsvSource({"44.0, OK, ''", "43.9, FAIL, install version 44", "of unknown version, WARN, packages",
        "1234567.0, WARN, packages"})
    void shouldJudgeTheVersionOfTheLibraries(final String version, final Verdict verdict, final String remedy) {
        machine.rdma = new RdmaSurvey(version, machine.rdma.devices(), "");

        finds(verdict, "libraries", "rdma-core " + version, remedy);
    }

    @Test
    void shouldOnlyWarnOfOldLibrariesWithoutADevice() {
        machine.withoutRdma().rdma = new RdmaSurvey("39.0", List.of(), "no device");

        finds(WARN, "libraries", "39.0 is too old", "install version 44");
    }

    @Test
    void shouldTellOfEachDevice() {
        machine.rdma = new RdmaSurvey("56.1", List.of(ScriptedMachine.usable("mlx5_0"),
            ScriptedMachine.device("mlx5_1", "down", "no port is active: see cable"),
            DeviceDescription.unusable("mlx5_2", "rdma", "ibv_open_device: this user may not use the device")), "");

        finds(OK, "device mlx5_0", "port 1 active (Ethernet); completion queues extended: the device has it", "");
        finds(WARN, "device mlx5_1", "port 1 down", "see cable");
        finds(FAIL, "device mlx5_2", "cannot be used", "may not use");
    }

    /** The device is described as one that is not opened: without ports. */
    @Test
    void shouldRefuseAnIwarpDeviceWithTheReason() {
        machine.rdma = new RdmaSurvey("56.1", List.of(DeviceDescription.unusable("iw0", "rdma",
            "ibv_open_device: device iw0 cannot be used: it speaks iWARP, which has no WRITE WITH IMMEDIATE; use a"
            + " device of InfiniBand or RoCE")), "");

        finds(FAIL, "device iw0", "cannot be used", "iWARP, which has no WRITE WITH IMMEDIATE");
    }

    @Test
    void shouldNameTheFilesThatTheUserMayNotUse() {
        machine.denied.add("/dev/infiniband/uverbs0");

        finds(FAIL, "permissions", "may not use uverbs0 of /dev/infiniband", "udev rule");
    }

    @ParameterizedTest
    @CsvSource({"uverbs0, ib_uverbs", "rdma_cm, rdma_ucm"})
    void shouldNameTheDriverOfAMissingFile(final String file, final String driver) {
        machine.files.remove("/dev/infiniband/" + file);

        finds(FAIL, "permissions", "/dev/infiniband has no " + file.replace("0", ""), "load " + driver);
    }

    @ParameterizedTest
    @CsvSource({
        "unlimited, OK, unlimited",
        "268435456, OK, 256 MiB of locked memory",
        "8388608, WARN, 8 MiB of locked memory",
        "65536, FAIL, 65536 bytes of locked memory",
        "0, FAIL, 0 bytes",
        "999999999999999999999, WARN, does not tell",
        "-1, WARN, does not tell"})
    void shouldJudgeTheLimitOfLockedMemory(final String limit, final Verdict verdict, final String text) {
        machine.files.put("/proc/self/limits", ScriptedMachine.limits(limit));

        finds(verdict, "memlock", text, verdict == OK ? "" : "ulimit -l");
    }

    @Test
    void shouldOnlyWarnOfLittleLockedMemoryWithoutADevice() {
        machine.withoutRdma().files.put("/proc/self/limits", ScriptedMachine.limits("65536"));

        finds(WARN, "memlock", "65536 bytes", "LimitMEMLOCK");
    }

    @Test
    void shouldKnowThatTheLimitDoesNotHoldForEverybody() {
        machine.files.put("/proc/self/limits", ScriptedMachine.limits("65536"));
        machine.files.put("/proc/self/status", "CapEff:\t000001ffffffffff\n");

        finds(OK, "memlock", "CAP_IPC_LOCK", "");
        machine.files.put("/proc/self/status", "CapEff:\tfffffffffffffffffffffff\n");
        finds(FAIL, "memlock", "65536 bytes", "ulimit");
    }

    @Test
    void shouldTellOfHugePages() {
        finds(OK, "huge pages", "8 of 8 free, 2048 KiB each", "");
        machine.files.put("/proc/meminfo", ScriptedMachine.hugePages(8, 0));
        finds(WARN, "huge pages", "all 8 of 2048 KiB are taken", "vm.nr_hugepages=16");
        machine.files.put("/proc/meminfo", ScriptedMachine.hugePages(0, 0));
        finds(WARN, "huge pages", "none are reserved", "vm.nr_hugepages=64");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", delimiter = '|', value = {
        "2-3  | 2-3  | OK   | 2-3, without a tick",
        "2-3  | none | WARN | 2-3; without a tick: none",
        "2-3  | 3    | WARN | 2-3; without a tick: 3",
        "none | 2-3  | WARN | none: other threads",
        "''   | ''   | WARN | none: other threads",
        "2-x  | 2-x  | WARN | none: other threads",
        "2-3  | (null) | WARN | without a tick: none"})
    void shouldTellOfIsolatedCores(
        final String isolated, final String tickless, final Verdict verdict, final String text) {
        machine.files.put("/sys/devices/system/cpu/isolated", isolated);
        machine.files.put("/sys/devices/system/cpu/nohz_full", tickless);

        finds(verdict, "isolated cores", text, verdict == OK ? "" : "nohz_full=");
    }

    @Test
    void shouldTellOfGovernors() {
        finds(OK, "governor", "performance on 2 processors", "");
        machine.files.put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
        finds(WARN, "governor", "performance on 1, powersave on 1 processors", "cpupower");
        machine.files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "\u001b[31mred");
        finds(WARN, "governor", "powersave on 1 processors", "cpupower");
    }

    @ParameterizedTest
    @CsvSource({"268435456, OK, 256 MiB free", "67108864, WARN, 64 MiB free", "16777215, FAIL, 15 MiB free",
        "0, FAIL, 0 bytes free"})
    void shouldJudgeTheRoomInSharedMemory(final long bytes, final Verdict verdict, final String text) {
        machine.room.put(ScriptedMachine.SHARED, bytes);

        finds(verdict, "/dev/shm", text, verdict == OK ? "" : "--shm-size");
    }

    @Test
    void shouldFailWhereSharedMemoryCannotBeWritten() {
        machine.denied.add(ScriptedMachine.SHARED);
        machine.files.remove(ScriptedMachine.FOLDER + "/x");

        finds(FAIL, "/dev/shm", "may not write", "chmod 1777");
        finds(FAIL, "shared folder", "cannot be made", "-Dsluice.dir=");
    }

    @Test
    void shouldExpectATransportToMakeTheFoldersAboveTheSharedOne() {
        machine.room.put("/data", 1L << 30);
        machine.denied.add("/data/a");
        final Path folder = Path.of("/data/a/sluice");

        assertEquals(OK, MemoryChecks.sharedFolder(machine, folder).verdict());
        machine.denied.add("/data");
        assertEquals(FAIL, MemoryChecks.sharedFolder(machine, folder).verdict());
    }

    @Test
    void shouldFailWhereTheSharedFolderIsSomebodyElses() {
        machine.denied.add(ScriptedMachine.FOLDER);

        finds(FAIL, "shared folder", "belongs to somebody else", "-Dsluice.dir=");
    }

    @Test
    void shouldFailWhereTransportsWouldRefuseTheSharedFolder() {
        machine.folderProblem = "is writable by others";
        finds(FAIL, "shared folder", "is writable by others", "chmod go-w");
    }

    @Test
    void shouldFailWhereTheSharedFolderItselfHasNoRoom() {
        machine.room.put(ScriptedMachine.FOLDER, 1L << 20);
        finds(FAIL, "shared folder", "1 MiB free, too little", "make room");
    }

    @Test
    void shouldLookAtFoldersAsALaunchDoes(@TempDir final Path parent) throws IOException {
        final Path folder = Files.createDirectory(parent.resolve("shared"));
        final SystemMachine here = new SystemMachine();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals("", here.folderProblem(folder));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertEquals("is writable by others", here.folderProblem(folder));
        assertEquals("", here.folderProblem(parent.resolve("none")));
    }

    @Test
    void shouldPrintNothingThatAFileMadeUp() {
        machine.flags.add("-Dx=\u001b[31m\nfail  jdk");

        finds(OK, "jvm flags", "-Xmx1g -Dx= [31m fail  jdk", "");
    }

    @Test
    void shouldAlwaysSayWhatToDo() {
        assertThrows(IllegalArgumentException.class, () -> new Finding(WARN, "x", "y", ""));
        assertThrows(IllegalArgumentException.class, () -> new Finding(OK, "x", "y", "z"));
    }

    @Test
    void shouldFindSomethingOnThisMachine() {
        final List<Finding> findings =
            Doctor.examine(new SystemMachine(), Path.of(System.getProperty("java.io.tmpdir"), "sluice-doctor-test"));

        assertTrue(findings.size() >= 6, findings::toString);
        assertEquals(OK, findings.getFirst().verdict(), findings::toString);
    }
}
