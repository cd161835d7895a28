package io.sluice.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.stress.StressCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.Main;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The texts that the launcher prints for {@code --help}, without a build, are what the programs print. */
class HelpTextsTest {
    private static final Path TEXTS = Path.of("../.config/help");

    /** A program that prints its help and comes back. */
    private interface Program {
        void main(String[] args) throws Exception;
    }

    private static void assertLauncherTells(final String name, final String told) throws IOException {
        Files.writeString(Files.createDirectories(Path.of("target/help")).resolve(name + ".txt"), told);
        assertEquals(told, Files.readString(TEXTS.resolve(name + ".txt")),
            "the text for the launcher; perf/target/help has the one that is due");
    }

    private static String printed(final Program program, final String... args) throws Exception {
        final PrintStream before = System.out;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            program.main(args);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldTellTheHelpOfBench() throws IOException {
        assertLauncherTells("bench", new CommandLine(new BenchCommand()).getUsageMessage(Ansi.OFF));
    }

    private static Set<String> commandsOfBench() {
        return new CommandLine(new BenchCommand()).getSubcommands().keySet();
    }

    @ParameterizedTest
    @MethodSource("commandsOfBench")
    void shouldTellTheHelpOfWhatBenchHas(final String command) throws IOException {
        final CommandLine line = new CommandLine(new BenchCommand()).getSubcommands().get(command);
        assertLauncherTells("bench-" + command, line.getUsageMessage(Ansi.OFF));
    }

    @Test
    void shouldTellTheHelpOfJcstress() throws Exception {
        assertLauncherTells("jcstress", printed(StressCommand::main, "--help"));
    }

    @Test
    void shouldTellTheHelpOfJmh() throws Exception {
        assertLauncherTells("jmh", printed(Main::main, "-h"));
    }
}
