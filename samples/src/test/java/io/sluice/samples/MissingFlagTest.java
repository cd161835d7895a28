package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.learn.Sample1PublishSubscribe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM without the flag that every channel needs is refused with the flag to add, which is all that is missing. */
class MissingFlagTest {
    private static final Pattern FLAG = Pattern.compile("start the JVM with (--\\S+)$");

    @TempDir
    private Path folder;

    @Test
    void shouldNameTheFlagOfTheClassPath() throws Exception {
        assertEquals("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", flagNamed(List.of()));
    }

    @Test
    void shouldNameTheFlagOfTheModulePath() throws Exception {
        assertEquals("--add-opens=java.base/jdk.internal.misc=org.agrona", flagNamed(modules()));
    }

    @Test
    void shouldRunWithTheFlagThatIsNamed() throws Exception {
        for (final List<String> path : List.of(List.<String>of(), modules())) {
            final List<String> flags = new ArrayList<>(path);
            flags.add(flagNamed(path));
            try (SluiceProcess process = SluiceProcess.plain(folder, flags, Sample1PublishSubscribe.class)) {
                assertEquals(0, process.exitCode(), () -> LearnTest.errors(process));
                assertEquals("EURUSD 1.0842\n", process.output());
            }
        }
    }

    @Test
    void shouldNameTheModuleThatAJavaOfJlinkLacks() throws Exception {
        final List<String> flags = List.of("--limit-modules=java.base,java.management,java.compiler,jdk.unsupported",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        try (SluiceProcess process = SluiceProcess.plain(folder, flags, Sample1PublishSubscribe.class)) {
            assertNotEquals(0, process.exitCode(), process::output);
            final String errors = String.join("\n", process.errorLines());
            assertTrue(errors.contains("IllegalStateException: this JVM lacks the module jdk.jfr"), errors);
        }
    }

    /** The flags that put the transport and all that it needs on the module path, for a program of the class path. */
    private static List<String> modules() throws Exception {
        return List.of("-p", LearnModuleTest.modules(), "--add-modules=io.sluice.transport");
    }

    /** The one flag that the message names when the program starts with these. */
    private String flagNamed(final List<String> flags) throws Exception {
        try (SluiceProcess process = SluiceProcess.plain(folder, flags, Sample1PublishSubscribe.class)) {
            assertNotEquals(0, process.exitCode(), process::output);
            final List<String> errors = process.errorLines();
            final List<String> named = errors.stream().flatMap(line -> FLAG.matcher(line).results())
                .map((final MatchResult match) -> match.group(1)).toList();
            assertEquals(1, named.size(), () -> String.join("\n", errors));
            return named.getFirst();
        }
    }
}
