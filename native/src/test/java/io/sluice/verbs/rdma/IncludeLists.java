package io.sluice.verbs.rdma;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the bindings were asked for: the lists in {@code native/jextract}. */
final class IncludeLists {
    static final String GENERATED = "io.sluice.verbs.rdma.generated.";
    private static final List<String> FILES = List.of("libibverbs.txt", "librdmacm.txt", "constants.txt");

    private IncludeLists() {
    }

    /** Names of a kind: {@code function}, {@code struct}, {@code union}, {@code typedef} or {@code constant}. */
    static List<String> names(final String kind) {
        final String option = "--include-" + kind + " ";
        return FILES.stream().flatMap(IncludeLists::lines)
            .filter(line -> line.startsWith(option))
            .map(line -> line.substring(option.length()).trim())
            .toList();
    }

    static Stream<String> types() {
        return Stream.of("struct", "union").flatMap(kind -> names(kind).stream());
    }

    private static Stream<String> lines(final String file) {
        try {
            return Files.readAllLines(Path.of("jextract", file)).stream();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A generated class; not initialised, because that of the functions looks for the libraries. */
    static Class<?> generatedClass(final String name) {
        try {
            return Class.forName(GENERATED + name, false, IncludeLists.class.getClassLoader());
        } catch (final ClassNotFoundException e) {
            throw new AssertionError("jextract has generated nothing for " + name, e);
        }
    }
}
