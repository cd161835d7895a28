package io.sluice.transport.simulation;

import io.sluice.environment.LockWatch;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files in memory, as one process sees them; what it maps and locks goes with it when it dies. All mappings of a file
 * are the same bytes at the same address. When a file has lost its name and its last mapping, its bytes are
 * overwritten, so that whoever still reads them reads nonsense; the memory itself goes at the end of the run.
 */
final class SimulatedFiles implements SharedFiles {
    private static final int PAGE_LENGTH = 4096;
    /** Sparse files lie here where there is such a folder, so that no disk is written to. */
    private static final Path HOST_MEMORY = Path.of("/dev/shm");
    private static final byte POISON = (byte) 0xdb;

    private final Disk disk;
    private final List<Memory> mappings = new ArrayList<>();
    private final Set<Path> held = new HashSet<>();

    SimulatedFiles(final Disk disk) {
        this.disk = disk;
    }

    /** The process is dead: the operating system takes its mappings and its locks. */
    void die() {
        mappings.forEach(Memory::close);
        disk.locks.removeAll(held);
    }

    /** Mappings that were not closed. */
    long mappingCount() {
        return mappings.stream().filter(mapping -> !mapping.closed).count();
    }

    @Override
    public Path sharedDirectory() {
        return Path.of("/simulated");
    }

    @Override
    public void createDirectory(final Path directory) {
        disk.files.putIfAbsent(directory, new File(null));
    }

    @Override
    public List<Path> list(final Path directory) {
        final List<Path> entries = new ArrayList<>();
        for (final Path path : disk.files.keySet()) {
            if (directory.equals(path.getParent())) {
                entries.add(path);
            }
        }
        return entries;
    }

    @Override
    public AutoCloseable tryLock(final Path file) {
        disk.files.putIfAbsent(file, new File(null));
        if (!disk.locks.add(file)) {
            return null;
        }
        held.add(file);
        return () -> {
            held.remove(file);
            disk.locks.remove(file);
        };
    }

    @Override
    public boolean isLocked(final Path file) {
        return disk.files.containsKey(file) && disk.locks.contains(file);
    }

    @Override
    public LockWatch watch(final Path file, final long processId) {
        return new LockWatch() {
            @Override
            public boolean isHeld() {
                return isLocked(file);
            }

            @Override
            public void close() {
                // nothing is held open
            }
        };
    }

    @Override
    public boolean exists(final Path path) {
        return disk.files.containsKey(path);
    }

    @Override
    public boolean deleteIfUnlocked(final Path directory, final Path lockFile, final long processId) {
        if (isLocked(lockFile)) {
            return false;
        }
        delete(directory);
        return true;
    }

    @Override
    public String userName() {
        return "simulated";
    }

    @Override
    public MappedMemory create(final Path file, final long length) throws IOException {
        requireNew(file, length);
        final File created = new File(disk.arena.allocate(length, PAGE_LENGTH));
        created.filled.add(created.content);
        return add(file, created);
    }

    @Override
    public void create(final Path file, final byte[] content) throws IOException {
        requireNew(file, content.length);
        final File created = new File(disk.arena.allocate(content.length, PAGE_LENGTH));
        MemorySegment.copy(content, 0, created.content, ValueLayout.JAVA_BYTE, 0, content.length);
        created.filled.add(created.content);
        disk.files.put(file, created);
    }

    private void requireNew(final Path file, final long length) throws IOException {
        if (length <= 0) {
            throw new IllegalArgumentException("length=" + length + " must be greater than 0: path=" + file);
        }
        if (disk.files.containsKey(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    private MappedMemory add(final Path file, final File created) {
        disk.files.put(file, created);
        return map(created);
    }

    @Override
    public MappedMemory createSparse(final Path file, final long length) throws IOException {
        requireNew(file, length);
        // a sparse file of the host: only what is touched takes memory, and time
        final Path backing = Files.isWritable(HOST_MEMORY)
            ? Files.createTempFile(HOST_MEMORY, "sluice-simulated-", ".sparse")
            : Files.createTempFile("sluice-simulated-", ".sparse");
        try (FileChannel channel = FileChannel.open(backing, StandardOpenOption.READ, StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
            return add(file, new File(channel.map(FileChannel.MapMode.READ_WRITE, 0, length, disk.arena)));
        }
    }

    @Override
    public void fill(final Path file, final long offset, final long length) throws IOException {
        final File found = disk.files.get(file);
        if (found == null) {
            throw new NoSuchFileException(file.toString());
        }
        found.filled.add(found.content.asSlice(offset, length));
    }

    @Override
    public MappedMemory open(final Path file, final boolean writable, final long maxLength) throws IOException {
        final File found = disk.files.get(file);
        if (found == null || found.content == null) {
            throw new NoSuchFileException(file.toString());
        }
        final Memory memory = map(found);
        if (memory.length() > maxLength) {
            memory.close();
            throw new IOException("file is longer than its kind can be: path=" + file + " maximum=" + maxLength);
        }
        return memory;
    }

    @Override
    public MappedMemory view(final Path file, final long maxLength) throws IOException {
        return open(file, false, maxLength);
    }

    private Memory map(final File file) {
        final Memory memory = new Memory(file);
        mappings.add(memory);
        return memory;
    }

    @Override
    public byte[] readSecret(final Path file, final int maxLength) throws IOException {
        throw new NoSuchFileException(file.toString());
    }

    @Override
    public void delete(final Path path) {
        disk.files.entrySet().removeIf(entry -> {
            final boolean isBelow = entry.getKey().startsWith(path);
            if (isBelow) {
                entry.getValue().named = false;
                entry.getValue().poisonIfUnused();
            }
            return isBelow;
        });
    }

    @Override
    public boolean deleteIfEmpty(final Path directory) {
        if (!list(directory).isEmpty()) {
            return false;
        }
        delete(directory);
        return true;
    }

    /** The disk that all processes share. */
    static final class Disk implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final Map<Path, File> files = new TreeMap<>();
        private final Set<Path> locks = new HashSet<>();

        @Override
        public void close() {
            arena.close();
        }
    }

    private static final class File {
        private final MemorySegment content;
        /** The parts that may have been written to. */
        private final List<MemorySegment> filled = new ArrayList<>();
        private int mappings;
        private boolean named = true;

        File(final MemorySegment content) {
            this.content = content;
        }

        void poisonIfUnused() {
            if (content != null && !named && mappings == 0) {
                filled.forEach(part -> part.fill(POISON));
            }
        }
    }

    private static final class Memory implements MappedMemory {
        private final File file;
        private boolean closed;

        Memory(final File file) {
            this.file = file;
            file.mappings++;
        }

        @Override
        public long address() {
            return file.content.address();
        }

        @Override
        public long length() {
            return file.content.byteSize();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                file.mappings--;
                file.poisonIfUnused();
            }
        }
    }
}
