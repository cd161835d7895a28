package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.environment.SystemEnvironment;
import io.sluice.rpma.generated.rpma_conn_private_data;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.ScriptedFunctions;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * librpma by a script, which keeps its contract: objects are handles that point to nothing, what is deleted must not be
 * named any more, and descriptors are true ones that are readable when there is something. Any thread.
 */
final class ScriptedRpma extends ScriptedFunctions {
    /** The device, which is never looked into. */
    static final long CONTEXT = 0x1000;
    static final String ADDRESS_TEXT = "10.0.0.1";
    static final String PORT = "7204";
    static final int EAGAIN = 11;
    /** The handle of {@link #peer}, which is made first. */
    static final long PEER_HANDLE = 0x10_0000;
    private static final long HANDLE_STEP = 0x100;
    /** Distances from a handle to those that come with it. */
    private static final long MAIN_QUEUE = 8;
    private static final long RECEIVE_QUEUE = 16;
    private static final List<String> CREATIONS = List.of(
        "rpma_peer_new", "rpma_peer_cfg_new", "rpma_peer_cfg_from_descriptor", "rpma_mr_reg",
        "rpma_mr_remote_from_descriptor", "rpma_conn_cfg_new", "rpma_srq_cfg_new", "rpma_srq_new", "rpma_ep_listen",
        "rpma_conn_req_new");
    private static final List<String> DELETIONS = List.of(
        "rpma_peer_delete", "rpma_peer_cfg_delete", "rpma_mr_dereg", "rpma_mr_remote_delete", "rpma_conn_cfg_delete",
        "rpma_srq_cfg_delete", "rpma_srq_delete", "rpma_ep_shutdown", "rpma_conn_req_delete", "rpma_conn_delete");

    /** Arguments of each call but the last one's results, numbers and addresses, by function. */
    final Map<String, List<List<Long>>> arguments = new ConcurrentHashMap<>();
    /** Functions that were called with what had been deleted. */
    final List<String> usesOfDeleted = new CopyOnWriteArrayList<>();
    /** Values that the last configuration was told, by function. */
    final Map<String, Long> settings = new ConcurrentHashMap<>();
    /** Descriptors of endpoints and of connections: readable when there is an event, and when a test says so. */
    final int requestDescriptor = SystemCalls.newEventDescriptor();
    final int eventDescriptor = SystemCalls.newEventDescriptor();
    final int channelDescriptor = SystemCalls.newEventDescriptor();
    final RpmaLibrary library;
    final RpmaPeer peer;
    private final Queue<Integer> events = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> requests = new ConcurrentLinkedQueue<>();
    private final Map<Long, ScriptedQueue> queues = new ConcurrentHashMap<>();
    private final Set<Long> deleted = ConcurrentHashMap.newKeySet();
    private final Map<String, MemorySegment> others;
    private long nextHandle = PEER_HANDLE;
    private long lastConnection;
    private volatile MemorySegment logFunction;

    /**
     * The library and a peer on it.
     *
     * @param originals names of functions that are the true library's all the same.
     */
    ScriptedRpma(final String... originals) {
        this(originals(originals));
    }

    /**
     * The library and a peer on it.
     *
     * @param others functions that are not by the script, by their names.
     */
    ScriptedRpma(final Map<String, MemorySegment> others) {
        super("io.sluice.rpma.generated.rpma_h");
        this.others = others;
        PresentRpma.require();
        scriptObjects();
        scriptConnections();
        scriptQueues();
        answer("rpma_log_set_function", call -> {
            logFunction = (MemorySegment) call[0];
            return 0;
        });
        library = new RpmaLibrary(new NativeLibraries(this::find, LibraryVersion.UNKNOWN));
        peer = newPeer();
        calls.clear();
    }

    RpmaPeer newPeer() {
        return new RpmaPeer(library, SystemEnvironment.instance(), CONTEXT, null);
    }

    private static Map<String, MemorySegment> originals(final String... names) {
        PresentRpma.require();
        return Arrays.stream(names).collect(
            Collectors.toMap(name -> name, name -> RpmaLibrary.instance().libraries().find(name)));
    }

