package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.status.ErrorKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every message that users meet stands in a page that tells what it means and what to do. */
class MessagesTest {
    private static final Path ROOT = Path.of("..");
    /** Fewer words of meaning stand in several messages. */
    private static final int MIN_CONTENT = 3;
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");
    /** A text that a script fails with, or writes after its name. */
    private static final Pattern MESSAGE_OF_SCRIPT =
        Pattern.compile("\\bfail \"([^\"]+)\"|echo \"[a-z-]+: ([^\"]+)\" >&2");
    private static final Pattern SHELL_VALUE =
        Pattern.compile("\\$\\{[^}]*\\}|\\$\\(\\([^)]*\\)\\)|\\$[A-Za-z_]+|\\$[0-9*@?#]");
    /** Names of values tell what follows, not what is wrong. */
    private static final Pattern VALUE = Pattern.compile("[A-Za-z_.]+=");
    /** Words that any message may have. */
    private static final Set<String> COMMON = Set.of("and", "any", "are", "but", "cannot", "for", "from", "had", "has",
        "have", "its", "more", "most", "must", "not", "one", "that", "the", "there", "this", "than", "was", "with");

    @Test
    void shouldExplainEveryMessage() throws IOException {
        final List<String> explained = explained("message");
        final List<String> ofDevices = explained("message of a device");
        final Map<String, Path> messages = SourceMessages.of(sources());
        assertTrue(messages.size() > 300, () -> "messages of the code: " + messages.size());
        assertEquals(List.of(), messages.entrySet().stream()
            .filter(message -> explained.stream().noneMatch(text -> explains(text, message.getKey())))
            .filter(message -> !isOfDevice(message.getValue())
                || ofDevices.stream().noneMatch(text -> explains(text, message.getKey())))
            .map(message -> message.getValue().getFileName() + ": " + message.getKey()).toList());
    }

    @Test
    void shouldSeeTextsThatReachAnExceptionByWayOfAMethod() throws IOException {
        final Set<String> texts = SourceMessages.of(sources()).keySet();
        assertTrue(texts.contains("fc=max takes no options"), "a parameter");
        assertTrue(texts.stream().anyMatch(text -> text.startsWith("subscriber lost before it had")), "through two");
        assertFalse(texts.contains("ibv_create_qp"), "the name of a call");
    }

    @Test
    void shouldExplainOnlyMessagesThatTheCodeTells() throws IOException {
        final Set<String> texts = SourceMessages.texts(sources());
        final List<String> explained = explained("message");
        explained.addAll(explained("message of a device"));
        assertEquals(List.of(), explained.stream()
            .filter(text -> texts.stream().noneMatch(told -> explains(text, told))).toList());
    }

    @Test
    void shouldExplainEveryMessageOfTheScripts() throws IOException {
        final List<String> explained = explained("message of a script");
        final Set<String> told = messagesOfScripts();
        assertTrue(told.stream().anyMatch(message -> message.startsWith("no JDK …")), told::toString);
        assertTrue(told.contains("unknown command: …"), told::toString);
        assertEquals(List.of(), told.stream()
            .filter(message -> explained.stream().noneMatch(text -> explains(text, message))).toList());
        assertEquals(List.of(), explained.stream()
            .filter(text -> told.stream().noneMatch(message -> explains(text, message))).toList());
    }

