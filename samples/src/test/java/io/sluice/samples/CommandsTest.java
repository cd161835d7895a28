package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The page of the commands has every command, script and option, and no page names another one. */
class CommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/guide/commands.md");
    private static final String OF_LAB = "of `lab`";

    /** An option as people write it. */
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z][a-z-]*)");
    /** An option in Java: its name as a literal. */
    private static final Pattern OPTION_OF_CODE = Pattern.compile("\"(--[a-z][a-z-]*)\"");
    private static final Pattern COMMAND =
        Pattern.compile("\\./sluice ((?:bench (?:ring|drain|downcalls))|[a-z][a-z-]*)([^`\\n|]*)");
    private static final Pattern SCRIPT =
        Pattern.compile("(?<![\\w./-])((?:native/lab|transport/tests/simulation|\\.ci)/[a-z-]+)(?![\\w/.-])"
            + "([^`\\n|]*)");
    private static final Pattern CASE_OF_LAUNCHER = Pattern.compile("(?m)^ {4}([a-z][a-z |-]*)\\)$");
    /** A command that the help of a script speaks of. */
    private static final Pattern OTHER_COMMAND = Pattern.compile("\\./sluice [a-z]+\\s+--[a-z-]+");
    /** An option of the programs of others: one dash. */
    private static final Pattern SHORT_OPTION = Pattern.compile("(?<![\\w-])(--?[a-z]+)(?![\\w-])");
    private static final Pattern JCSTRESS = Pattern.compile("\\./sluice jcstress([^`\\n|]*)");
    /** A command in the help of the launcher. */
    private static final Pattern HELPED = Pattern.compile("(?m)^  ((?:bench )?[a-z][a-z-]*)(?: .*)?$");
    private static final int EXIT_USAGE = 2;
    /** Every command has it, and the page says so once. */
    private static final Set<String> STANDARD = Set.of("--help", "--version");
    /** Commands without a page of options, or that other programs define. */
    private static final Set<String> WITHOUT_OPTIONS = Set.of("jmh", "jcstress");

    /** Commands of other modules, whose classes are not on this one's path: where their options stand. */
    private static final Map<String, List<String>> SOURCES = Map.of(
        "bench", List.of("perf/src/main/java/io/sluice/perf/BenchCommand.java",
            "perf/src/main/java/io/sluice/perf/RunOptions.java"),
        "bench ring", List.of("perf/src/main/java/io/sluice/perf/RingCommand.java",
            "perf/src/main/java/io/sluice/perf/RunOptions.java"),
        "bench drain", List.of("perf/src/main/java/io/sluice/perf/DrainCommand.java"),
        "bench downcalls", List.of("perf/src/main/java/io/sluice/perf/DowncallsCommand.java"),
        "bench embed", List.of("perf/src/main/java/io/sluice/perf/EmbedCommand.java"),
        "bench start", List.of("perf/src/main/java/io/sluice/perf/StartCommand.java"),
        "soak", List.of("transport/tests/soak/src/test/java/io/sluice/transport/soak/SoakCommand.java"),
        "simulate", List.of(
            "transport/tests/simulation/src/test/java/io/sluice/transport/simulation/SimulateCommand.java"));

    /** Options in the pages that are those of the JDK, of containers and of the programs in the lab. */
    private static final Set<String> FOREIGN = Set.of("--add-opens", "--enable-native-access",
        "--illegal-native-access", "--sun-misc-unsafe-memory-access", "--ulimit", "--shm-size", "--device",
        "--cpuset-cpus", "--directory", "--back", "--output", "--add-modules", "--multi-release",
        "--ignore-missing-deps", "--print-module-deps", "--events");

    @Test
    void shouldListEveryCommandWithAllItsOptions() throws IOException {
        final Map<String, Set<String>> listed = listed("command");
        final Map<String, Set<String>> expected = optionsOfCommands();
        assertEquals(expected.keySet(), listed.keySet());
        expected.forEach((command, options) -> assertEquals(options, listed.get(command), command));
    }

    @Test
    void shouldListEveryScriptWithAllItsOptions() throws Exception {
        final Set<String> ofLab = optionsOfCommands().get("lab");
        final Map<String, Set<String>> listed = listed("script");
        final Set<String> named = new TreeSet<>();
        for (final Path page : Pages.below(ROOT)) {
            SCRIPT.matcher(Files.readString(page)).results().map(match -> match.group(1)).forEach(named::add);
        }
        named.addAll(scriptsForPeople());
        assertEquals(named, listed.keySet());
        for (final Map.Entry<String, Set<String>> script : listed.entrySet()) {
            if (!script.getKey().startsWith(".ci/")) {
                final String help = run(ROOT.resolve(script.getKey()), "--help");
                final Set<String> own = optionsOf(OTHER_COMMAND.matcher(help).replaceAll(""));
                own.removeAll(ofLab);
                final Set<String> written = new TreeSet<>(script.getValue());
                assertEquals(help.contains("OPTIONS OF run") || script.getKey().endsWith("lab/run"),
                    written.remove(OF_LAB), script.getKey() + " takes the options of lab");
                assertEquals(own, written, script.getKey());
            }
        }
    }

    @Test
    void shouldNameOptionsThatTheCommandHas() throws Exception {
        final Map<String, Set<String>> commands = optionsOfCommands();
        final Map<String, Set<String>> scripts = listed("script");
        scripts.values().stream().filter(options -> options.remove(OF_LAB))
            .forEach(options -> options.addAll(commands.get("lab")));
        final Set<String> all = new TreeSet<>(FOREIGN);
        all.addAll(STANDARD);
        commands.values().forEach(all::addAll);
        scripts.values().forEach(all::addAll);
        final List<String> unknown = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            final String text = Files.readString(page);
            for (final MatchResult match : COMMAND.matcher(text).results().toList()) {
                addUnknown(page, match, commands, unknown);
            }
            for (final MatchResult match : SCRIPT.matcher(text).results().toList()) {
                addUnknown(page, match, scripts, unknown);
            }
            OPTION.matcher(text).results().map(MatchResult::group).filter(option -> !all.contains(option))
                .forEach(option -> unknown.add(ROOT.relativize(page) + ": " + option));
        }
        assertEquals(List.of(), unknown);
    }

    private static void addUnknown(final Path page, final MatchResult match, final Map<String, Set<String>> known,
        final List<String> unknown) {
        final Set<String> options = known.get(match.group(1));
        // What comes after the options of the lab is a command of its own, or a comment.
        final String arguments = match.group(2).replaceAll("(?s)(#| -- |\\./sluice | bash | lab-peer ).*", "");
        if (options != null) {
            OPTION.matcher(arguments).results().map(MatchResult::group)
                .filter(option -> !options.contains(option) && !STANDARD.contains(option)
                    && !WITHOUT_OPTIONS.contains(match.group(1)))
                .forEach(option -> unknown.add(ROOT.relativize(page) + ": " + match.group(1) + " " + option));
        }
    }

    @Test
    void shouldHelpWithEveryCommandOfItsOwn() {
        for (final String command : SluiceCommand.commandLine().getSubcommands().keySet()) {
            final StringWriter out = new StringWriter();
            assertEquals(0, SluiceCommand.commandLine().setOut(new PrintWriter(out)).execute(command, "--help"));
            assertTrue(out.toString().startsWith("Usage: sluice " + command + " "), out::toString);
        }
    }

    /** Usages that need no build: the launcher's, and those of the lab, the site and install. */
    @Test
    void shouldHelpThroughTheLauncher() throws Exception {
        final Path launcher = ROOT.resolve("sluice");
        assertTrue(run(launcher, "help").startsWith("Usage: ./sluice COMMAND"));
        assertTrue(run(launcher, "lab", "--help").startsWith("Usage: native/lab/run"));
        assertTrue(run(launcher, "site", "--help").startsWith("Usage: ./sluice site"));
        assertTrue(run(launcher, "install", "--help").startsWith("Usage: ./sluice install"));
    }

    /** The flavour is looked at before anything is built, and whatever the rest of the command line is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "SLUICE_LAB_FLAVOURS | trixie,sid   | is none of trixie, bookworm, or both",
        "SLUICE_LAB_FLAVOURS | ' '          | is none of trixie, bookworm, or both",
        "SLUICE_LAB_PARTS    | suite        | is neither all nor transport"})
    void shouldRefuseAnUnknownWordOfAVariable(final String variable, final String value, final String known)
        throws Exception {
        assertRefused(List.of("sluice", "test", "--verbs"), variable, value, "test: ", known);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "SLUICE_LAB_COMPLETION | extended | is none of AUTO, LEGACY, EXTENDED",
        "SLUICE_LAB_POSTING    | typo     | is neither WORK_REQUESTS nor BUILDER"})
    void shouldRefuseAnUnknownWordOfAVariableOfTheLab(final String variable, final String value, final String known)
        throws Exception {
        assertRefused(List.of("native/lab/run", "--flavour", "trixie"), variable, value, "lab: ", known);
    }

    private static void assertRefused(final List<String> command, final String variable, final String value,
        final String script, final String known) throws Exception {
        final List<String> started = new ArrayList<>(List.of("bash"));
        started.addAll(command);
        final ProcessBuilder builder =
            new ProcessBuilder(started).directory(ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put(variable, value);
        final Process process = builder.start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(EXIT_USAGE, process.waitFor(), output);
        assertEquals(script + variable + "=" + value + " " + known + "\n", output);
    }

    /** Arguments of a command as its line begins them: {@code -t}, {@code -vv}. */
    private static Stream<String> shortOptions(final String text) {
        return SHORT_OPTION.matcher(text).results().map(match -> match.group(1));
    }

    /** Options are as the programs define them: JMH's, by its own parser, in the module that has it. */
    @Test
    void shouldKnowTheOptionsOfJcstressThatThePagesUse() throws Exception {
        final String source =
            Files.readString(ROOT.resolve("perf/src/main/java/io/sluice/perf/stress/StressCommand.java"));
        final int start = source.indexOf("Usage: ./sluice jcstress");
        final String help = source.substring(start, source.indexOf("\"\"\"", start));
        final Set<String> known = shortOptions(help).collect(Collectors.toCollection(TreeSet::new));
        known.add("--help");
        assertTrue(known.containsAll(List.of("-t", "-m", "-l")), known::toString);
        final Set<String> used = new TreeSet<>();
        for (final Path page : Pages.below(ROOT)) {
            JCSTRESS.matcher(Files.readString(page)).results()
                .flatMap(match -> shortOptions(match.group(1))).forEach(used::add);
        }
        used.addAll(optionsThatTheLauncherTells("jcstress"));
        used.removeAll(known);
        assertEquals(Set.of(), used);
    }

    @Test
    void shouldListEveryCommandInTheHelpOfTheLauncher() throws Exception {
        final Set<String> helped = HELPED.matcher(usage()).results().map(match -> match.group(1))
            .filter(command -> !Set.of("help", "version").contains(command))
            .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(optionsOfCommands().keySet(), helped);
        for (final String command : List.of("jmh", "jcstress")) {
            final List<String> row = DocsTest.rows(PAGE, "command").stream()
                .filter(cells -> DocsTest.codes(cells.getFirst()).contains(command)).findFirst().orElseThrow();
            final String pageTells = command.equals("jmh") ? "JMH's own" : "jcstress's own";
            assertTrue(row.get(2).startsWith(pageTells), row::toString);
            assertEquals(Set.of("-l"), optionsThatTheLauncherTells(command), command);
        }
    }

    private static Set<String> optionsThatTheLauncherTells(final String command) throws Exception {
        final String line = usage().lines().filter(text -> text.startsWith("  " + command + " ")).findFirst()
            .orElseThrow(() -> new AssertionError("no help: " + command));
        return shortOptions(line).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String usage() throws Exception {
        final String help = run(ROOT.resolve("sluice"), "help");
        return help.substring(0, help.indexOf("Environment:"));
    }

    private static Map<String, Set<String>> optionsOfCommands() throws IOException {
        final Map<String, Set<String>> options = new TreeMap<>();
        SluiceCommand.commandLine().getSubcommands().forEach((name, command) -> options.put(name, own(command)));
        for (final Map.Entry<String, List<String>> command : SOURCES.entrySet()) {
            final Set<String> found = new TreeSet<>();
            for (final String source : command.getValue()) {
                OPTION_OF_CODE.matcher(Files.readString(ROOT.resolve(source))).results()
                    .map(match -> match.group(1)).forEach(found::add);
            }
            options.put(command.getKey(), found);
        }
        final String launcher = Files.readString(ROOT.resolve("sluice"));
        assertTrue(launcher.contains("= --planted-bugs ]"), "an option of the launcher itself");
        options.get("simulate").add("--planted-bugs");
        assertTrue(launcher.contains("= --verbs ]"), "an option of the launcher itself");
        assertTrue(launcher.contains("= --artifacts ]"), "an option of the launcher itself");
        options.put("test", Set.of("--verbs", "--artifacts"));
        options.put("install", Set.of());
        options.put("lab", cases(ROOT.resolve("native/lab/run")));
        options.put("site", cases(ROOT.resolve("docs/site/build")));
        WITHOUT_OPTIONS.forEach(command -> options.put(command, Set.of()));
        final Set<String> launched = CASE_OF_LAUNCHER.matcher(launcher).results()
            .flatMap(match -> Stream.of(match.group(1).split(" \\| ")))
            .filter(command -> !command.startsWith("-") && !command.matches("help.*|version.*|class-path"))
            .collect(Collectors.toCollection(TreeSet::new));
        launched.addAll(List.of("bench ring", "bench drain", "bench downcalls", "bench embed", "bench start"));
        assertEquals(launched, options.keySet());
        return options;
    }

    private static Set<String> own(final CommandLine command) {
        return command.getCommandSpec().optionsMap().keySet().stream()
            .filter(option -> option.startsWith("--") && !STANDARD.contains(option))
            .filter(option -> !command.getCommandSpec().findOption(option).hidden())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Options of a script: the patterns of its branches. */
    private static Set<String> cases(final Path script) throws IOException {
        return Files.readAllLines(script).stream().filter(line -> line.matches(" +('' \\| |-h \\| )?--[a-z-]+\\).*"))
            .flatMap(line -> optionsOf(line.substring(0, line.indexOf(')'))).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> optionsOf(final String text) {
        return OPTION.matcher(text).results().map(MatchResult::group)
            .filter(option -> !STANDARD.contains(option)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Scripts of the lab that people call: those that say how. */
    private static Set<String> scriptsForPeople() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("native/lab"))) {
            final Set<String> scripts = new TreeSet<>();
            for (final Path file : files.filter(Files::isRegularFile).filter(Files::isExecutable).toList()) {
                if (Files.readString(file).contains("-h | --help)")) {
                    scripts.add(ROOT.relativize(file).toString());
                }
            }
            return scripts;
        }
    }

    /** Rows of the page: name, and its options. */
    private static Map<String, Set<String>> listed(final String heading) throws IOException {
        final Map<String, Set<String>> listed = new TreeMap<>();
        for (final List<String> row : DocsTest.rows(PAGE, heading)) {
            final Set<String> options = optionsOf(row.get(2));
            if (row.get(2).contains(OF_LAB)) {
                options.add(OF_LAB);
            }
            final boolean isForeign = WITHOUT_OPTIONS.contains(DocsTest.codes(row.getFirst()).getFirst());
            listed.put(DocsTest.codes(row.getFirst()).getFirst(), isForeign ? Set.of() : options);
        }
        return listed;
    }

    /** The output of a script that must end well. */
    private static String run(final Path script, final String... arguments) throws Exception {
        final List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(Arrays.asList(arguments));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + ": " + output);
        return output;
    }
}
