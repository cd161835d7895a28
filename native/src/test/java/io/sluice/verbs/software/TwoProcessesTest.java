package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TwoProcessesTest {
    private static final int WORK = 16;
    private static final int RNR_FOR_EVER = 7;
    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final String SERVICE = "ipc/child/1";

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SteppedEnvironment environment = new SteppedEnvironment();
    private SoftwareDevice device;
    private CompletionQueue queue;
    private QueuePair pair;
    private MemoryRegion region;
    private ChildJvm child;
    private long peerAddress;
    private int peerKey;

    @BeforeEach
    void open() {
        device = SoftwareDevice.open(environment, fabric.path());
        final ProtectionDomain domain = device.allocateProtectionDomain();
        queue = device.createCompletionQueue(new CompletionQueueAttributes(
            64, CompletionField.IMMEDIATE | CompletionField.BYTE_LENGTH, null));
        pair = domain.createQueuePair(
            new QueuePairAttributes(queue, queue, WORK, WORK, 64, RNR_FOR_EVER, 12, 6, 14));
        region = domain.allocateRegion(PeerProgram.REGION_LENGTH, SoftwareLink.ACCESS);
        pair.initialise(SoftwareLink.ACCESS);
        region.buffer().setMemory(0, 1000, (byte) 2);
    }

    @AfterEach
    void close() {
        if (child != null) {
            child.close();
        }
        pair.close();
        queue.close();
        region.close();
        device.close();
        fabric.close();
    }

    private void start(final String... arguments) throws IOException {
        child = ChildJvm.start(PeerProgram.class, arguments);
    }

    private Connection connectToListeningChild() throws IOException {
        start(fabric.path().toString(), "listen", SERVICE);
        assertEquals("listening", child.readLine());
        final Connection connection = device.connect(SERVICE, pair, new byte[0], Long.MAX_VALUE);
        until(() -> connection.poll() == Connection.State.ESTABLISHED);
        final String[] words = child.readLine().split(" ");
        assertEquals("established", words[0]);
        peerAddress = Long.parseLong(words[1]);
        peerKey = Integer.parseInt(words[2]);
        return connection;
    }

    private void exchangeAddressesWithChild() throws IOException {
        start(fabric.path().toString(), "exchange");
        final String[] words = child.readLine().split(" ");
        peerAddress = Long.parseLong(words[1]);
        peerKey = Integer.parseInt(words[2]);
        pair.readyToReceive(HexFormat.of().parseHex(words[0]));
        pair.readyToSend();
        child.writeLine(HexFormat.of().formatHex(pair.localAddress()));
        assertEquals("connected", child.readLine());
    }

    private void until(final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            duties();
            Thread.yield();
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "waited in vain");
        }
    }

    private void duties() {
        environment.advance(SoftwareLimits.LIVENESS_INTERVAL_NS);
        device.poll((type, completionQueue, queuePair) -> { });
    }

    private int write(final int length, final int immediate) {
        return pair.postWriteWithImmediate(immediate, WorkFlags.SIGNALED, region.address(), region.localKey(), length,
            peerAddress, peerKey, immediate);
    }

    private int awaitStatus() {
        until(() -> queue.startPoll() == Errno.OK);
        final int status = queue.status();
        queue.endPoll();
        return status;
    }

    @Test
    void shouldWriteToAnotherProcessAndBack() throws IOException {
        final Connection connection = connectToListeningChild();
        pair.postReceives(1, 1);

        assertEquals(Errno.OK, write(1000, 5));
        assertEquals(WorkStatus.SUCCESS, awaitStatus());
        child.writeLine("sum");
        assertEquals("5 2000", child.readLine());
        child.writeLine("write " + region.address() + " " + region.remoteKey());
        assertEquals("0", child.readLine());
        until(() -> queue.startPoll() == Errno.OK);
        assertEquals(77, queue.immediateData());
        assertEquals(100, queue.byteLength());
        queue.endPoll();

        assertEquals(3, region.buffer().getByte(99));
        assertFalse(connection.isPeerGone());
        connection.close();
    }

    @Test
    void shouldAnnounceACompletionToAnotherProcess() throws IOException {
        connectToListeningChild();
        child.writeLine("arm");
        assertEquals("0", child.readLine());
        child.writeLine("event");

        assertEquals(Errno.OK, write(10, 6));

        assertEquals("event", child.readLine());
        child.writeLine("sum");
        assertEquals("6 20", child.readLine());
    }

    @Test
    void shouldNoticeAKilledPeerThroughTheConnection() throws IOException {
        final Connection connection = connectToListeningChild();
        pair.postReceives(1, 3);
        child.kill();

        until(() -> connection.poll() == Connection.State.DISCONNECTED);

        assertTrue(connection.isPeerGone());
        assertEquals(QueuePairState.ERROR, pair.state());
        for (int i = 0; i < 3; i++) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, awaitStatus());
        }
        assertEquals(Errno.OK, write(8, 1));
        assertEquals(WorkStatus.WR_FLUSH_ERR, awaitStatus());
    }

    @Test
    void shouldNoticeAKilledPeerByItsLockAndFlushWhatIsOutstanding() throws IOException {
        exchangeAddressesWithChild();
        pair.postReceives(1, 2);
        assertEquals(Errno.OK, write(8, 1));
        assertEquals(Errno.OK, write(8, 2));
        assertEquals(Errno.ENOENT, queue.startPoll(), "both wait for a receive of the peer");
        child.kill();

        until(() -> pair.state() == QueuePairState.ERROR);

        for (int i = 0; i < 4; i++) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, awaitStatus());
        }
        assertEquals(Errno.ENOENT, queue.startPoll());
    }

    @Test
    void shouldNotTakeAStoppedPeerForDead() throws IOException, InterruptedException {
        exchangeAddressesWithChild();
        signal("STOP");
        assertEquals(Errno.OK, write(8, 1));
        for (int i = 0; i < 100; i++) {
            duties();
        }
        assertEquals(QueuePairState.READY_TO_SEND, pair.state());
        assertEquals(Errno.ENOENT, queue.startPoll());

        signal("CONT");
        child.writeLine("receives 1");

        assertEquals(WorkStatus.SUCCESS, awaitStatus());
    }

    private void signal(final String name) throws IOException, InterruptedException {
        final long childId =
            ProcessHandle.current().children().map(ProcessHandle::pid).max(Long::compare).orElseThrow();
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(childId)).start().waitFor());
    }

    @Test
    void shouldCleanUpAfterAKilledProcess() throws IOException {
        exchangeAddressesWithChild();
        final List<Path> alive = environment.files().list(fabric.path());
        child.kill();
        try (SoftwareDevice next = SoftwareDevice.open(environment, fabric.path())) {
            final List<Path> folders = environment.files().list(fabric.path()).stream()
                .filter(path -> FabricNames.isFolder(path.getFileName().toString())).toList();
            assertEquals(2, folders.size());
            assertTrue(folders.contains(device.context().folder().path()));
            assertTrue(folders.contains(next.context().folder().path()));
            assertEquals(2, alive.stream()
                .filter(path -> FabricNames.isFolder(path.getFileName().toString())).count());
        }
    }

    @Test
    void shouldSayWhichProcessListensAndTakeOverWhenItDies() throws IOException {
        start(fabric.path().toString(), "listen", SERVICE);
        assertEquals("listening", child.readLine());
        assertEquals(List.of(SERVICE), device.listeners("ipc/child"));
        final VerbsException e = assertThrows(VerbsException.class, () -> device.listen(SERVICE, 4));
        assertEquals(Errno.EADDRINUSE, e.errno());
        assertTrue(e.getMessage().matches(".*in use by pid [1-9][0-9]* .*"), e.getMessage());

        child.kill();

        device.listen(SERVICE, 4).close();
    }

    @Test
    void shouldBeUnreachableAndForgetTheServiceWhenItsProcessIsDead() throws IOException {
        start(fabric.path().toString(), "listen", SERVICE);
        assertEquals("listening", child.readLine());
        child.kill();

        final Connection connection = device.connect(SERVICE, pair, new byte[0], Long.MAX_VALUE);

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertTrue(connection.isPeerGone());
        assertEquals(List.of(), device.listeners("ipc/child"));
    }

    @Test
    void shouldNotFitARegionBeyondTheRoomAndGoOn() throws IOException {
        child = ChildJvm.startAfter(
            "ulimit -f 4096", PeerProgram.class, fabric.path().toString(), "fill", "100000000");

        final String refusal = child.readLine();

        assertTrue(refusal.startsWith("27 ") && refusal.contains("EFBIG"), refusal);
        assertTrue(refusal.contains("100000000"), refusal);
        assertEquals("closed", child.readLine());
    }
}
