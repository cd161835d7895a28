package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressFilterTest {
    /** The first two are messages of a change of state that fails. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ibv_modify_qp: it fails: device mlx5_0 port 1 gid 3 fe80:0:0:0:5054:ff:fe12:3456 to gid fd00::2 (errno=22 x)"
            + "| ibv_modify_qp: it fails: device mlx5_0 port 1 gid 3 [address] to gid [address] (errno=22 x)",
        "it fails: device mlx4_0 port 2 to lid 17 (errno=110 ETIMEDOUT)"
            + "| it fails: device mlx4_0 port 2 to lid [address] (errno=110 ETIMEDOUT)",
        "gid 1 10.20.30.40 to gid 192.168.1.255: refused | gid 1 [address] to gid [address]: refused",
        "to [fe80::1%eth0]:4791, ::ffff:10.0.0.1, ::1 or :: | to [[address]]:4791, [address], [address] or [address]",
        "host:fe80::1: unreachable | host:[address]: unreachable",
        "2001:DB8::1/64 | [address]/64",
        "gid=0000:0000:0000:0000:0000:ffff:0a00:0001 | gid=[address]",
        "mac 52:54:00:12:34:56 and 52-54-00-12-34-56, 5254.0012.3456 | mac [address] and [address], [address]",
        "node guid 5254:00ff:fe12:3456, 0x525400fffe123456, 525400fffe123456"
            + "| node guid [address], 0x[address], [address]",
        "node_guid=1234123412341234 | node_guid=[address]",
        "rocex525400c0fe12 on enx525400123456 | rocex[address] on enx[address]",
        "dlid=0x1f sm_lid 3 destinationLid=5 LID: 7 local identifier 9"
            + "| dlid=[address] sm_lid [address] destinationLid=[address] LID: [address] local identifier [address]",
        "10.0.0.1.4791 | [address].4791",
        "cannot create /tmp/sluice-selftest12/fabric: No such file (/home/somebody/x.txt, file:/root/y)"
            + "| cannot create [path]: No such file ([path], file:[path])",
        "/dev/shm/sluice-somebody is full; dlopen /opt/a-b/lib/x.so | [path] is full; dlopen [path]"})
    void shouldTakeAddressesOut(final String text, final String cleaned) {
        assertEquals(cleaned, AddressFilter.clean(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "device=mlx5_0 model=mlx5 MT4119 rdma-core=56.1 java=25.0.1 kernel=6.12.48+deb13-amd64 processors=2",
        "  maxMemoryRegionLength=9223372036854775807 capabilities=1125899906842624",
        "at 12:34:56 the device 0000:3b:00.0 was invalid 5 times: it took 0.5.1 s",
        "  ok      latency    one way, 1 byte: p50=1.234 us p99=2.345 us p99.9=10.000 us",
        "ENOMEM after 64 of maxSendWork=64; std::string, immediate=-1 instead of 0x1f",
        "device rxe0 gid 3 port 1",
        "100 Gb/sec (4X EDR), 16.0 GT/s PCIe x16, IB/RoCE v1, mlx5/cq.c:1116 and/or n/a",
        "open /dev/infiniband/uverbs0: /sys/class/infiniband/mlx5_0 and /usr/lib/x86_64-linux-gnu/libibverbs.so.1"})
    void shouldLeaveTheRest(final String text) {
        assertEquals(text, AddressFilter.clean(text));
    }
}
