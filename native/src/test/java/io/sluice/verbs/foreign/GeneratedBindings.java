package io.sluice.verbs.foreign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Bindings that jextract was asked for by the lists in {@code native/jextract}, and what it made of them. */
enum GeneratedBindings {
    RDMA("io.sluice.verbs.rdma", "rdma", List.of("libibverbs.txt", "librdmacm.txt", "constants.txt"), "abi_probe",
        List.of("infiniband/verbs.h", "rdma/rdma_cma.h"),
        "no headers of libibverbs and librdmacm here: libibverbs-dev and librdmacm-dev are not installed", 1000),
    RPMA("io.sluice.rpma", "rpma", List.of("librpma.txt", "rpma-constants.txt"), "rpma_probe",
        List.of("librpma.h", "infiniband/verbs.h"),
        "no headers of librpma here: librpma-dev, or libibverbs-dev, is not installed", 40);

    /** The C program that prints what the compiler makes of them. */
    final String probe;
    /** Headers that the program includes, itself or by another one. */
    final List<String> headers;
    /** The reason why a test is skipped without these. */
    final String missingHeaders;
    /** The program prints more values than these: nothing would equal nothing. */
    final int leastValues;
    private final String packageName;
    private final String header;
    private final List<String> lists;

    GeneratedBindings(
        final String packageName, final String header, final List<String> lists, final String probe,
        final List<String> headers, final String missingHeaders, final int leastValues) {
        this.packageName = packageName;
        this.header = header;
        this.lists = lists;
        this.probe = probe;
        this.headers = headers;
        this.missingHeaders = missingHeaders;
        this.leastValues = leastValues;
    }

    /** Names of a kind: {@code function}, {@code struct}, {@code union}, {@code typedef} or {@code constant}. */
    List<String> names(final String kind) {
        final String option = "--include-" + kind + " ";
        return lists.stream().flatMap(GeneratedBindings::lines)
            .filter(line -> line.startsWith(option))
            .map(line -> line.substring(option.length()).trim())
            .toList();
    }

    /** Names of structs and unions. */
    Stream<String> types() {
        return Stream.of("struct", "union").flatMap(kind -> names(kind).stream());
    }

    private static Stream<String> lines(final String file) {
        try {
            return Files.readAllLines(Path.of("jextract", file)).stream();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Class<?> functions() {
        return type(header + "_h");
    }

    Class<?> constants() {
        return type(header + "_constants");
    }

    /** A generated class; not initialised, because that of the functions looks for the libraries. */
    Class<?> type(final String name) {
        try {
            return Class.forName(
                packageName + ".generated." + name, false, GeneratedBindings.class.getClassLoader());
        } catch (final ClassNotFoundException e) {
            throw new AssertionError("jextract has generated nothing for " + name, e);
        }
    }

    /** The file in which the tests find what the probe printed on x86-64. */
    String recorded() {
        return "/" + packageName.replace('.', '/') + "/abi-x86_64.txt";
    }
}
