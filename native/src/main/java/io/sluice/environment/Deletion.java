package io.sluice.environment;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes a tree: never follows a symbolic link, goes on after a failure, and tells of all failures at the end. */
final class Deletion extends SimpleFileVisitor<Path> {
    private IOException failure;

    private Deletion() {
    }

    static void delete(final Path path) throws IOException {
        final Deletion deletion = new Deletion();
        Files.walkFileTree(path, deletion);
        if (deletion.failure != null) {
            throw deletion.failure;
        }
    }

    @Override
    public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) {
        return remove(file, null);
    }

    /** Called for a directory that cannot be read, which may be empty and so deletable, and for what does not exist. */
    @Override
    public FileVisitResult visitFileFailed(final Path file, final IOException e) {
        return remove(file, e);
    }

    @Override
    public FileVisitResult postVisitDirectory(final Path directory, final IOException e) {
        return remove(directory, e);
    }

    private FileVisitResult remove(final Path path, final IOException earlier) {
        try {
            Files.deleteIfExists(path);
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
        return FileVisitResult.CONTINUE;
    }
}
