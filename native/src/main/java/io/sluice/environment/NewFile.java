package io.sluice.environment;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Steps by which a file comes to be: there is room for it, it is written under another name, named and mapped. */
final class NewFile {
    /** The error number when there is no room: ENOSPC, which the file system would say. */
    private static final int NO_ROOM = 28;
    private static final int NONE = -1;

    static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private NewFile() {
    }

    /**
     * Give the owner of a new file what the umask of this process has taken: without it neither this process nor
     * another one of the user could use the file, nor make it anew.
     */
    static void keepOwnerPermissions(final Path path, final Set<PosixFilePermission> permissions) throws IOException {
        try {
            if (!Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).containsAll(permissions)) {
                Files.setPosixFilePermissions(path, permissions);
            }
        } catch (final NoSuchFileException e) {
            // Somebody has taken it for a dead one's and removed it, as callers expect of any new file.
            return;
        }
    }

    static void requireRoom(final Path file, final Path parent, final long length) throws IOException {
        // Not a FileStore: it looks for its mount point first, which a chroot or a restricted /proc does not show. A
        // tmpfs without a limit calls its size 0.
        if (isTooFull(parent, length) && Files.notExists(parent, LinkOption.NOFOLLOW_LINKS)) {
            // a folder that has gone has no room either, but that is another trouble: callers make it anew
            throw new NoSuchFileException(parent.toString());
        }
        if (isTooFull(parent, length)) {
            throw new IOException(unwritten(file, parent, length) + " " + FileErrors.describe(NO_ROOM));
        }
    }

    private static boolean isTooFull(final Path parent, final long length) {
        // in this order: a folder that is gone has neither
        final long usable = parent.toFile().getUsableSpace();
        return length > usable && parent.toFile().getTotalSpace() != 0;
    }

    private static String unwritten(final Path file, final Path parent, final long length) {
        return "cannot write file: path=" + file + " bytesNeeded=" + length + " bytesUsable="
            + parent.toFile().getUsableSpace();
    }

    static IOException unwritten(
        final Path file, final Path parent, final long length, final IOException cause) {
        return new IOException(
            unwritten(file, parent, length) + " cause=" + cause.getMessage() + FileErrors.describe(cause), cause);
    }

    /**
     * Make a file where nothing is and write zeros into it, from an offset on.
     *
     * @return the file, mapped by the descriptor that has written it; null where there are no {@link FileCalls}.
     */
    static MappedMemory writeNew(
        final Path partial, final Path file, final Mapping.Use use, final long offset, final long length)
        throws IOException {
        final FileCalls calls = FileCalls.instance();
        if (calls != null) {
            return writeNew(calls, partial, file, use, offset, length);
        }
        try (FileChannel channel = createNew(partial)) {
            writeZeros(channel, offset, length);
            keepOwnerPermissions(partial, PRIVATE_FILE.value());
            return null;
        } catch (final IOException e) {
            throw unwritten(file, partial.getParent(), length, e);
        }
    }

    private static MappedMemory writeNew(final FileCalls calls, final Path partial, final Path file,
        final Mapping.Use use, final long offset, final long length) throws IOException {
        final int descriptor = createWritten(calls, partial, file, offset, length);
        try {
            return Mapping.map(calls, descriptor, file, use, offset + length);
        } finally {
            calls.close(descriptor);
        }
    }

    private static int createWritten(
        final FileCalls calls, final Path partial, final Path file, final long offset, final long length)
        throws IOException {
        boolean isWritten = false;
        int descriptor = NONE;
        try {
            descriptor = calls.create(partial);
            calls.writeZeros(descriptor, offset, length);
            isWritten = true;
            return descriptor;
        } catch (final IOException e) {
            throw unwritten(file, partial.getParent(), length, e);
        } finally {
            if (!isWritten && descriptor != NONE) {
                calls.close(descriptor);
            }
        }
    }

    /** Make a file where nothing is and write its content into it. */
    static void writeNew(final Path partial, final Path file, final byte[] content) throws IOException {
        final FileCalls calls = FileCalls.instance();
        try {
            if (calls != null) {
                write(calls, calls.create(partial), content);
                return;
            }
            try (FileChannel channel = createNew(partial)) {
                write(channel, ByteBuffer.wrap(content));
            }
            keepOwnerPermissions(partial, PRIVATE_FILE.value());
        } catch (final IOException e) {
            throw unwritten(file, partial.getParent(), content.length, e);
        }
    }

    private static FileChannel createNew(final Path file) throws IOException {
        return FileChannel.open(file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS), PRIVATE_FILE);
    }

    private static void write(final FileChannel channel, final ByteBuffer content) throws IOException {
        Mapping.uninterrupted(() -> {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            return null;
        });
    }

    /** Writes content to a descriptor, and closes it. */
    private static void write(final FileCalls calls, final int descriptor, final byte[] content) throws IOException {
        try {
            calls.write(descriptor, content);
        } finally {
            calls.close(descriptor);
        }
    }

    /** Write zeros into a file that is there. */
    static void fill(final Path file, final long offset, final long length) throws IOException {
        final FileCalls calls = FileCalls.instance();
        if (calls == null) {
            try (FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
                writeZeros(channel, offset, length);
            }
            return;
        }
        writeZeros(calls, calls.open(file, true), offset, length);
    }

    /** Writes zeros to a descriptor, and closes it. */
    private static void writeZeros(
        final FileCalls calls, final int descriptor, final long offset, final long length) throws IOException {
        try {
            calls.writeZeros(descriptor, offset, length);
        } finally {
            calls.close(descriptor);
        }
    }

    /**
     * Writes zeros from memory that is freed at once: waiting for a garbage collection they use up the JVM's limit of
     * direct memory.
     */
    private static void writeZeros(final FileChannel channel, final long offset, final long length)
        throws IOException {
        Mapping.uninterrupted(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final ByteBuffer zeros = arena.allocate(Math.min(length, FileCalls.ZEROS_LENGTH)).asByteBuffer();
                long written = 0;
                while (written < length) {
                    zeros.clear().limit((int) Math.min(length - written, zeros.capacity()));
                    written += channel.write(zeros, offset + written);
                }
            }
            return null;
        });
    }

    /**
     * Makes the file whose partial name it is given, with all that is to be in it.
     *
     * @param <T> what it makes of the file.
     */
    @FunctionalInterface
    interface Writer<T> {
        T write(Path partial) throws IOException;
    }

    /**
     * Gives a finished file its name, unless something has it.
     *
     * @return whether the partial name is gone with that.
     */
    static boolean publish(final Path partial, final Path file) throws IOException {
        final FileCalls calls = FileCalls.instance();
        try {
            if (calls != null && calls.rename(partial, file)) {
                return true;
            }
            // a second name, because the JDK's rename would silently replace what is there
            Files.createLink(file, partial);
            return false;
        } catch (final FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(file.toString(), null, "delete it first, or choose another name");
        } catch (final IOException | UnsupportedOperationException e) {
            throw new IOException("cannot name a finished file: path=" + file + " cause=" + e.getMessage()
                + (FileErrors.isWant(e) ? FileErrors.describe(e)
                : "; choose a directory on a file system with hard links"), e);
        }
    }
}
