package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.status.BreakReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every message that users meet stands in a page that tells what it means and what to do. */
class MessagesTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void shouldExplainEveryMessage() throws IOException {
        final List<String> explained = explained("message");
        final List<String> ofDevices = explained("message of a device");
        final Map<String, Path> messages = SourceMessages.of(sources());
        assertTrue(messages.size() > 300, () -> "messages of the code: " + messages.size());
        assertEquals(List.of(), messages.entrySet().stream()
            .filter(message -> explained.stream().noneMatch(text -> isIn(text, message.getKey())))
            .filter(message -> !isOfDevice(message.getValue())
                || ofDevices.stream().noneMatch(text -> isIn(text, message.getKey())))
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
    void shouldExplainEveryReason() throws IOException {
        final Set<String> reasons = new TreeSet<>();
        for (final Enum<?>[] all : List.of(BreakReason.values(), GoodbyeReason.values(), RefuseReason.values())) {
            Arrays.stream(all).map(Enum::name).filter(name -> !name.equals("NULL_VAL")).forEach(reasons::add);
        }
        assertEquals(reasons, new TreeSet<>(explained("reason")));
    }

    private static List<String> explained(final String heading) throws IOException {
        final List<String> texts = new ArrayList<>();
        for (final Path page : DocsTest.pagesOfMessages()) {
            DocsTest.rowsIfAny(page, heading).forEach(row -> texts.addAll(DocsTest.codes(row.getFirst())));
        }
        return texts;
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
        for (final String module : List.of("native", "codec", "transport")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                sources.addAll(files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/generated/")).collect(Collectors.toList()));
            }
        }
        return sources;
    }
}