    /** Arguments of the function that fails, and lines that begin with the name of the script. */
    private static Set<String> messagesOfScripts() throws IOException {
        final List<Path> scripts = new ArrayList<>(Stream.of("sluice", "docs/site/build", ".ci/run",
            ".ci/test", ".ci/verbs", ".ci/artifacts", ".ci/release", "samples/tools/src/main/tar/bin/sluice",
            "transport/tests/simulation/planted-bugs")
            .map(ROOT::resolve).toList());
        try (Stream<Path> files = Files.list(ROOT.resolve("native/lab"))) {
            files.filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)).forEach(scripts::add);
        }
        final Set<String> messages = new TreeSet<>();
        for (final Path script : scripts) {
            // The guest's own failures are the lab's, inside the machine.
            if (!Set.of("guest", "init", "image", "classes").contains(script.getFileName().toString())) {
                MESSAGE_OF_SCRIPT.matcher(Files.readString(script).replaceAll("\\\\\n|\" \\\\\n *\"", " ")).results()
                    .map(match -> match.group(1) != null ? match.group(1) : match.group(2))
                    .map(text -> SHELL_VALUE.matcher(text).replaceAll("…"))
                    .filter(text -> WORD.matcher(text).find()).forEach(messages::add);
            }
        }
        return messages;
    }

    @Test
    void shouldTakeNoFragmentForAMessage() {
        final String message = "device … was removed or is broken: nothing can be made on it before it is back";
        assertFalse(explains("device …", message), "a name");
        assertFalse(explains(" was removed", message), "a word of many messages");
        assertFalse(explains("nothing can be made before it is back", message), "other words");
        assertTrue(explains("nothing can be made on it before", message), "words of this one");
        assertTrue(explains("… must be below …", "cpu=… must be below …"), "all its words");
        assertFalse(explains("must be", "cpu=… must be below …"), "some of its words");
    }

    @Test
    void shouldExplainEveryReason() throws IOException {
        final Set<String> reasons = new TreeSet<>();
        for (final Enum<?>[] all : List.of(BreakReason.values(), GoodbyeReason.values(), RefuseReason.values())) {
            Arrays.stream(all).map(Enum::name).filter(name -> !name.equals("NULL_VAL")).forEach(reasons::add);
        }
        assertEquals(reasons, new TreeSet<>(explained("reason")));
    }

    @Test
    void shouldExplainEveryKindOfError() throws IOException {
        assertEquals(Arrays.stream(ErrorKind.values()).map(Enum::name).sorted().toList(),
            explained("kind").stream().sorted().toList());
    }

    private static List<String> explained(final String heading) throws IOException {
        final List<String> texts = new ArrayList<>();
        for (final Path page : DocsTest.pagesOfMessages()) {
            DocsTest.rowsIfAny(page, heading).forEach(row -> texts.addAll(DocsTest.codes(row.getFirst())));
        }
        return texts;
    }

    /** Whether a text is that of a message, or has enough of its words to tell it from others. */
    private static boolean explains(final String text, final String message) {
        return isIn(text, message) && (content(text).size() >= MIN_CONTENT
            || isSame(words(text), words(message)) || isSame(words(unnamed(text)), words(unnamed(message))));
    }

    private static boolean isSame(final List<String> text, final List<String> message) {
        return text.size() >= SourceMessages.MIN_WORDS && text.equals(message);
    }

    private static List<String> content(final String text) {
        return words(unnamed(text)).stream()
            .filter(word -> word.length() > 2 && !COMMON.contains(word)).distinct().toList();
    }

    private static List<String> words(final String text) {
        return WORD.matcher(text).results().map(MatchResult::group).toList();
    }

    private static String unnamed(final String text) {
        return VALUE.matcher(text).replaceAll("");
    }

    /** Whether a message has the fixed parts of a text, in their order. */
    private static boolean isIn(final String text, final String message) {
        int from = 0;
        for (final String part : text.split("…")) {
            final int at = message.indexOf(part.trim(), from);
            if (at < 0) {
                return false;
            }
            from = at + part.trim().length();
        }
        return true;
    }

    private static boolean isOfDevice(final Path file) {
        return file.toString().contains("/io/sluice/verbs/") || file.toString().contains("/io/sluice/rpma/");
    }

    private static List<Path> sources() throws IOException {
        final List<Path> sources = new ArrayList<>();
        for (final String module : List.of("native", "codec", "transport", "metrics")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                sources.addAll(files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/generated/")).collect(Collectors.toList()));
            }
        }
        return sources;
    }
}
