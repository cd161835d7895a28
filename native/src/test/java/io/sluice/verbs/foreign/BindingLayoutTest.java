package io.sluice.verbs.foreign;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sizes, offsets and constants of the bindings are those of the C compiler: the ones that
 * the probes of {@code src/test/c} printed on x86-64, and, where a compiler and the headers are, the ones that they
 * print here.
 */
class BindingLayoutTest {
    private static final Path PROBES = Path.of("src", "test", "c");
    private static final Path HEADERS = Path.of("/usr/include");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void shouldEqualWhatTheProbeHasRecorded(final GeneratedBindings bindings) throws IOException {
        assumeTrue("amd64".equals(System.getProperty("os.arch")), "recorded on x86-64 only");

        assertEquals(recorded(bindings), values(bindings));
    }

    @ParameterizedTest
    @EnumSource
    void shouldEqualWhatTheProbePrintsHere(final GeneratedBindings bindings) throws IOException, InterruptedException {
        for (final String header : bindings.headers) {
            assumeTrue(Files.exists(HEADERS.resolve(header)), bindings.missingHeaders);
        }
        assumeTrue(isThere("gcc"), "no C compiler here: gcc is not installed");
        final Path program = folder.resolve(bindings.probe);
        run("gcc", "-Wall", "-Werror", "-o", program.toString(), PROBES.resolve(bindings.probe + ".c").toString());

        assertEquals(parse(run(program.toString()), bindings), values(bindings));
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

    private static Map<String, Long> recorded(final GeneratedBindings bindings) throws IOException {
        try (InputStream stream = BindingLayoutTest.class.getResourceAsStream(bindings.recorded())) {
            return parse(new String(stream.readAllBytes(), UTF_8), bindings);
        }
    }

    private static Map<String, Long> parse(final String lines, final GeneratedBindings bindings) {
        final Map<String, Long> values = new TreeMap<>();
        lines.lines().forEach(line -> {
            final String[] part = line.split(" ");
            values.put(part[0], Long.parseLong(part[1]));
        });
        assertTrue(values.size() > bindings.leastValues, "the probe prints " + values.size() + " values");
        return values;
    }

    /** Everything that the include lists ask for. */
    private static Map<String, Long> values(final GeneratedBindings bindings) {
        final Map<String, Long> values = new TreeMap<>();
        bindings.types().forEach(name -> {
            final GroupLayout layout = (GroupLayout) call(bindings.type(name), "layout");
            values.put(name, layout.byteSize());
            addFields(values, layout, name, 0);
        });
        bindings.names("constant").forEach(name ->
            values.put(name, ((Number) call(bindings.constants(), name)).longValue()));
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

    private static Object call(final Class<?> type, final String method) {
        try {
            return type.getMethod(method).invoke(null);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(type.getSimpleName() + "." + method, e);
        }
    }
}
