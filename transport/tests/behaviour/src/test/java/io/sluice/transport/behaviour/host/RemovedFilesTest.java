package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.CompletionMode;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.SkippingClock;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.status.TransportStatus;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody removes what a transport has made when it was launched, while it runs: it says so once, makes it anew, loses
 * nothing of the links that there are, and is met again.
 */
@Tag("long")
class RemovedFilesTest {
    private static final int STREAM_ID = 5;
    /** Publications do not wait at the end for who does not poll any more. */
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MESSAGES = 100;
    private static final int LENGTH = 100;
    /** The clock goes so slowly that nothing happens before it is put forward. */
    private static final int SLOWNESS = 1_000;
    /** At the clock by a conductor, several in each of its cycles: so many are a few cycles. */
    private static final int LOOKS = 100;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The number of steps after which a look is due, whenever the one before was. */
    private static final int STEPS = 11;
    private static final String TOLD = "somebody has removed shared memory that is in use";
    private static final String PROCESS = "[0-9]+-[0-9a-f]{16}";

    @RegisterExtension
    private final Transports transports = new Transports();

    private int sent;
    private int nextStreamId = 100;

    /** Paths below the shared folder as regular expressions, and how many of two transports are to tell. */
    static Stream<Arguments> everythingMadeAtLaunch() {
        return Stream.of(
            Arguments.of("", 2),
            Arguments.of(PROCESS, 2),
            Arguments.of(PROCESS + "/lock", 2),
            Arguments.of(PROCESS + "/s[0-9a-f]{6}", 2),
            Arguments.of(PROCESS + "/\\.sluice-.*", 2),
            Arguments.of(PROCESS + "/e[0-9a-f]{6}", 1),
            Arguments.of(PROCESS + "/c[0-9a-f]{6}", 2),
            Arguments.of(PROCESS + "/r[0-9a-f]{8}\\.h", 2),
            Arguments.of("l", 2),
            Arguments.of("l/.*/[0-9a-f]{32}", 2),
            Arguments.of("status", 2),
            Arguments.of("status/.*/lock", 2),
            Arguments.of("status/.*/counters", 2),
            Arguments.of("status/.*/errors", 2),
            // nobody misses them: the next one who needs them makes them, or does without
            Arguments.of("lock", 0),
            Arguments.of("turns", 0),
            Arguments.of(PROCESS + "/(q|r.*\\.d).*", 0));
    }

    @BeforeEach
    void assumeSharedMemory() {
        TestMedium.assumeIpc();
    }