    @Override
    public Optional<MemorySegment> find(final String name) {
        return others.containsKey(name) ? Optional.of(others.get(name)) : super.find(name);
    }

    @Override
    protected void onCall(final String name, final Object[] given) {
        final List<Long> words = Arrays.stream(given).map(ScriptedRpma::word).toList();
        arguments.computeIfAbsent(name, ignored -> new CopyOnWriteArrayList<>()).add(words);
        if (words.stream().anyMatch(deleted::contains)
            || DELETIONS.contains(name) && deleted.contains(pointedTo(given[0]))) {
            usesOfDeleted.add(name);
        }
        if (name.contains("_cfg_set_")) {
            settings.put(name, words.getLast());
        }
    }

    private static long word(final Object argument) {
        return switch (argument) {
            case MemorySegment pointer -> pointer.address();
            case Boolean flag -> flag ? 1 : 0;
            case Number number -> number.longValue();
            default -> throw new AssertionError(argument.getClass());
        };
    }

    static long pointedTo(final Object pointer) {
        return bytes(pointer, Long.BYTES).get(JAVA_LONG, 0);
    }

    static MemorySegment bytes(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    static void write(final Object pointer, final long value) {
        bytes(pointer, Long.BYTES).set(JAVA_LONG, 0, value);
    }

    static void write(final Object pointer, final int value) {
        bytes(pointer, Integer.BYTES).set(JAVA_INT, 0, value);
    }

    static void writePrivateData(final Object pointer, final MemorySegment data, final int length) {
        final MemorySegment result = bytes(pointer, rpma_conn_private_data.sizeof());
        rpma_conn_private_data.ptr(result, data);
        rpma_conn_private_data.len(result, (byte) length);
    }

    static MemorySegment privateData(final Object pointer) {
        return rpma_conn_private_data.ptr(bytes(pointer, rpma_conn_private_data.sizeof()));
    }

    static int privateDataLength(final Object pointer) {
        return Byte.toUnsignedInt(rpma_conn_private_data.len(bytes(pointer, rpma_conn_private_data.sizeof())));
    }

    /** A word that nothing else is. */
    synchronized long newHandle() {
        final long handle = nextHandle;
        nextHandle += HANDLE_STEP;
        return handle;
    }

    private void scriptObjects() {
        for (final String creation : CREATIONS) {
            answer(creation, call -> {
                write(call[call.length - 1], newHandle());
                return 0;
            });
        }
        for (final String deletion : DELETIONS) {
            answer(deletion, call -> {
                delete(pointedTo(call[0]));
                write(call[0], 0L);
                return 0;
            });
        }
        answer("rpma_srq_get_rcq", call ->
            writeQueue(call, RECEIVE_QUEUE, settings.getOrDefault("rpma_srq_cfg_set_rcq_size", 0L) > 0));
    }

    /** Notes an object as deleted, and the queues that came with it. */
    private void delete(final long handle) {
        deleted.addAll(List.of(handle, handle + MAIN_QUEUE, handle + RECEIVE_QUEUE));
    }

    private static long writeQueue(final Object[] call, final long offset, final boolean isThere) {
        write(call[1], isThere ? word(call[0]) + offset : 0L);
        return 0;
    }

    private void scriptConnections() {
        answer("rpma_ep_get_fd", call -> tell(call, requestDescriptor));
        answer("rpma_ep_next_conn_req", call -> {
            final long result = takeEvent(requests, requestDescriptor);
            if (result == RpmaError.OK) {
                write(call[2], newHandle());
            }
            return result < 0 ? result : RpmaError.OK;
        });
        answer("rpma_conn_req_connect", call -> {
            delete(pointedTo(call[0]));
            write(call[0], 0L);
            lastConnection = newHandle();
            write(call[2], lastConnection);
            return 0;
        });
        answer("rpma_conn_get_event_fd", call -> tell(call, eventDescriptor));
        answer("rpma_conn_next_event", call -> {
            final long result = takeEvent(events, eventDescriptor);
            write(call[1], (int) result);
            return result < 0 ? result : RpmaError.OK;
        });
        answer("rpma_conn_get_qp_num", call -> tell(call, ScriptedQueue.NUMBER));
        answer("rpma_conn_get_compl_fd", call -> tell(call, channelDescriptor));
    }

    private void scriptQueues() {
        answer("rpma_conn_get_cq", call -> writeQueue(call, MAIN_QUEUE, true));
        answer("rpma_conn_get_rcq", call ->
            writeQueue(call, RECEIVE_QUEUE, settings.get("rpma_conn_cfg_set_rcq_size") > 0));
        answer("rpma_cq_get_fd", call -> tell(call, queue(word(call[0])).descriptor));
        answer("rpma_cq_wait", call -> queue(word(call[0])).takeEvent());
        answer("rpma_cq_get_wc", call -> queue(word(call[0])).getCompletions(
            (int) call[1], (MemorySegment) call[2], (MemorySegment) call[3]));
        answer("rpma_conn_wait", RpmaError.E_NO_COMPLETION);
    }

    private static long tell(final Object[] call, final int value) {
        write(call[1], value);
        return 0;
    }

    /** An event of 0 or more, or an error; without any what librdmacm makes of a descriptor that does not block. */
    private long takeEvent(final Queue<Integer> waiting, final int descriptor) {
        // first, or it would clear what is announced meanwhile
        SystemCalls.clear(descriptor);
        final Integer event = waiting.poll();
        if (!waiting.isEmpty()) {
            SystemCalls.signal(descriptor);
        }
        return event == null ? fail("rdma_get_cm_event() failed: " + LogCall.errorText(EAGAIN)) : event;
    }

    /** Log an error, for a function that returns E_PROVIDER then. */
    int fail(final String message) {
        log(RpmaLogLevel.ERROR, "%s\n", message);
        return RpmaError.E_PROVIDER;
    }

    /** Let a function fail, and log why. */
    void fail(final String function, final int code, final String message) {
        answer(function, call -> {
            log(RpmaLogLevel.ERROR, "%s\n", message);
            return code;
        });
    }

    /** The next look for an event finds this one, {@code enum rpma_conn_event}, or this error. */
    void deliver(final int event) {
        events.add(event);
        SystemCalls.signal(eventDescriptor);
    }

    /** The next look for a request finds one, or this error. */
    void deliverRequest(final int result) {
        requests.add(result);
        SystemCalls.signal(requestDescriptor);
    }

    /** Log as C does. */
    void log(final RpmaLogLevel level, final String format, final Object... values) {
        LogCall.log(logFunction, level.number(), "rpma.c", format, values);
    }

    RpmaConnection connect(final RpmaConnectionConfiguration configuration) {
        return peer.requestConnection(ADDRESS_TEXT, PORT, configuration).connect();
    }

    RpmaConnection connect() {
        return connect(RpmaConnectionConfiguration.DEFAULT);
    }

    /** The queue behind a handle. */
    ScriptedQueue queue(final long handle) {
        return queues.computeIfAbsent(handle, ignored -> new ScriptedQueue());
    }

    ScriptedQueue queue(final RpmaCompletionQueue queue) {
        return queue(queue.handle());
    }

    /** Arguments of the only call of a function. */
    List<Long> argumentsOf(final String function) {
        final List<List<Long>> all = arguments.getOrDefault(function, List.of());
        if (all.size() != 1) {
            throw new AssertionError(function + " was called " + all.size() + " times");
        }
        return all.getFirst();
    }

    /** The number of times that a function was called since {@link #calls} was cleared. */
    long count(final String function) {
        return calls.stream().filter(function::equals).count();
    }

    /** Wait until a thread has called a function since {@link #calls} was cleared. */
    void awaitCall(final String function) {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Waiting.PATIENCE_S);
        while (!calls.contains(function)) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError(function + " is not called");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        if (!Waiting.isOver()) {
            return;
        }
        queues.values().forEach(ScriptedQueue::close);
        SystemCalls.close(requestDescriptor);
        SystemCalls.close(eventDescriptor);
        SystemCalls.close(channelDescriptor);
        super.close();
    }
}
