package io.sluice.verbs.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sizes, offsets and constants of the bindings are those of the C compiler: the ones that
 * {@code src/test/c/abi_probe.c} printed on x86-64, and, where a compiler and the headers are, the ones that it prints
 * here.
 */
class BindingLayoutTest {
    private static final Path PROBE = Path.of("src", "test", "c", "abi_probe.c");
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");
    private static final Path CM_HEADER = Path.of("/usr/include/rdma/rdma_cma.h");
    private static final String RECORDED = "abi-x86_64.txt";

    @TempDir
    Path folder;

    @Test
    void shouldEqualWhatTheProbeHasRecorded() throws IOException {
        assumeTrue("amd64".equals(System.getProperty("os.arch")), "recorded on x86-64 only");

        assertEquals(recorded(), bindings());
    }

    @Test
    void shouldEqualWhatTheProbePrintsHere() throws IOException, InterruptedException {
        assumeTrue(Files.exists(HEADER) && Files.exists(CM_HEADER),
            "no headers of libibverbs and librdmacm here: libibverbs-dev and librdmacm-dev are not installed");
        assumeTrue(isThere("gcc"), "no C compiler here: gcc is not installed");
        final Path program = folder.resolve("abi_probe");
        run("gcc", "-Wall", "-Werror", "-o", program.toString(), PROBE.toString());

        assertEquals(parse(run(program.toString())), bindings());
    }

    private static boolean isThere(final String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version").redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (final IOException e) {
            return false;
        }
    }

    private static String run(final String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    private static Map<String, Long> recorded() throws IOException {
        try (InputStream stream = BindingLayoutTest.class.getResourceAsStream(RECORDED)) {
            return parse(new String(stream.readAllBytes(), UTF_8));
        }
    }

    private static Map<String, Long> parse(final String lines) {
        final Map<String, Long> values = new TreeMap<>();
        lines.lines().forEach(line -> {
            final String[] part = line.split(" ");
            values.put(part[0], Long.parseLong(part[1]));
        });
        assertTrue(values.size() > 1000, "the probe prints " + values.size() + " values");
        return values;
    }

    /** Everything that the include lists ask for. */
    private static Map<String, Long> bindings() {
        final Map<String, Long> values = new TreeMap<>();
        IncludeLists.types().forEach(name -> {
            final GroupLayout layout = (GroupLayout) call(name, "layout");
            values.put(name, layout.byteSize());
            addFields(values, layout, name, 0);
        });
        IncludeLists.names("constant").forEach(name ->
            values.put(name, ((Number) call("rdma_constants", name)).longValue()));
        return values;
    }

    private static void addFields(
        final Map<String, Long> values, final GroupLayout layout, final String path, final long base) {
        long end = 0;
        for (final MemoryLayout member : layout.memberLayouts()) {
            final long offset = base + (layout instanceof StructLayout ? end : 0);
            final String name = member.name().orElse("");
            // Fields of an anonymous struct or union are those of the struct around it.
            final String inner = name.startsWith("$anon") ? path : path + "." + name;
            if (!name.isEmpty() && !name.startsWith("$anon")) {
                values.put(inner, offset);
            }
            if (member instanceof GroupLayout group) {
                addFields(values, group, inner, offset);
            }
            end += member.byteSize();
        }
    }

    private static Object call(final String className, final String method) {
        try {
            return IncludeLists.generatedClass(className).getMethod(method).invoke(null);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(className + "." + method, e);
        }
    }
}
