package io.sluice.environment;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
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
 * two steps, and have another tree deleted.
 */
final class Deletion {
    private IOException failure;

    private Deletion() {
    }

    /** Delete whatever has a path. */
    static void delete(final Path path) throws IOException {
        final FileStatus status = FileStatus.find(path);
        if (status != null) {
            delete(path, status, status.isDirectory());
        }
    }

    /** Delete what has a path unless it is a directory, which then stays. */
    static void deleteFile(final Path path) throws IOException {
        final FileStatus status = FileStatus.find(path);
        if (status != null) {
            delete(path, status, false);
        }
    }

    private static void delete(final Path path, final FileStatus status, final boolean isTree) throws IOException {
        status.requireOwner(path);
        if (status.isDirectory() && !isTree) {
            throw new IOException("cannot delete: path=" + path + " cause=it has become a directory");
        }
        final Path absolute = path.toAbsolutePath();
        final Path name = absolute.getFileName();
        if (name == null) {
            throw new IOException("not to be deleted: path=" + path);
        }
        final Deletion deletion = new Deletion();
        try (SecureDirectoryStream<Path> parent = secure(Files.newDirectoryStream(absolute.getParent()), path)) {
            if (isTree) {
                deletion.deleteDirectory(parent, name, path, status);
            } else {
                deletion.attempt(path, null, () -> parent.deleteFile(name));
            }
        } catch (final NoSuchFileException e) {
            // the parent is gone, and all that was in it
            return;
        } catch (final IOException e) {
            if (isTree || !FileErrors.isWant(e)) {
                throw e;
            }
            // Without a descriptor left: unlink(2) follows no link at the end of a path.
            deletion.attempt(path, e, () -> Files.deleteIfExists(path));
        }
        if (deletion.failure != null) {
            throw deletion.failure;
        }
    }

    /**
     * Delete a directory of this user.
     *
     * @param parent that it is looked up in.
     * @param name   in its parent.
     * @param path   of it.
     * @param status what was found under its path: whose it is has been looked at.
     */
    private void deleteDirectory(
        final SecureDirectoryStream<Path> parent, final Path name, final Path path, final FileStatus status) {
        IOException unread = null;
        try (SecureDirectoryStream<Path> directory =
            secure(parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), path)) {
            final Object key =
                directory.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
            // whose it is was asked by path: that counts for what is open only when both are one
            if (!status.key().equals(key)) {
                attempt(path, null, () -> {
                    throw new IOException("it was replaced while it was opened");
                });
                return;
            }
            for (final Path entry : directory) {
                deleteEntry(directory, entry.getFileName(), path.resolve(entry.getFileName()));
            }
        } catch (final NoSuchFileException e) {
            return;
        } catch (final DirectoryIteratorException e) {
            unread = e.getCause();
        } catch (final IOException e) {
            // one that cannot be read may be empty and so deletable
            unread = e;
        }
        attempt(path, unread, () -> parent.deleteDirectory(name));
    }

    private void deleteEntry(final SecureDirectoryStream<Path> directory, final Path name, final Path path) {
        attempt(path, null, () -> {
            final boolean isDirectory = directory.getFileAttributeView(
                name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS).readAttributes().isDirectory();
            if (isDirectory) {
                final FileStatus status = FileStatus.of(path);
                status.requireOwner(path);
                deleteDirectory(directory, name, path, status);
            } else {
                directory.deleteFile(name);
            }
        });
    }

    private static SecureDirectoryStream<Path> secure(final DirectoryStream<Path> stream, final Path path)
        throws IOException {
        if (stream instanceof final SecureDirectoryStream<Path> secure) {
            return secure;
        }
        try (stream) {
            throw new IOException("this system cannot delete relative to a directory: path=" + path);
        }
    }

    private void attempt(final Path path, final IOException earlier, final Step step) {
        try {
            step.run();
        } catch (final NoSuchFileException e) {
            // somebody else was quicker
            return;
        } catch (final IOException e) {
            if (earlier != null) {
                e.addSuppressed(earlier);
            }
            final IOException named = new IOException("cannot delete: path=" + path + " cause=" + e.getMessage(), e);
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
