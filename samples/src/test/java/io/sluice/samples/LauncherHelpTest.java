package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Every {@code --help} answers in a checkout that was never built, on a machine without a JDK and Maven. */
class LauncherHelpTest {
    private static final Path ROOT = Path.of("..");
    private static final Path TEXTS = ROOT.resolve(".config/help");
    /** The launcher and its scripts, and all that they read; no sources, no classes. */
    private static final List<String> PARTS =
        List.of("sluice", ".config", ".ci", "docs/site/build", "native/lab", "transport/tests/simulation/planted-bugs");
    private static final Pattern COMMAND = Pattern.compile("(?m)^  ((?:bench )?[a-z][a-z-]*)(?: .*)?$");

    @TempDir
    private static Path checkout;

    private static String usage() throws IOException {
        final String launcher = Files.readString(ROOT.resolve("sluice"));
        return launcher.substring(launcher.indexOf("Usage: "), launcher.indexOf("Environment:"));
    }

    private static Stream<String> commands() throws IOException {
        return COMMAND.matcher(usage()).results().map(match -> match.group(1))
            .filter(command -> !command.equals("help"));
    }

    @BeforeAll
    static void copy() throws IOException {
        for (final String part : PARTS) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
                for (final Path file : files.filter(Files::isRegularFile).toList()) {
                    final Path copy = checkout.resolve(ROOT.relativize(file));
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
    }

    /** The launcher's answer in the copy, with no JDK that it could take. */
    private static String help(final String arguments) throws Exception {
        final List<String> command = new ArrayList<>(List.of("bash", "sluice"));
        command.addAll(List.of(arguments.split(" ")));
        final ProcessBuilder builder =
            new ProcessBuilder(command).directory(checkout.toFile()).redirectErrorStream(true);
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("SLUICE_JAVA_HOME", "/nonexistent");
        final Process process = builder.start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertFalse(Files.exists(checkout.resolve("target")), "a build");
        return output;
    }

    @ParameterizedTest
    @ValueSource(strings = {"help --help", "--help --help", "help help", "-h -h"})
    void shouldHelpOnHelp(final String arguments) throws Exception {
        assertEquals(help("help"), help(arguments));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHelpWithoutABuildAndWithoutAJdk(final String command) throws Exception {
        final String help = help(command + " --help");
        assertFalse(help.isBlank() || help.startsWith("sluice: "), help);
        assertEquals(help, help(command + " -h"));
        assertEquals(help, help("help " + command));
    }

    @ParameterizedTest
    @ValueSource(strings = {"test --verbs", "test --artifacts", "simulate --planted-bugs"})
    void shouldHelpWithAnOptionThatIsAScriptOfItsOwn(final String command) throws Exception {
        final String help = help(command + " --help");
        assertTrue(help.replaceAll("\\s+", " ").contains("\"./sluice " + command + "\""), help);
    }

    @Test
    void shouldHelpWhereverTheOptionStands() throws Exception {
        assertEquals(help("stat --help"), help("stat --once --help"));
        assertEquals(help("bench ring --help"), help("bench ring quick --help"));
    }

    /** A command after the lab's options is one in the machine, whose help is its own. */
    @Test
    void shouldLeaveTheHelpOfACommandInTheLabToIt() throws Exception {
        assertTrue(help("lab --help").startsWith("Usage: native/lab/run"), "the lab's");
        assertFalse(Files.exists(TEXTS.resolve("lab.txt")));
    }

    @ParameterizedTest
    @MethodSource("commandsOfThisModule")
    void shouldTellWhatTheCommandItselfTells(final String command) throws IOException {
        final CommandLine line = SluiceCommand.commandLine().getSubcommands().get(command);
        final String told = line.getUsageMessage(Ansi.OFF);
        Files.writeString(Files.createDirectories(Path.of("target/help")).resolve(command + ".txt"), told);
        assertEquals(told, Files.readString(TEXTS.resolve(command + ".txt")),
            "the text for the launcher; samples/target/help has the one that is due");
    }

    private static Set<String> commandsOfThisModule() {
        return SluiceCommand.commandLine().getSubcommands().keySet();
    }

    /** Commands that are Java have texts; scripts have their own. */
    @Test
    void shouldHaveATextForEachCommandThatIsJava() throws IOException {
        final Set<String> expected = commands().map(command -> command.replace(' ', '-') + ".txt")
            .collect(Collectors.toCollection(TreeSet::new));
        expected.removeAll(Set.of("install.txt", "test.txt", "site.txt", "lab.txt", "version.txt"));
        try (Stream<Path> texts = Files.list(TEXTS)) {
            assertEquals(expected, texts.map(text -> text.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new)));
        }
    }
}
