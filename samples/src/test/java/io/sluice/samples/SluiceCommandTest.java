package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SluiceCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"ping-pong", "ping", "pong", "publish", "subscribe", "market-data"})
    void shouldHelpWithEveryCommand(final String command) {
        assertEquals(0, execute(command, "--help"));
        assertTrue(out.toString().startsWith("Usage: sluice " + command + " "), out::toString);
        assertTrue(out.toString().contains("--channel=URI"), out::toString);
        final String channel = command.endsWith("ng")
            ? EndpointOptions.DEFAULT_CHANNEL : StreamOptions.DEFAULT_CHANNEL;
        assertTrue(out.toString().contains(channel + "\n"), out::toString);
        assertEquals("", err.toString());
    }

    @Test
    void shouldListTheCommands() {
        assertEquals(0, execute("--help"));
        for (String command : List.of(
            "ping-pong", "ping", "pong", "publish", "subscribe", "market-data", "stat", "errors", "backlog",
            "devices", "doctor", "rpma-ping-pong")) {
            assertTrue(out.toString().contains("\n  " + command + " "), out::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "ping-pong ", "ping ", "pong ", "publish ", "subscribe ", "market-data ", "stat ", "errors ", "backlog ",
        "devices ", "doctor ", "rpma-ping-pong "})
    void shouldTellTheVersion(final String command) {
        assertEquals(0, execute((command + "--version").split(" ")));
        assertTrue(out.toString().matches("(?s)sluice \\d+\\.\\d+\\..*"), out::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ping-pong --messages 0           | sluice ping-pong: Invalid value for option '--messages': '0' is not from 1",
        "ping-pong --messages -5          | '--messages': '-5'",
        "ping-pong --messages 1000000001  | '--messages': '1000000001'",
        "ping-pong --messages many        | '--messages': 'many'",
        "ping --message-length 15         | sluice ping: Invalid value for option '--message-length': '15'",
        "ping --message-length 1048576    | '--message-length': '1048576'",
        "ping-pong --warmup -1            | '--warmup': '-1'",
        "ping-pong --rate -1              | '--rate': '-1'",
        "ping-pong --rate 1.5             | '--rate': '1.5'",
        "ping --timeout 0                 | '--timeout': '0'",
        "ping --stream 2147483647         | '--stream': '2147483647'",
        "ping-pong --messages 99999999999999999999 | '--messages': '99999999999999999999' is not from 1",
        "ping --warmup 99999999999        | '--warmup': '99999999999' is not from 0 to",
        "stat --session 99999999999       | '--session': '99999999999' is not from -2147483648 to 2147483647",
        "market-data --seed 99999999999999999999 | is not from -9223372036854775808 to 9223372036854775807",
        "rpma-ping-pong --address 10.0.0.1 --port 99999999999 | '--port': '99999999999' is not from 1 to 65535",
        "pong --stream x                  | sluice pong: Invalid value for option '--stream': 'x'",
        "ping-pong --histogram /no/folder | '--histogram': '/no/folder'",
        "ping-pong --histogram /          | '--histogram': '/'",
        "ping-pong --ping-core 8191       | '--ping-core': '8191'",
        "pong --pong-core -1              | '--pong-core': '-1'",
        "pong --pong-core 0 --no-pin      | '--pong-core': '0' contradicts --no-pin",
        "ping --channel aeron:ipc         | '--channel': 'aeron:ipc'",
        "pong --channel sluice:ipc?x=1    | '--channel': 'sluice:ipc?x=1'",
        "ping-pong --channel sluice:ipc?window=5k | '--channel': 'sluice:ipc?window=5k'",
        "ping-pong --chanel x             | Unknown options: '--chanel', 'x'",
        "ping --channel sluice:rdma?endpoint=10.0.0.1:1 | '--pong-channel': 'sluice:rdma?endpoint=10.0.0.1:1' must be",
        "pong --pong-channel aeron:ipc    | '--pong-channel': 'aeron:ipc'",
        "ping-pong --channel              | Missing required parameter for option '--channel'",
        "publish --publishers 0           | '--publishers': '0' is not from 1 to 64",
        "publish --message-length 7       | '--message-length': '7'",
        "publish --message-length 1048576 | '--message-length': '1048576'",
        "publish --rate -1                | '--rate': '-1'",
        "publish --messages -1            | '--messages': '-1'",
        "publish --channel aeron:ipc      | sluice publish: Invalid value for option '--channel': 'aeron:ipc'",
        "subscribe --subscribers 65       | '--subscribers': '65'",
        "subscribe --stream x             | sluice subscribe: Invalid value for option '--stream': 'x'",
        "market-data --instruments 0      | '--instruments': '0' is not from 1 to 1000",
        "market-data --rate -1            | '--rate': '-1'",
        "market-data --show 1001          | '--show': '1001'",
        "market-data --seconds -1         | '--seconds': '-1'",
        "market-data --seed x             | sluice market-data: Invalid value for option '--seed': 'x'",
        "market-data --channel aeron:ipc  | '--channel': 'aeron:ipc'",
        "devices --cq x                   | sluice devices: Invalid value for option '--cq'",
        "rpma-ping-pong                   | sluice rpma-ping-pong: Missing required option: '--address=ADDRESS'",
        "rpma-ping-pong --address 10.0.0.1 --port 0      | '--port': '0' is not from 1 to 65535",
        "rpma-ping-pong --address 10.0.0.1 --message-length 1048577 | '--message-length': '1048577'",
        "rpma-ping-pong --address 10.0.0.1 --mode x      | '--mode'",
        "rpma-ping-pong --address 10.0.0.1 --ping --pong | '--ping': 'true' contradicts --pong",
        "rpma-ping-pong --address 10.0.0.1 --ping-core 0 --no-pin | '--ping-core': '0' contradicts --no-pin",
        "doctor --fix                     | Unknown option: '--fix'",
        "ping extra                       | Unmatched argument at index 1: 'extra'",
        "pang                             | sluice: Unmatched argument at index 0: 'pang'"})
    void shouldTellAMistakeInOneLine(final String arguments, final String expected, @TempDir final Path folder) {
        final String before = System.setProperty("sluice.dir", folder.toString());
        try {
            assertEquals(2, execute(arguments.trim().split(" ")));
        } finally {
            restore(before);
        }
        final List<String> lines = new ArrayList<>(err.toString().lines().toList());
        assertEquals(1, lines.size(), err::toString);
        assertTrue(lines.getFirst().contains(expected), err::toString);
        assertEquals("", out.toString());
    }

    private static void restore(final String directory) {
        if (directory == null) {
            System.clearProperty("sluice.dir");
        } else {
            System.setProperty("sluice.dir", directory);
        }
    }

    @Test
    void shouldAskForACommand() {
        assertEquals(2, execute());
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().contains("ping-pong"), err::toString);
    }

    /**
     * The address is of a network that is for documentation only, so that no machine has it. Libraries may be missing,
     * too.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", " --ping", " --pong", " --mode event --ring"})
    void shouldSayInOneLineWhyThereIsNoPingPongOverLibrpma(final String options) {
        assertEquals(1, execute(("rpma-ping-pong --address 192.0.2.1" + options).split(" ")));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().startsWith("sluice rpma-ping-pong: "), err::toString);
        assertTrue(err.toString().matches("(?s).*(192\\.0\\.2\\.1|install|Linux).*"), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void shouldRefuseToSpinTwiceOnOneCore() {
        final Cores cores = Cores.ofThisProcess();
        assumeTrue(cores.canSpin(), "two processors");
        final String core = Integer.toString(cores.defaultPingCore());
        assertEquals(2, execute("ping-pong", "--ping-core", core, "--pong-core", core));
        assertTrue(err.toString().contains("'--pong-core': '" + core + "' is ping's core too"), err::toString);
    }

    /** The launcher is a script at the root of the project; the tests run in the folder of their module. */
    @Test
    void shouldBeReachedThroughTheLauncherWithEveryCommand() throws IOException {
        final List<String> launched = Files.readAllLines(Path.of("..", "sluice")).stream()
            .filter(line -> line.strip().startsWith("ping-pong | ") && line.endsWith(")"))
            .flatMap(line -> Stream.of(line.strip().replace(")", "").split(" \\| "))).sorted().toList();
        assertEquals(SluiceCommand.commandLine().getSubcommands().keySet().stream().sorted().toList(), launched);
    }

    /** Commands run as in the one jar, where no launcher knows them. */
    @ParameterizedTest
    @ValueSource(strings = {"help", "help stat", "version"})
    void shouldKnowTheWordsOfTheLauncher(final String arguments) {
        assertEquals(0, execute(arguments.split(" ")), err::toString);
        final String expected = arguments.equals("help") ? "Usage: sluice [-hV] COMMAND"
            : arguments.equals("version") ? "sluice " : "Usage: sluice stat ";
        assertTrue(out.toString().startsWith(expected), out::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " quick --peers tcp", " --help"})
    void shouldSayThatACommandNeedsACheckout(final String arguments) {
        for (final String command : SluiceCommand.OF_CHECKOUT) {
            err.getBuffer().setLength(0);
            assertEquals(2, execute((command + arguments).split(" ")));
            assertEquals("sluice: " + command + " needs the sources of Sluice: call ./sluice " + command
                + " in a checkout\n", err.toString());
            err.getBuffer().setLength(0);
            assertEquals(2, execute("help", command));
            assertTrue(err.toString().startsWith("sluice: " + command + " needs the sources"), err::toString);
        }
        assertEquals("", out.toString());
    }

    /** The jar knows commands of two kinds: those that it has, and those that it says it lacks. */
    @Test
    void shouldKnowEveryCommandOfTheLauncher() throws IOException {
        final Set<String> known = new TreeSet<>(SluiceCommand.commandLine().getSubcommands().keySet());
        known.addAll(SluiceCommand.OF_CHECKOUT);
        known.addAll(List.of("help", "version"));
        final Set<String> launched = Pattern.compile("(?m)^  ([a-z][a-z-]*)(?: .*)?$")
            .matcher(Files.readString(Path.of("..", "sluice"))).results().map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(launched, known);
    }

    /** The page that lies beside the one jar. */
    @Test
    void shouldTellOfEveryCommandBesideTheJar() throws IOException {
        final String page = Files.readString(Path.of("tools/src/main/tar/README"));
        for (final String command : SluiceCommand.commandLine().getSubcommands().keySet()) {
            assertTrue(Pattern.compile("(?m)^    (?:ping, )?" + command + "\\b").matcher(page).find(), command);
        }
        for (final String command : SluiceCommand.OF_CHECKOUT) {
            assertTrue(Pattern.compile("\\b" + command + "(,| and| are)").matcher(page).find(), command);
        }
    }

    private int execute(final String... arguments) {
        final CommandLine command = SluiceCommand.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return SluiceCommand.execute(command, arguments);
    }
}
