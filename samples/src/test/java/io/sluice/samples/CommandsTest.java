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
        Pattern.compile("(?<![\\w./-])((?:native/lab|transport|\\.ci)/[a-z-]+)(?![\\w/.-])([^`\\n|]*)");
    private static final Pattern CASE_OF_LAUNCHER = Pattern.compile("(?m)^ {4}([a-z][a-z |-]*)\\)$");
    /** A command that the help of a script speaks of. */
    private static final Pattern OTHER_COMMAND = Pattern.compile("\\./sluice [a-z]+\\s+--[a-z-]+");
    /** Every command has it, and the page says so once. */
    private static final Set<String> STANDARD = Set.of("--help", "--version");
    /** Commands without a page of options, or that other programs define. */
    private static final Set<String> WITHOUT_OPTIONS = Set.of("test", "jmh", "jcstress");

    /** Commands of other modules, whose classes are not on this one's path: where their options stand. */
    private static final Map<String, List<String>> SOURCES = Map.of(
        "bench", List.of("perf/src/main/java/io/sluice/perf/BenchCommand.java",
            "perf/src/main/java/io/sluice/perf/RunOptions.java"),
        "bench ring", List.of("perf/src/main/java/io/sluice/perf/RingCommand.java",
            "perf/src/main/java/io/sluice/perf/RunOptions.java"),
        "bench drain", List.of("perf/src/main/java/io/sluice/perf/DrainCommand.java"),
        "bench downcalls", List.of("perf/src/main/java/io/sluice/perf/DowncallsCommand.java"),
        "soak", List.of("transport/src/test/java/io/sluice/transport/soak/SoakCommand.java"),
        "simulate", List.of("transport/src/test/java/io/sluice/transport/simulation/SimulateCommand.java"));

    /** Options in the pages that are those of the JVM, of containers and of the programs in the lab. */
    private static final Set<String> FOREIGN = Set.of("--add-opens", "--enable-native-access",
        "--illegal-native-access", "--sun-misc-unsafe-memory-access", "--ulimit", "--shm-size", "--device",
        "--cpuset-cpus", "--directory", "--back");

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

    /** Those that need no build: the launcher's usage, the lab's and the site's. */
    @Test
    void shouldHelpThroughTheLauncher() throws Exception {
        final Path launcher = ROOT.resolve("sluice");
        assertTrue(run(launcher, "help").startsWith("Usage: ./sluice COMMAND"));
        assertTrue(run(launcher, "lab", "--help").startsWith("Usage: native/lab/run"));
        assertTrue(run(launcher, "site", "--help").startsWith("Usage: ./sluice site"));
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
        options.put("lab", cases(ROOT.resolve("native/lab/run")));
        options.put("site", cases(ROOT.resolve("docs/site/build")));
        WITHOUT_OPTIONS.forEach(command -> options.put(command, Set.of()));
        final Set<String> launched = CASE_OF_LAUNCHER.matcher(launcher).results()
            .flatMap(match -> Stream.of(match.group(1).split(" \\| ")))
            .filter(command -> !command.startsWith("-") && !command.matches("help.*|version.*"))
            .collect(Collectors.toCollection(TreeSet::new));
        launched.addAll(List.of("bench ring", "bench drain", "bench downcalls"));
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

    /** What a script prints that must end well. */
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
