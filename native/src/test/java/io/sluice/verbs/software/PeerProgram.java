package io.sluice.verbs.software;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/** The other process of a test: talks lines on its standard streams, verbs on the fabric that its argument names. */
public final class PeerProgram {
    static final int REGION_LENGTH = 64 * 1024;
    private static final int WORK = 16;
    private static final long LONG_NS = 20_000_000_000L;

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out = System.out;
    private final SoftwareDevice device;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final QueuePair pair;
    private final MemoryRegion region;

    private PeerProgram(final Path fabric) {
        device = SoftwareDevice.open(SystemEnvironment.instance(), fabric);
        domain = device.allocateProtectionDomain();
        channel = device.createCompletionChannel();
        queue = device.createCompletionQueue(new CompletionQueueAttributes(
            64, CompletionField.IMMEDIATE | CompletionField.BYTE_LENGTH, channel));
        pair = domain.createQueuePair(new QueuePairAttributes(queue, queue, WORK, WORK, 64, 0, 12, 6, 14));
        region = domain.allocateRegion(REGION_LENGTH, SoftwareLink.ACCESS);
        pair.initialise(SoftwareLink.ACCESS);
    }

    public static void main(final String[] arguments) throws IOException {
        endWithTheParent();
        final Path fabric = Path.of(arguments[0]);
        switch (arguments[1]) {
            case "listen" -> new PeerProgram(fabric).listen(arguments[2]);
            case "exchange" -> new PeerProgram(fabric).exchange();
            case "fill" -> fill(fabric, Long.parseLong(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[1]);
        }
    }

    private static void endWithTheParent() {
        final Thread watcher = new Thread(() -> {
            ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
            Runtime.getRuntime().halt(1);
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Accept one connection, then echo. */
    private void listen(final String address) throws IOException {
        pair.postReceives(1, WORK);
        final Listener listener = device.listen(address, 4);
        out.println("listening");
        ConnectionRequest request = listener.poll();
        while (request == null) {
            Thread.yield();
            request = listener.poll();
        }
        final Connection connection = request.accept(pair, new byte[0]);
        while (connection.poll() != Connection.State.ESTABLISHED) {
            Thread.yield();
        }
        out.println("established " + region.address() + " " + region.remoteKey());
        serve();
    }

    /** Connect by addresses that go through the standard streams, then echo. */
    private void exchange() throws IOException {
        out.println(HexFormat.of().formatHex(pair.localAddress()) + " " + region.address() + " " + region.remoteKey());
        pair.readyToReceive(HexFormat.of().parseHex(in.readLine()));
        pair.readyToSend();
        out.println("connected");
        serve();
    }

    /** Obey lines until there are no more. */
    private void serve() throws IOException {
        String line = in.readLine();
        while (line != null) {
            final String[] words = line.split(" ");
            switch (words[0]) {
                case "receives" -> pair.postReceives(1, Integer.parseInt(words[1]));
                case "sum" -> out.println(sum());
                case "arm" -> out.println(queue.requestNotify(false));
                case "event" -> awaitEvent();
                case "write" -> write(Long.parseLong(words[1]), Integer.parseInt(words[2]));
                default -> throw new IllegalArgumentException(line);
            }
            line = in.readLine();
        }
    }

    /** Wait for a completion, add up the bytes that it tells of. */
    private String sum() {
        while (queue.startPoll() != Errno.OK) {
            Thread.yield();
        }
        final int immediate = queue.immediateData();
        final int length = queue.byteLength();
        queue.endPoll();
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += region.buffer().getByte(i);
        }
        return immediate + " " + sum;
    }

    private void awaitEvent() {
        final boolean isOurs = channel.getEvent(LONG_NS) == queue;
        queue.acknowledgeEvents(1);
        out.println(isOurs ? "event" : "other event");
    }

    private void write(final long remoteAddress, final int remoteKey) {
        region.buffer().setMemory(0, 100, (byte) 3);
        out.println(pair.postWriteWithImmediate(
            1, WorkFlags.NONE, region.address(), region.localKey(), 100, remoteAddress, remoteKey, 77));
    }

    /** Allocate more than there is room for, then something small. */
    private static void fill(final Path fabric, final long length) {
        final SoftwareDevice device = SoftwareDevice.open(SystemEnvironment.instance(), fabric);
        final ProtectionDomain domain = device.allocateProtectionDomain();
        try {
            domain.allocateRegion(length, SoftwareLink.ACCESS);
            System.out.println("allocated");
        } catch (final VerbsException e) {
            System.out.println(e.errno() + " " + e.getMessage());
        }
        final MemoryRegion small = domain.allocateRegion(4096, SoftwareLink.ACCESS);
        small.buffer().putLong(0, 1);
        small.close();
        device.close();
        System.out.println("closed");
    }
}
