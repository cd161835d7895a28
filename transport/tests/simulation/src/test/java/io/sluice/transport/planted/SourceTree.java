package io.sluice.transport.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources that bugs are planted in: files by their paths below the folder of the whole project. */
final class SourceTree {
    private static final List<String> FOLDERS = List.of("native/src/main/java", "transport/src/main/java");
    private static final String JAVA = ".java";

    private final Path root;
    private final List<Path> files;

    private SourceTree(final Path root, final List<Path> files) {
        this.root = root;
        this.files = files;
    }

    static SourceTree of(final Path root) throws IOException {
        final List<Path> files = new ArrayList<>();
        for (final String folder : FOLDERS) {
            try (Stream<Path> paths = Files.walk(root.resolve(folder))) {
                paths.filter(path -> path.toString().endsWith(JAVA)).map(root::relativize).forEach(files::add);
            }
        }
        return new SourceTree(root, files);
    }

    /**
     * {@return the texts of the files that a bug changes, as they are with it}
     *
     * @throws IllegalArgumentException when it does not apply; the message names the bug, the place and the reason.
     */
    Map<Path, String> with(final PlantedBug bug) throws IOException {
        final Map<Path, String> changed = new LinkedHashMap<>();
        for (final Change change : bug.changes()) {
            try {
                final List<String> names = List.of(change.place().split("\\."));
                final int packages = (int) names.stream().takeWhile(name -> Character.isLowerCase(name.charAt(0)))
                    .count();
                final Path file = fileOf(names.subList(0, Math.min(packages + 1, names.size())));
                final String text =
                    changed.containsKey(file) ? changed.get(file) : Files.readString(root.resolve(file));
                changed.put(file, JavaSource.parse(text).with(names.subList(packages, names.size()), change));
            } catch (final IllegalArgumentException ex) {
                throw new IllegalArgumentException(
                    "bug=" + bug.name() + " does not apply: in " + change.place() + ": " + ex.getMessage(), ex);
            }
        }
        return changed;
    }

    /** The one file of a class, whose package needs no name while no other class has its own. */
    private Path fileOf(final List<String> names) {
        final Path end = Path.of(String.join("/", names) + JAVA);
        final List<Path> found = files.stream().filter(file -> file.endsWith(end)).toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(found.isEmpty()
                ? "no class " + names.getLast() + " in " + String.join(", ", FOLDERS)
                : "more than one class of this name, put its package before it: "
                    + found.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        return found.getFirst();
    }
}
