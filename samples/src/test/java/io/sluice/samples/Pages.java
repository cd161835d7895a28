package io.sluice.samples;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The pages for people of a checkout, and other files of it. Folders of builds are not entered: files come and go
 * there. Stateless.
 */
final class Pages {
    private static final Set<String> NOT_ENTERED = Set.of("target", "node_modules", ".git");

    private Pages() {
    }

    static List<Path> below(final Path root) throws IOException {
        return below(root, ".md");
    }

    /** Files whose names end so. */
    static List<Path> below(final Path root, final String ending) throws IOException {
        final List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(final Path folder, final BasicFileAttributes attributes) {
                return NOT_ENTERED.contains(folder.getFileName().toString())
                    ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) {
                if (file.toString().endsWith(ending)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(files);
        return files;
    }
}
