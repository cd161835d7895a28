package io.sluice.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Shared files on a POSIX file system. Names that begin with {@link #HIDDEN_PREFIX} are files of this package: half
 * written files and the locks of listening sockets. They are not listed, but deleted with their directory.
 */
final class SystemFiles implements SharedFiles {
    static final String HIDDEN_PREFIX = ".sluice-";

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Linux' file system in memory. */
    static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final SecureRandom random = new SecureRandom();
    private final Listings listings = new Listings();

    @Override
    public Path sharedDirectory() {
        return Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Override
    public void createDirectory(final Path directory) throws IOException {
        final Path path = directory.toAbsolutePath();
        if (FileStatus.find(path) == null) {
            try {
                createPrivateDirectory(path);
            } catch (final AccessDeniedException e) {
                throw e;
            } catch (final IOException e) {
                throw new IOException("cannot make directory: path=" + path + " cause=" + e.getMessage()
                    + FileErrors.describe(e), e);
            }
        }
        FileStatus.of(path).requireOwnDirectory(path);
    }

    private static void createPrivateDirectory(final Path path) throws IOException {
        final Path parent = path.getParent();
        if (parent != null && FileStatus.find(parent) == null) {
            createPrivateDirectory(parent);
        }
        try {
            Files.createDirectory(path, PRIVATE_DIRECTORY);
        } catch (final FileAlreadyExistsException e) {
            // Somebody else was quicker; whose it is, is looked at afterwards.
            return;
        }
        NewFile.keepOwnerPermissions(path, PRIVATE_DIRECTORY.value());
    }

    @Override
    public List<Path> list(final Path directory) throws IOException {
        final long nowMs = System.currentTimeMillis();
        final FileStatus status = FileStatus.find(directory);
        if (status == null) {
            return List.of();
        }
        status.requireOwnDirectory(directory);
        final List<Path> known = listings.find(directory, status.key(), status.modifiedMs());
        if (known != null) {
            return known;
        }
        final List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, SystemFiles::isListed)) {
            stream.forEach(entries::add);
        } catch (final NoSuchFileException e) {
            // gone in between: as if it had not been there
            return List.of();
        }
        entries.sort(null);
        final List<Path> listed = List.copyOf(entries);
        listings.keep(directory, status.key(), status.modifiedMs(), nowMs, listed);
        return listed;
    }

    private static boolean isListed(final Path entry) {
        return !entry.getFileName().toString().startsWith(HIDDEN_PREFIX);
    }

    @Override
    public AutoCloseable tryLock(final Path file) throws IOException {
        requirePrivateParent(file);
        return SystemLocks.tryLock(file);
    }

    @Override
    public boolean isLocked(final Path file) {
        return SystemLocks.isLocked(file);
    }

    @Override
    public LockWatch watch(final Path file, final long processId) {
        return SystemLocks.watch(file, processId);
    }

    @Override
    public boolean exists(final Path path) {
        // each second for each file of a process: the status that the others need takes several times as long
        return !Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public boolean deleteIfUnlocked(final Path directory, final Path lockFile, final long processId)
        throws IOException {
        return SystemLocks.deleteIfUnlocked(directory, lockFile, processId);
    }

    @Override
    public String userName() throws IOException {
        final String name = System.getProperty("user.name");
        // what the JDK says of a user that has no entry in the password file
        return name == null || name.isBlank() || name.equals("?") ? Integer.toString(CurrentUser.uid()) : name;
    }

    @Override
    public MappedMemory create(final Path file, final long length) throws IOException {
        if (length <= 0) {
            throw new IllegalArgumentException("length=" + length + " must be greater than 0: path=" + file);
        }
        final Path parent = requirePrivateParent(file);
        NewFile.requireRoom(file, parent, length);
        return create(file, parent, Mapping.Use.READ_AND_WRITE, 0, length);
    }

    @Override
    public void create(final Path file, final byte[] content) throws IOException {
        if (content.length == 0) {
            throw new IllegalArgumentException("length=0 must be greater than 0: path=" + file);
        }
        final Path parent = requirePrivateParent(file);
        NewFile.requireRoom(file, parent, content.length);
        create(file, parent, partial -> {
            NewFile.writeNew(partial, file, content);
            return null;
        });
    }

    @Override
    public MappedMemory createSparse(final Path file, final long length) throws IOException {
        if (length <= 0) {
            throw new IllegalArgumentException("length=" + length + " must be greater than 0: path=" + file);
        }
        // the last byte makes the length
        return create(file, requirePrivateParent(file), Mapping.Use.FILL, length - 1, 1);
    }

    /** Create a file whose end is written from an offset on, and map it. */
    private MappedMemory create(
        final Path file, final Path parent, final Mapping.Use use, final long offset, final long length)
        throws IOException {
        final MappedMemory mapped = create(
            file, parent, partial -> NewFile.writeNew(partial, file, use, offset, length));
        return mapped == null ? mapNew(file, use, offset + length) : mapped;
    }

    /** Create a file under another name, and give it its own when it is written. */
    private <T extends MappedMemory> T create(final Path file, final Path parent, final NewFile.Writer<T> writer)
        throws IOException {
        final Path partial = parent.resolve(
            HIDDEN_PREFIX + "partial-" + HexFormat.of().toHexDigits(random.nextLong()));
        T mapped = null;
        boolean isNamed = false;
        boolean isPartialGone = false;
        try {
            mapped = writer.write(partial);
            isPartialGone = NewFile.publish(partial, file);
            isNamed = true;
            return mapped;
        } finally {
            if (!isNamed && mapped != null) {
                mapped.close();
            }
            if (!isPartialGone) {
                Files.deleteIfExists(partial);
            }
        }
    }

    @Override
    public void fill(final Path file, final long offset, final long length) throws IOException {
        final Path parent = requirePrivateParent(file);
        final FileStatus status = FileStatus.of(file);
        status.requireOwnFile(file);
        if (offset < 0 || length < 0 || length > status.size() - offset) {
            throw new IllegalArgumentException(
                "offset=" + offset + " length=" + length + " must be within " + status.size() + ": path=" + file);
        }
        NewFile.requireRoom(file, parent, length);
        try {
            NewFile.fill(file, offset, length);
        } catch (final NoSuchFileException e) {
            throw e;
        } catch (final IOException e) {
            throw NewFile.unwritten(file, parent, length, e);
        }
    }

    @Override
    public MappedMemory open(final Path file, final boolean writable, final long maxLength) throws IOException {
        requirePrivateParent(file);
        return SystemLocks.map(file, writable ? Mapping.Use.READ_AND_WRITE : Mapping.Use.READ, maxLength);
    }

    @Override
    public MappedMemory view(final Path file, final long maxLength) throws IOException {
        requirePrivateParent(file);
        return SystemLocks.map(file, Mapping.Use.LOOK, maxLength);
    }

    @Override
    public byte[] readSecret(final Path file, final int maxLength) throws IOException {
        final FileStatus status = FileStatus.of(file);
        status.requireOwnFile(file);
        status.requireNobodyElse(file);
        // where the directory really is: links that lead there are the user's affair
        final Path directory = file.toAbsolutePath().getParent().toRealPath();
        FileStatus.of(directory).requireTrustedDirectory(directory);
        try (InputStream input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!status.isSameFile(FileStatus.find(file))) {
                throw new NoSuchFileException(file.toString(), null, "it was replaced while it was opened");
            }
            final byte[] content = input.readNBytes(maxLength + 1);
            if (content.length > maxLength) {
                throw new IOException("file is too long: path=" + file + " maximum=" + maxLength);
            }
            return content;
        }
    }

    @Override
    public void delete(final Path path) throws IOException {
        Deletion.delete(path);
    }

    @Override
    public boolean deleteIfEmpty(final Path directory) throws IOException {
        final FileStatus status = FileStatus.find(directory);
        if (status == null) {
            return true;
        }
        status.requireOwnDirectory(directory);
        try {
            Files.deleteIfExists(directory);
            return true;
        } catch (final DirectoryNotEmptyException e) {
            return false;
        }
    }

    private static MappedMemory mapNew(final Path file, final Mapping.Use use, final long length) throws IOException {
        try {
            return SystemLocks.map(file, use, length);
        } catch (final IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    static Path requirePrivateParent(final Path file) throws IOException {
        final Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException("not a file: path=" + file);
        }
        FileStatus.of(parent).requireOwnDirectory(parent);
        return parent;
    }
}