    /** Launch a transport whose poller has an event channel. */
    private Transport launch() {
        return transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS))
            .pollers(new PollerOptions().completionModes(CompletionMode.EVENT)));
    }

    private Path folder() {
        return transports.fabric().directory();
    }

    /** {@return the paths that were removed, the outermost first} */
    private List<Path> remove(final String pattern) throws IOException {
        final List<Path> matching;
        try (Stream<Path> all = Files.walk(folder())) {
            matching = all.filter(path -> folder().relativize(path).toString().matches(pattern)).toList();
        }
        for (final Path path : matching) {
            delete(path);
        }
        return matching;
    }

    /** The path is gone at once, before anybody can look in between. */
    private void delete(final Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        final Path aside = folder().resolveSibling(folder().getFileName() + "-gone-" + System.nanoTime());
        Files.move(path, aside);
        try (Stream<Path> all = Files.walk(aside)) {
            for (final Path found : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(found);
            }
        }
    }

    private List<String> told() {
        return transports.errors().stream().map(Throwable::getMessage).filter(text -> text.contains(TOLD)).toList();
    }

    /** Send messages, and let each of the subscriptions receive all, in order. */
    private void exchange(final Publication publication, final Subscription... subscriptions) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        for (int i = 0; i < MESSAGES; i++) {
            final int number = ++sent;
            message.putInt(0, number);
            Await.until("room", () -> {
                for (final Subscription subscription : subscriptions) {
                    // a link that breaks is resumed when it has been polled
                    assertEquals(0, subscription.poll((buffer, offset, length, header) -> { }, 1));
                }
                return publication.offer(message, 0, LENGTH) > 0;
            });
            for (final Subscription subscription : subscriptions) {
                Await.until("message " + number, () -> subscription.poll(
                    (buffer, offset, length, header) -> assertEquals(number, buffer.getInt(offset)), 1) == 1);
            }
        }
    }

    private void assertMeets(final Transport publisher, final Transport subscriber) {
        final int streamId = nextStreamId++;
        final Subscription subscription = subscriber.addSubscription("sluice:ipc", streamId);
        final ExclusivePublication publication = publisher.addExclusivePublication("sluice:ipc?window=64k", streamId);
        Transports.awaitConnected(publication, subscription);
        exchange(publication, subscription);
    }

    private void awaitToldAndShown(final int count) {
        final StatusReader reader = new StatusReader(SystemEnvironment.instance(), folder());
        Await.until(() -> "told: " + transports.errors(), () -> told().size() == count, Await.DEADLINE_SECONDS);
        Await.until(() -> "shown: " + read(reader), () -> {
            final List<TransportStatus> all = read(reader);
            return all.size() == 2 && all.stream().allMatch(TransportStatus::isAlive)
                && all.stream().flatMap(status -> status.errors().stream())
                    .filter(error -> error.text().contains(TOLD)).count() == count;
        }, Await.DEADLINE_SECONDS);
    }

    private static List<TransportStatus> read(final StatusReader reader) {
        try {
            return reader.read(text -> { });
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @ParameterizedTest
    @MethodSource("everythingMadeAtLaunch")
    void shouldTellItOnceMakeItAnewAndLoseNothing(final String pattern, final int tellers) throws IOException {
        final Transport transport = launch();
        final Transport other = launch();
        final Subscription subscription = other.addSubscription("sluice:ipc?mode=dedicated", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        exchange(publication, subscription);
        final List<Path> removed = remove(pattern);
        assertFalse(removed.isEmpty(), "nothing fits " + pattern);
        exchange(publication, subscription);
        awaitToldAndShown(tellers);
        exchange(publication, subscription);
        final Transport newcomer = launch();
        for (final Transport old : List.of(transport, other)) {
            assertMeets(old, newcomer);
            assertMeets(newcomer, old);
        }
        assertMeets(transport, other);
        final Subscription late = newcomer.addSubscription("sluice:ipc", STREAM_ID);
        Transports.awaitConnected(publication, late);
        exchange(publication, subscription, late);
        assertEquals(told(), transports.errors().stream().map(Throwable::getMessage).toList(), "nothing else is told");
        assertEquals(tellers, told().size(), "each tells it once");
    }

    /** Between the removal and the next look nobody has a name, and all live. */
    @Test
    void shouldTakeNobodyForDeadBeforeAnybodyHasLooked() throws IOException {
        final SkippingClock clock = new SkippingClock(SLOWNESS);
        final Transport other = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        final Thread conductor = conductors().getFirst();
        final Transport transport = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        final Subscription subscription = other.addSubscription("sluice:ipc", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID);
        Await.until("the link", () -> {
            clock.skip(STEP_NS);
            return subscription.imageCount() == 1 && publication.isConnected();
        });
        remove("");
        clock.skip(2 * STEP_NS);
        clock.watch(conductor);
        clock.awaitLooks(LOOKS);
        exchange(publication, subscription);
        assertEquals(1, subscription.imageCount());
    }

    private static List<Thread> conductors() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("sluice-conductor")).toList();
    }

    /** Each link is broken once by each side, after everything was made anew. */
    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldResumeLinksThatWereThereBefore(final String log) throws IOException {
        final FailNext failing = new FailNext();
        final Transport transport =
            transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)), failing);
        final Transport other =
            transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)), failing);
        final Subscription subscription = other.addSubscription("sluice:ipc?log=" + log, STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k|log=" + log, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        exchange(publication, subscription);
        remove("");
        Await.until(() -> "told: " + transports.errors(), () -> told().size() == 2, Await.DEADLINE_SECONDS);
        for (int times = 1; times <= 2; times++) {
            final long count = times;
            failing.arm();
            Await.until(() -> "a resumed link, errors=" + transports.errors(), () -> {
                exchange(publication, subscription);
                return failing.hasHappened() && transport.counters().get(TransportCounter.LINKS_RESUMED) == count;
            }, Await.DEADLINE_SECONDS);
        }
        exchange(publication, subscription);
        assertEquals(1, subscription.imageCount());
    }

    /** A thread that is slow at a lock holds what whoever looks may wait for. */
    @Test
    void shouldNotHoldTheConductorUpByALook() {
        final SkippingClock clock = new SkippingClock();
        transports.launch(context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        clock.watch(conductors().getFirst());
        synchronized ("io.sluice.environment.SystemLocks.MONITOR".intern()) {
            for (int step = 0; step < STEPS; step++) {
                clock.skip(STEP_NS);
                clock.awaitLooks(LOOKS);
            }
        }
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldTellItAgainWhenItIsRemovedAgain() throws IOException {
        final SkippingClock clock = new SkippingClock();
        final Transport transport = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        clock.watch(conductors().getFirst());
        for (int times = 1; times <= 3; times++) {
            remove("");
            final int count = times;
            Await.until(() -> "told: " + transports.errors(), () -> {
                clock.skip(STEP_NS);
                return told().size() == count;
            }, Await.DEADLINE_SECONDS);
            // it is seen whole before it is removed again: when the set-up agent has met somebody, it has done before
            // what the look before has asked of it
            for (int meetings = 0; meetings < 3; meetings++) {
                assertMeets(transport, transport);
                // in steps: a long one would be taken for a pause of the conductor's own
                for (int step = 0; step < STEPS; step++) {
                    clock.skip(STEP_NS);
                    clock.awaitLooks(LOOKS);
                }
            }
        }
    }

    /** A publication that is added needs the folder at once, and does not wait for a look. */
    @Test
    void shouldAddPublicationsAndSubscriptionsWhileTheFolderIsGone() throws IOException {
        final SkippingClock clock = new SkippingClock(SLOWNESS);
        final Transport transport = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        remove("");
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID);
        final Subscription subscription = transport.addSubscription("sluice:ipc?mode=dedicated", STREAM_ID);
        assertEquals(List.of(), transports.errors(), "nobody has looked yet");
        Await.until("the link", () -> {
            clock.skip(STEP_NS);
            return subscription.imageCount() == 1;
        });
        exchange(publication, subscription);
        Await.until(() -> "told: " + transports.errors(), () -> {
            clock.skip(STEP_NS);
            return told().size() == 1;
        }, Await.DEADLINE_SECONDS);
        assertEquals(told(), transports.errors().stream().map(Throwable::getMessage).toList());
    }

    /** Launch a transport whose calls to the file system go by a check first, which counts or refuses them. */
    private Transport launch(final SkippingClock clock, final Check check) {
        final SharedFiles real = SystemEnvironment.instance().files();
        final SharedFiles checked = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (arguments != null && arguments[0] instanceof final Path path) {
                    check.onCall(method.getName(), path);
                }
                try {
                    return method.invoke(real, arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });
        return transports.launch(context -> context.environment(new ForwardingEnvironment(clock) {
            @Override
            public SharedFiles files() {
                return checked;
            }
        }).timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
    }

    private interface Check {
        void onCall(String method, Path path) throws IOException;
    }

    private void awaitMadeAnew(final SkippingClock clock) {
        Await.until(() -> "told: " + transports.errors(), () -> {
            clock.skip(STEP_NS);
            return transports.errors().getLast().getMessage()
                .startsWith("what somebody has removed from the shared folder was made anew");
        }, Await.DEADLINE_SECONDS);
    }

    @Test
    void shouldTellOnceWhyItCannotBeMadeAnewAndTryAgain() throws IOException {
        final SkippingClock clock = new SkippingClock();
        final AtomicInteger attempts = new AtomicInteger();
        final AtomicBoolean isFreed = new AtomicBoolean();
        final Transport transport = launch(clock, (method, path) -> {
            if (method.equals("createDirectory") && path.equals(folder())) {
                attempts.incrementAndGet();
                if (isFreed.getAndSet(false)) {
                    // between two looks of one attempt it would fail for another reason, which is told, too
                    Files.deleteIfExists(folder());
                }
            }
        });
        remove("");
        Files.createFile(folder());
        attempts.set(0);
        Await.until("five attempts", () -> {
            clock.skip(STEP_NS);
            return attempts.get() >= 5;
        });
        assertEquals(1, transports.errors().size(), transports.errors()::toString);
        final String text = told().getFirst();
        assertTrue(text.contains("path=" + folder() + "/") && text.contains(
            "It cannot be made anew, which is tried again each second: "), text);
        assertFalse(text.contains("was made anew"), text);
        Await.until("repeats to be counted", () -> transport.counters().get(TransportCounter.ERRORS_REPEATED) > 0);
        isFreed.set(true);
        awaitMadeAnew(clock);
        assertTrue(Files.exists(folder()));
        assertMeets(transport, transport);
        assertEquals(2, transports.errors().size(), transports.errors()::toString);
    }

    /** The kernel makes no file system read-only that has files open for writing, but for errors of a disk. */
    @Test
    void shouldGoOnWhereNothingNewCanBeMadeAndNameTheErrorNumber() throws IOException {
        final SkippingClock clock = new SkippingClock();
        final AtomicBoolean isReadOnly = new AtomicBoolean();
        final Transport transport = launch(clock, (method, path) -> {
            if (isReadOnly.get() && (method.startsWith("create") || method.equals("tryLock"))) {
                throw new FileSystemException(path.toString(), null, "Read-only file system");
            }
        });
        final Subscription subscription = transport.addSubscription("sluice:ipc", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        isReadOnly.set(true);
        final TransportException refusal = assertThrows(
            TransportException.class, () -> transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID + 1));
        assertEquals(ErrorKind.STORAGE, refusal.kind());
        assertTrue(refusal.getMessage().contains("errno=30"), refusal::toString);
        assertTrue(refusal.getMessage().contains("choose a directory on another one"), refusal::toString);
        exchange(publication, subscription);
        assertEquals(List.of(), transports.errors());
        remove("");
        transports.awaitError("STORAGE",
            TOLD, "It cannot be made anew", "errno=30", "choose a directory on another one");
        exchange(publication, subscription);
        isReadOnly.set(false);
        awaitMadeAnew(clock);
        assertMeets(transport, transport);
        exchange(publication, subscription);
        assertEquals(2, transports.errors().size(), transports.errors()::toString);
    }

    /** Each kind of what was removed, and what is impossible without it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''                         | no new peer meets this process, and no link is added or resumed",
        PROCESS + "                 | no new peer meets it, and no link is added or resumed",
        PROCESS + "/lock            | new peers take it for dead",
        PROCESS + "/s[0-9a-f]{6}    | no new peer connects there",
        PROCESS + "/c[0-9a-f]{6}    | no link that completes there is added or resumed",
        PROCESS + "/r[0-9a-f]{8}.h  | no link that uses it is resumed",
        "l/.*/[0-9a-f]{32}          | no new peer finds this process there",
        "status/.*/errors           | they do not show this transport"
    })
    void shouldTellWhatIsImpossibleWithoutIt(final String pattern, final String meaning) throws IOException {
        final Transport transport =
            transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(LINGER_NS)));
        assertMeets(transport, transport);
        assertFalse(remove(pattern).isEmpty(), "nothing fits " + pattern);
        transports.awaitError("STORAGE", TOLD, meaning, "It was made anew");
        assertEquals(pattern.isEmpty() || pattern.equals(PROCESS), told().getFirst().contains("no link is added"));
    }

    /** Fails an operation of a link's data or feedback. */
    private static final class FailNext extends FaultHook {
        private final AtomicBoolean isArmed = new AtomicBoolean();

        void arm() {
            isArmed.set(true);
        }

        boolean hasHappened() {
            return !isArmed.get();
        }

        @Override
        public int onOperation(
            final int queuePairNumber, final Operation operation, final long workRequestId, final int length,
            final int immediate) {
            return operation != Operation.SEND && isArmed.compareAndSet(true, false)
                ? fail(WorkStatus.RETRY_EXC_ERR) : PASS;
        }
    }
}
