package io.sluice.transport.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.ErrorReading;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters and errors in files: what was written is read, and nothing else is taken for it. */
class StatusFilesTest {
    private static final CounterKey KEY = new CounterKey(7, -10, 77, 3, Long.MIN_VALUE, 42, 5);
    private static final String CHANNEL = "sluice:ipc?endpoint=prices";
    private static final int FUZZ_ROUNDS = 400;

    @TempDir
    private Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<StatusFiles> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(StatusFiles::close);
    }

    private StatusFiles create(final String name) {
        final StatusFiles files = StatusFiles.create(SystemEnvironment.instance(), directory, name, errors::add);
        opened.add(files);
        return files;
    }

    private List<TransportStatus> read() throws IOException {
        return new StatusReader(SystemEnvironment.instance(), directory).read(skipped::add);
    }

    private TransportStatus readOne() throws IOException {
        final List<TransportStatus> all = read();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst();
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> paths = Files.list(directory.resolve(StatusLayout.FOLDER))) {
            return paths.toList();
        }
    }

    private static void allocate(final StatusFiles files, final long value) {
        final String label = CounterLabels.of(CounterType.LINK_POSTED, KEY, "pid 1 (a)", CHANNEL);
        files.allocate(CounterType.LINK_POSTED, KEY, label).setRelease(value);
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        final StatusFiles files = create("pricer");
        files.transportId(5, 6);
        allocate(files, 1234);
        files.onRefreshed();
        final TransportStatus status = readOne();
        assertTrue(status.isAlive());
        assertEquals(ProcessHandle.current().pid(), status.processId());
        assertEquals("pricer", status.clientName());
        assertEquals(5, status.idHigh());
        assertEquals(6, status.idLow());
        assertTrue(status.refreshedEpochMs() >= status.startedEpochMs());
        assertEquals(1, status.counters().size());
        final CounterReading reading = status.counters().getFirst();
        assertEquals(CounterType.LINK_POSTED, reading.type());
        assertEquals(KEY, reading.key());
        assertEquals(1234, reading.value());
        assertEquals("link-posted", reading.name());
        assertEquals("pid 1 (a)", reading.peer());
        assertEquals(CHANNEL, reading.channel());
        assertEquals("stream=-10 session=77 peer=pid 1 (a) channel=" + CHANNEL, reading.subject());
        assertEquals(List.of(), status.errors());
    }

    @Test
    void shouldNameFilesOfATerabyteAndReadTheOthers() throws IOException {
        allocate(create("stretched"), 1);
        final Path stretched = folders().getFirst();
        create("sound");
        stretch(stretched.resolve(StatusLayout.ERRORS));
        stretch(stretched.resolve(StatusLayout.LOCK));
        assertEquals(2, read().size(), "counters are worth showing without the errors");
        assertEquals(1, skipped.size());
        assertTrue(skipped.getFirst().startsWith(
            stretched.resolve(StatusLayout.ERRORS) + ": file is longer than its kind can be: path="),
            skipped.getFirst());
        skipped.clear();
        stretch(stretched.resolve(StatusLayout.COUNTERS));
        assertEquals("sound", readOne().clientName());
        assertTrue(skipped.getFirst().startsWith(stretched + ": file is longer than its kind can be: path="
            + stretched.resolve(StatusLayout.COUNTERS)), skipped.getFirst());
    }

    private static void stretch(final Path file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(1L << 40);
        }
    }

    /** A process that looks for folders of dead ones may find one that is not locked yet. */
    @ParameterizedTest
    @ValueSource(strings = {"createDirectory", "tryLock"})
    void shouldMakeAnotherFolderWhenItsOwnIsTakenForADeadOne(final String call) throws IOException {
        final SharedFiles real = SystemEnvironment.instance().files();
        final List<Path> taken = new ArrayList<>();
        final SharedFiles contended = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (method.getName().equals(call) && !arguments[0].toString().endsWith(StatusLayout.FOLDER)
                    && taken.size() < 2) {
                    taken.add((Path) arguments[0]);
                    throw new NoSuchFileException(arguments[0].toString());
                }
                return method.invoke(real, arguments);
            });
        opened.add(StatusFiles.create(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return contended;
            }
        }, directory, "late", errors::add));
        assertEquals("late", readOne().clientName());
        assertEquals(2, taken.size());
        assertNotEquals(taken.get(0), taken.get(1));
    }

    /** The JVM throws an error of its own for a page of mapped memory that the file does not have any more. */
    @ParameterizedTest
    @CsvSource({"counters, 0", "counters, 4096", "errors, 0"})
    void shouldSkipATransportWhoseFileIsCutWhileItIsRead(final String name, final long length) throws IOException {
        final StatusFiles files = create("cut");
        allocate(files, 1);
        final Path victim = folders().getFirst();
        create("whole");
        final SharedFiles real = SystemEnvironment.instance().files();
        final SharedFiles cutting = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                final Object result = method.invoke(real, arguments);
                if (method.getName().equals("view") && arguments[0].equals(victim.resolve(name))) {
                    try (RandomAccessFile file = new RandomAccessFile(victim.resolve(name).toFile(), "rw")) {
                        file.setLength(length);
                    }
                }
                return result;
            });
        final StatusReader reader = new StatusReader(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return cutting;
            }
        }, directory);

        assertEquals(1, reader.read(skipped::add).size());
        assertEquals(1, skipped.size(), skipped::toString);
        assertTrue(skipped.getFirst().startsWith(victim + ": a file was cut while it was read: "), skipped::toString);
    }

    /** The file that a transport with a few counters has is for the most part not there. */
    @Test
    void shouldAddMemoryForCountersAsTheyComeAndDoWithoutOnAFullDisk() throws IOException {
        final SharedFiles real = SystemEnvironment.instance().files();
        final long[] filled = {0};
        final boolean[] isFull = {false};
        final SharedFiles counting = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (method.getName().equals("fill")) {
                    if (isFull[0]) {
                        throw new IOException("no room");
                    }
                    filled[0] += (long) arguments[2];
                }
                return method.invoke(real, arguments);
            });
        final StatusFiles files = StatusFiles.create(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public SharedFiles files() {
                return counting;
            }
        }, directory, "growing", errors::add);
        opened.add(files);
        assertEquals(StatusLayout.countersLength(StatusLayout.FIRST_CAPACITY), filled[0]);
        assertTrue(files.available() >= StatusLayout.CAPACITY - 1, "available=" + files.available());

        final int many = 2 * StatusLayout.FIRST_CAPACITY;
        for (int i = 0; i < many && files.available() > 0; i++) {
            allocate(files, i);
        }
        assertEquals(many, readOne().counters().size());
        assertTrue(filled[0] < StatusLayout.countersLength(2 * many), "filled=" + filled[0]);

        isFull[0] = true;
        int more = 0;
        while (files.available() > 0) {
            allocate(files, more++);
        }
        assertTrue(more > 0 && more < many, "more=" + more);
        assertEquals(many + more, readOne().counters().size());
        assertTrue(files.ownCapacity() < StatusLayout.CAPACITY / 4, "own=" + files.ownCapacity());
    }

    @Test
    void shouldLabelAConsumerWithItsNameWhateverThatIs() throws IOException {
        final CounterKey key = CounterKeys.ofSubscription(7, 10, 5);
        final String name = "journal channel=x session=1 " + "y".repeat(200);
        create("").allocate(CounterType.CONSUMER_DISTANCE, key,
            CounterLabels.of(CounterType.CONSUMER_DISTANCE, key, name, CHANNEL));
        final CounterReading reading = readOne().counters().getFirst();
        assertEquals(key, reading.key());
        assertEquals(CHANNEL, reading.channel());
        assertEquals("journal channel~x session~1 ", reading.consumer().substring(0, 28));
        assertEquals(80, reading.consumer().length());
        assertEquals("", reading.peer());
        assertTrue(reading.subject().startsWith("stream=10 consumer=journal"), reading::subject);
    }

    @Test
    void shouldGiveEveryTypeItsOwnId() {
        for (final CounterType type : CounterType.values()) {
            assertEquals(type, CounterType.of(type.typeId()));
        }
    }

    @Test
    void shouldForgetCountersThatWereClosed() throws IOException {
        final StatusFiles files = create("");
        files.allocate(CounterType.LINK_STATE, KEY, "a").close();
        allocate(files, 1);
        assertEquals(List.of(CounterType.LINK_POSTED),
            readOne().counters().stream().map(CounterReading::type).toList());
    }

    /** Labels are looked at eight bytes at a time, and then one at a time: the character stands at each place. */
    @ParameterizedTest
    @CsvSource(value = {"\0|?", "\u001f|?", " | ", "~|~", "\u007f|?", "\u0080|?", "\u00ad|?", "\u00e9|\u00e9",
        "\ud83d\ude80|\ud83d\ude80"}, delimiter = '|', ignoreLeadingAndTrailingWhitespace = false)
    void shouldReadLabelsWithoutControlCharacters(final String character, final String read) throws IOException {
        final StatusFiles files = create("");
        final List<String> expected = new ArrayList<>();
        for (int length = 0; length < 20; length++) {
            for (int before = 0; before <= length; before++) {
                final String begin = "a".repeat(before);
                final String end = "z".repeat(length - before);
                files.allocate(CounterType.LINK_STATE, KEY, begin + character + end);
                expected.add(begin + read + end);
            }
        }
        assertEquals(expected, readOne().counters().stream().map(CounterReading::label).toList());
    }

    @Test
    void shouldCountEqualErrorsAndPassAllOn() throws IOException {
        final StatusFiles files = create("");
        for (int i = 0; i < 3; i++) {
            files.errorHandler().onError(new IllegalStateException("the \u001b[31mred\u009b one\n"));
        }
        files.errorHandler().onError(new IllegalArgumentException("another"));
        final List<ErrorReading> readings = readOne().errors();
        assertEquals(2, readings.size());
        assertEquals(3, readings.getFirst().count());
        assertTrue(readings.getFirst().text().contains("the ?[31mred? one"), readings.getFirst()::text);
        assertTrue(readings.getFirst().firstEpochMs() <= readings.getFirst().lastEpochMs());
        assertEquals(1, readings.getLast().count());
        assertEquals(4, errors.size());
    }

    /** {@return texts and counts} As Agrona's own reader finds them in the file. */
    private List<String> readByAgrona() throws IOException {
        final byte[] bytes = Files.readAllBytes(folders().getFirst().resolve(StatusLayout.ERRORS));
        assertEquals(StatusLayout.ERRORS_LENGTH, bytes.length);
        final List<String> texts = new ArrayList<>();
        ErrorLogReader.read(new UnsafeBuffer(bytes), (count, firstMs, lastMs, text) ->
            texts.add(count + " " + text.strip()));
        return texts;
    }

    private static void flood(final StatusFiles files, final int strangers) {
        for (int i = 0; i < strangers; i++) {
            files.errorHandler().onStranger(
                new IllegalStateException("refused: 10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)));
        }
    }

    @Test
    void shouldLeaveRoomForErrorsThatNoStrangerCauses() throws IOException {
        final StatusFiles files = create("");
        final int strangers = 20_000;
        files.errorHandler().onError(new IllegalStateException("before"));
        flood(files, strangers);
        final IllegalStateException after = new IllegalStateException("after", new IOException("and why"));
        files.errorHandler().onError(after);
        files.errorHandler().onRepeated(after);
        assertEquals(strangers + 2, errors.size());
        final List<ErrorReading> readings = readOne().errors();
        assertEquals(2 + ErrorRecords.STRANGERS, readings.size());
        final ErrorReading last = readings.getLast();
        assertTrue(last.text().contains("after") && last.text().contains("and why"), last::text);
        assertEquals(2, last.count());
        final int newest = strangers - 1;
        assertTrue(readings.stream().anyMatch(reading -> reading.text().equals(
            "java.lang.IllegalStateException: refused: 10.0." + (newest >> 8) + "." + (newest & 255))),
            readings::toString);
        final List<String> byAgrona = readByAgrona();
        assertEquals(readings.stream().map(reading -> reading.count() + " " + reading.text().strip()).toList(),
            byAgrona);
    }

    @Test
    void shouldLeaveRoomForErrorsThatStrangersCause() throws IOException {
        final StatusFiles files = create("");
        for (int i = 0; i < 100; i++) {
            files.errorHandler().onError(new IllegalStateException("y".repeat(i) + "x".repeat(4096)));
        }
        final int own = readOne().errors().size();
        assertTrue(own < 100, "own=" + own);
        flood(files, ErrorRecords.STRANGERS);
        assertEquals(own + ErrorRecords.STRANGERS, readOne().errors().size());
        assertEquals(own + ErrorRecords.STRANGERS, readByAgrona().size());
    }

    @Test
    void shouldKnowAnErrorAgainThatDiffersInNumbersOnly() throws IOException {
        final RepeatedErrorHandler handler = create("").errorHandler();
        for (int port = 40_000; port < 40_010; port++) {
            handler.onStranger(new IllegalStateException("refused: 10.0.0.2:" + port));
            handler.onError(new IllegalStateException("lost: 10.0.0.3:" + port));
        }
        handler.onStranger(new IllegalStateException("refused: 10.0.0.4:40000"));
        handler.onError(new IllegalStateException("lost: 10.0.0.5:40000"));
        assertEquals(List.of(10, 10, 1, 1), readOne().errors().stream().map(ErrorReading::count).toList());
    }

    @Test
    void shouldMakeRoomForAStrangerWhereOneWasNotSeenForLongest() throws IOException {
        final StatusFiles files = create("");
        flood(files, ErrorRecords.STRANGERS);
        files.errorHandler().onStrangerRepeated(new IllegalStateException("refused: 10.0.0.0"));
        files.errorHandler().onStranger(new IllegalStateException("\u00e9".repeat(ErrorRecords.STRANGER_LENGTH)));
        final List<String> texts = readOne().errors().stream().map(ErrorReading::text).toList();
        assertEquals(ErrorRecords.STRANGERS, texts.size());
        assertTrue(texts.getFirst().endsWith("10.0.0.0"), texts::getFirst);
        assertTrue(texts.get(1).endsWith("\u00e9"), "cut between two characters: " + texts.get(1));
    }

    @Test
    void shouldPassErrorsOnWhenTheLogIsFullOrClosed() throws IOException {
        final StatusFiles files = create("");
        final String text = "x".repeat(StatusLayout.ERRORS_LENGTH / 3);
        for (int i = 0; i < 5; i++) {
            files.errorHandler().onError(new IllegalStateException("y".repeat(i) + text));
        }
        assertEquals(2, readOne().errors().size());
        files.close();
        files.errorHandler().onError(new IllegalStateException("late"));
        assertEquals(6, errors.size());
    }

    @Test
    void shouldKeepFilesPrivateAndRemoveThemWhenClosed() throws IOException {
        final StatusFiles files = create("");
        for (final String name : List.of(StatusLayout.COUNTERS, StatusLayout.ERRORS, StatusLayout.LOCK)) {
            assertEquals("rw-------", PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folders().getFirst().resolve(name))));
        }
        files.close();
        files.close();
        assertEquals(List.of(), folders());
        assertEquals(List.of(), read());
    }

    @Test
    void shouldShowDeadTransportsUntilTheNextOneRemovesThem() throws IOException {
        allocate(create("living"), 1);
        final Path living = folders().getFirst();
        final Path dead = directory.resolve(StatusLayout.FOLDER).resolve("4711-0123456789abcdef");
        copy(living, dead);
        Files.createFile(living.resolveSibling("not-a-transport"));
        Files.createSymbolicLink(living.resolveSibling("12-0123456789abcdef"), Path.of("/etc"));
        final List<TransportStatus> before = read();
        assertEquals(2, before.size());
        assertEquals(1, before.stream().filter(TransportStatus::isAlive).count());
        assertEquals(1, skipped.size(), skipped::toString);
        create("next");
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(living));
        assertTrue(Files.exists(living.resolveSibling("not-a-transport")));
        assertTrue(Files.exists(Path.of("/etc/passwd")));
        assertEquals(2, read().size());
    }

    private static void copy(final Path from, final Path to) throws IOException {
        Files.createDirectory(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (final String name : List.of(StatusLayout.COUNTERS, StatusLayout.ERRORS)) {
            Files.copy(from.resolve(name), to.resolve(name));
        }
        // not the one that names the living owner
        Files.createFile(to.resolve(StatusLayout.LOCK));
    }

    /** Advice depends on whose file it is: that of a living process stays, that of a dead one is removed. */
    @ParameterizedTest
    @CsvSource({"-1, an older", "1, a newer"})
    void shouldSayWhoseCountersOfAnotherVersionAreAndWhatToDo(final int difference, final String kind)
        throws IOException {
        final int version = StatusLayout.VERSION + difference;
        final String expected = ": counters of " + kind + " Sluice than this one: version=" + version + " own="
            + StatusLayout.VERSION + " pid=";
        allocate(create("other"), 1);
        final Path living = folders().getFirst();
        final Path dead = directory.resolve(StatusLayout.FOLDER).resolve("4711-0123456789abcdef");
        copy(living, dead);
        for (final Path folder : List.of(living, dead)) {
            try (RandomAccessFile file = new RandomAccessFile(folder.resolve(StatusLayout.COUNTERS).toFile(), "rw")) {
                file.seek(StatusLayout.VERSION_OFFSET);
                file.writeInt(Integer.reverseBytes(version));
            }
        }
        assertEquals(List.of(), read());
        assertEquals(Set.of(
            living + expected + ProcessHandle.current().pid()
                + ": look at them with the tools of the Sluice that the process runs",
            dead + expected
                + "4711: the process has ended, and the next transport that is launched here removes them"),
            Set.copyOf(skipped));
        create("next");
        assertTrue(Files.exists(living.resolve(StatusLayout.COUNTERS)), "a process of another version goes on");
        assertFalse(Files.exists(dead), "what a dead one of another version has left");
        assertEquals("next", readOne().clientName());
    }

    @Test
    void shouldReadNothingWhereThereIsNoFolder() throws IOException {
        assertEquals(List.of(), new StatusReader(
            SystemEnvironment.instance(), directory.resolve("none")).read(skipped::add));
    }

    @Test
    void shouldTellWhereCountersCannotBeMade() throws IOException {
        Files.createFile(directory.resolve(StatusLayout.FOLDER));
        final TransportException ex = assertThrows(TransportException.class, () -> create(""));
        assertEquals(ErrorKind.STORAGE, ex.kind());
        assertTrue(ex.getMessage().contains(directory.resolve(StatusLayout.FOLDER).toString()), ex.getMessage());
    }

    /** Bytes that others scribbled over: every reading is either refused in one line or in bounds. */
    @Test
    void shouldSurviveGarbageInTheFiles() throws IOException {
        final StatusFiles files = create("fuzzed");
        for (int i = 0; i < 40; i++) {
            allocate(files, i);
        }
        for (int i = 0; i < 10; i++) {
            files.errorHandler().onError(new IllegalStateException("number " + "i".repeat(i)));
        }
        final Path dead = directory.resolve(StatusLayout.FOLDER).resolve("4711-0123456789abcdef");
        copy(folders().getFirst(), dead);
        files.close();
        final byte[] counters = shortened(Files.readAllBytes(dead.resolve(StatusLayout.COUNTERS)));
        final byte[] errorLog = Files.readAllBytes(dead.resolve(StatusLayout.ERRORS));
        int understood = 0;
        for (int seed = 0; seed < FUZZ_ROUNDS; seed++) {
            final Random random = new Random(seed);
            Files.write(dead.resolve(StatusLayout.COUNTERS), damaged(counters, random));
            Files.write(dead.resolve(StatusLayout.ERRORS), damaged(errorLog, random));
            skipped.clear();
            final List<TransportStatus> all = read();
            assertEquals(1, all.size() + skipped.size(), "seed=" + seed);
            understood += all.size();
            for (final TransportStatus status : all) {
                assertTrue(status.counters().size() <= StatusLayout.CAPACITY, "seed=" + seed);
                assertTrue(status.counters().stream().noneMatch(
                    reading -> reading.label().chars().anyMatch(Character::isISOControl)), "seed=" + seed);
            }
        }
        assertTrue(understood > 0 && understood < FUZZ_ROUNDS, "understood=" + understood);
    }

    /** The file of a version that has fewer counters: the header says how many. */
    private static byte[] shortened(final byte[] counters) {
        final int capacity = StatusLayout.FIRST_CAPACITY;
        final byte[] fewer = Arrays.copyOf(counters, StatusLayout.countersLength(capacity));
        System.arraycopy(counters, StatusLayout.valueOffset(0, StatusLayout.CAPACITY), fewer,
            StatusLayout.valueOffset(0, capacity), StatusLayout.valuesLength(capacity));
        new UnsafeBuffer(fewer).putInt(StatusLayout.CAPACITY_OFFSET, capacity);
        return fewer;
    }

    /** Some words overwritten, near the beginning above all, and sometimes cut short. */
    private static byte[] damaged(final byte[] sound, final Random random) {
        final int length = switch (random.nextInt(8)) {
            case 0 -> 1 + random.nextInt(sound.length);
            case 1 -> 1 + random.nextInt(StatusLayout.HEADER_LENGTH);
            default -> sound.length;
        };
        final byte[] bytes = Arrays.copyOf(sound, length);
        for (int i = random.nextInt(200); i > 0; i--) {
            final int bound = random.nextBoolean() ? Math.min(length, 20_000) : length;
            bytes[random.nextInt(bound)] = random.nextBoolean() ? (byte) random.nextInt() : (byte) 0xff;
        }
        return bytes;
    }

    /** Set back by an hour, the wall clock kept counters that links had freed from being used again for as long. */
    @Test
    void shouldUseFreedCountersAgainWhenTheWallClockIsSetBack() {
        final long[] now = {System.nanoTime(), System.currentTimeMillis()};
        final StatusFiles files = StatusFiles.create(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public long nanoTime() {
                return now[0];
            }

            @Override
            public long epochMs() {
                return now[1];
            }
        }, directory, "pricer", errors::add);
        opened.add(files);
        for (int round = 0; round < 3; round++) {
            final List<AtomicCounter> counters = new ArrayList<>();
            final int count = files.available();
            for (int i = 0; i < count; i++) {
                counters.add(files.allocate(CounterType.LINK_POSTED, KEY, "label"));
            }
            counters.forEach(AtomicCounter::close);
            now[0] += TimeUnit.SECONDS.toNanos(5);
            now[1] -= TimeUnit.HOURS.toMillis(1);
            assertEquals(count, files.available());
        }
        files.allocate(CounterType.LINK_POSTED, KEY, "label");
    }
}
