package io.sluice.environment;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Deletes a tree of this user: never follows a symbolic link, goes on after a failure, and tells of all failures at the
 * end.
 * <p>
 * Names are looked up in directories that are open, see openat(2) and unlinkat(2), and not by path: where others may
 * write to a directory on the way, as in a sticky one, one of them could put a link in the place of a directory between
 * two steps, and have another tree deleted. The first of these directories can only be opened by path, and so can what
 * is looked at beforehand: nothing is deleted unless both, once open, are what they were (device and inode).
 */
final class Deletion {
    /**
     * The most attempts of an owner at a directory into which something comes while it is emptied: whoever asks whether
     * the owner lives makes the lock file anew that was there a moment before. More often than this is somebody's bug.
     * Anybody else has one attempt: what came meanwhile may be the new owner's.
     */
    private static final int MAX_ATTEMPTS = 16;

    private static final String REPLACED = "it was replaced while it was opened";

    private final Path path;
    private final Path name;
    private final Path parentPath;
    private final FileStatus parentStatus;
    private final FileStatus status;
    private int maxAttempts = 1;
    private IOException failure;

    private Deletion(final Path path, final Path absolute, final FileStatus parentStatus, final FileStatus status) {
        this.path = path;
        this.parentStatus = parentStatus;
        this.status = status;
        name = absolute.getFileName();
        parentPath = absolute.getParent();
    }

    /** Delete whatever has a path, and is the caller's. */
    static void delete(final Path path) throws IOException {
        final Deletion deletion = find(path);
        if (deletion != null) {
            deletion.maxAttempts = MAX_ATTEMPTS;
            deletion.delete();
        }
    }

    /** Delete what has a path unless it is a directory, which then stays. */
    static void deleteFile(final Path path) throws IOException {
        final Deletion deletion = find(path);
        if (deletion != null) {
            deletion.deleteFile();
        }
    }

    /** Delete a file, unless another one has its path by now. */
    static void deleteFile(final Path path, final FileStatus known) throws IOException {
        final Deletion deletion = find(path);
        if (deletion != null && known.isSameFile(deletion.status)) {
            deletion.deleteFile();
        }
    }

    /** Look at what has a path, which is all that is deleted later; null when nothing is there. */
    static Deletion find(final Path path) throws IOException {
        final Path absolute = path.toAbsolutePath();
        final Path parent = absolute.getParent();
        if (parent == null) {
            throw new IOException("not to be deleted: path=" + path);
        }
        final FileStatus parentStatus = FileStatus.find(parent);
        final FileStatus status = FileStatus.find(path);
        return parentStatus == null || status == null ? null : new Deletion(path, absolute, parentStatus, status);
    }

    /** {@return the file or directory as it was when it was looked at} */
    FileStatus status() {
        return status;
    }

    /** Delete it, with all that is in it where it is a directory; once. */
    void delete() throws IOException {
        delete(status.isDirectory());
    }

    /** Delete it unless it is a directory, which then stays; once. */
    void deleteFile() throws IOException {
        if (status.isDirectory()) {
            throw new IOException("cannot delete: path=" + path + " cause=it has become a directory");
        }
        delete(false);
    }

    private void delete(final boolean isTree) throws IOException {
        status.requireOwner(path);
        parentStatus.requireOwnDirectory(parentPath);
        try (SecureDirectoryStream<Path> parent = secure(Files.newDirectoryStream(parentPath), path)) {
            if (!parentStatus.key().equals(keyOf(parent))) {
                throw new IOException("cannot delete: path=" + path + " cause=its directory was replaced while it was"
                    + " opened");
            }
            if (isTree) {
                deleteDirectory(parent, name, path, status);
            } else {
                attempt(path, null, () -> deleteFile(parent));
            }
        } catch (final NoSuchFileException e) {
            // the parent is gone, and all that was in it
            return;
        } catch (final IOException e) {
            if (isTree || !FileErrors.isWant(e)) {
                throw e;
            }
            // Without a descriptor left: unlink(2) follows no link at the end of a path.
            attempt(path, e, this::unlink);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void deleteFile(final SecureDirectoryStream<Path> parent) throws IOException {
        requireSame(parent.getFileAttributeView(
            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS).readAttributes().fileKey().toString());
        parent.deleteFile(name);
    }

    /**
     * Removes the file by its path: memory that nobody could ever give back would be worse than the moment between look
     * and deed.
     */
    private void unlink() throws IOException {
        if (!parentStatus.isSameFile(FileStatus.of(parentPath))) {
            throw new IOException(REPLACED);
        }
        requireSame(FileStatus.of(path).key());
        Files.delete(path);
    }

    private void requireSame(final String key) throws IOException {
        if (!status.key().equals(key)) {
            throw new IOException(REPLACED);
        }
    }

    private static String keyOf(final SecureDirectoryStream<Path> directory) throws IOException {
        return directory.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey().toString();
    }

    /**
     * Delete a directory of this user.
     *
     * @param parent    that it is looked up in.
     * @param entryName in its parent.
     * @param where     path of it.
     * @param found     what was found under its path: whose it is has been looked at.
     */
    private void deleteDirectory(
        final SecureDirectoryStream<Path> parent, final Path entryName, final Path where, final FileStatus found) {
        int attempts = 0;
        boolean isGone = false;
        while (!isGone) {
            attempts++;
            isGone = deleteDirectory(parent, entryName, where, found, attempts == maxAttempts);
        }
    }

    /** Deletes it once. Returns false when something came into it meanwhile, unless this attempt is the last. */
    private boolean deleteDirectory(
        final SecureDirectoryStream<Path> parent, final Path entryName, final Path where, final FileStatus found,
        final boolean isLast) {
        IOException unread = null;
        try (SecureDirectoryStream<Path> directory =
            secure(parent.newDirectoryStream(entryName, LinkOption.NOFOLLOW_LINKS), where)) {
            // whose it is was asked by path: that counts for what is open only when both are one
            if (!found.key().equals(keyOf(directory))) {
                attempt(where, null, () -> {
                    throw new IOException(REPLACED);
                });
                return true;
            }
            for (final Path entry : directory) {
                deleteEntry(directory, entry.getFileName(), where.resolve(entry.getFileName()));
            }
        } catch (final NoSuchFileException e) {
            return true;
        } catch (final DirectoryIteratorException e) {
            unread = e.getCause();
        } catch (final IOException e) {
            // one that cannot be read may be empty and so deletable
            unread = e;
        }
        final boolean isToBeEmpty = unread == null && failure == null && !isLast;
        final boolean[] isFilled = new boolean[1];
        attempt(where, unread, () -> {
            try {
                parent.deleteDirectory(entryName);
            } catch (final DirectoryNotEmptyException e) {
                if (!isToBeEmpty) {
                    throw e;
                }
                isFilled[0] = true;
            }
        });
        return !isFilled[0];
    }

    private void deleteEntry(final SecureDirectoryStream<Path> directory, final Path entryName, final Path where) {
        attempt(where, null, () -> {
            final boolean isDirectory = directory.getFileAttributeView(
                entryName, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS).readAttributes().isDirectory();
            if (isDirectory) {
                final FileStatus found = FileStatus.of(where);
                found.requireOwner(where);
                deleteDirectory(directory, entryName, where, found);
            } else {
                directory.deleteFile(entryName);
            }
        });
    }

    private static SecureDirectoryStream<Path> secure(final DirectoryStream<Path> stream, final Path where)
        throws IOException {
        if (stream instanceof final SecureDirectoryStream<Path> secure) {
            return secure;
        }
        try (stream) {
            throw new IOException("this system cannot delete relative to a directory: path=" + where);
        }
    }

    private void attempt(final Path where, final IOException earlier, final Step step) {
        try {
            step.run();
        } catch (final NoSuchFileException e) {
            // somebody else was quicker
            return;
        } catch (final IOException e) {
            if (earlier != null) {
                e.addSuppressed(earlier);
            }
            final IOException named = new IOException("cannot delete: path=" + where + " cause=" + e.getMessage(), e);
            if (failure == null) {
                failure = named;
            } else {
                failure.addSuppressed(named);
            }
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
