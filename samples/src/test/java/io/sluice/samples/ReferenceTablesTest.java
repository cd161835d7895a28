package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Configuration;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of constants that people look up: each constant has its row with its value, and each row its constant. */
class ReferenceTablesTest {
    private static final Path GUIDE = Path.of("../docs/guide");
    private static final Path STATUS = Path.of("../transport/src/main/java/io/sluice/transport/status");
    /** A constant of an enum, its documentation before it. */
    private static final Pattern CONSTANT = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s+[A-Z_0-9]+\\(([^)]*)\\)",
        Pattern.DOTALL);
    /** A word that is called the default, behind it or before it. */
    private static final Pattern DEFAULT = Pattern.compile(
        "`([a-z=-]+)`(?:,? \\(?(?:is )?the default\\b| \\(default\\))|(?i:by default) \\(?`([a-z=-]+)`");

    @Test
    void shouldListEveryCounterWithItsTypeAndMeaning() throws IOException {
        final Map<String, String> meanings = new HashMap<>();
        meanings.putAll(meanings("CounterType.java"));
        meanings.putAll(meanings("TransportCounter.java"));
        final Set<String> expected = new TreeSet<>();
        for (final TransportCounter counter : TransportCounter.values()) {
            expected.add(counter.label() + " | " + meanings.get(counter.label()));
        }
        for (final CounterType type : CounterType.values()) {
            if (type != CounterType.TRANSPORT) {
                expected.add(type.label() + " | " + type.typeId() + " | " + meanings.get(type.label()));
            }
        }
        final Set<String> listed = new TreeSet<>();
        for (final String page : List.of("counters.md", "latency.md")) {
            for (final List<String> row : DocsTest.rows(GUIDE.resolve(page), "counter")) {
                listed.add(String.join(" | ", row).replace("`", ""));
            }
        }
        assertEquals(List.of(), expected.stream().filter(row -> !listed.contains(row)).toList(), "of the code alone");
        assertEquals(List.of(), listed.stream().filter(row -> !expected.contains(row)).toList(), "of the page alone");
    }

    /** The meanings that the documentation of an enum's constants gives, by the name in labels. */
    private static Map<String, String> meanings(final String file) throws IOException {
        final Map<String, String> meanings = new HashMap<>();
        final Matcher constants = CONSTANT.matcher(Files.readString(STATUS.resolve(file)));
        while (constants.find()) {
            final List<String> labels = Pattern.compile("\"([a-z0-9.-]+)\"").matcher(constants.group(2)).results()
                .map(label -> label.group(1)).toList();
            assertEquals(1, labels.size(), constants.group(2));
            meanings.put(labels.getFirst(), constants.group(1).replaceAll("\\s*\\n\\s*\\*\\s*", " ")
                .replaceAll("\\{@link (\\w+)}", "$1").strip().replaceFirst("\\.$", ""));
        }
        return meanings;
    }

    @Test
    void shouldListEveryReturnCodeWithItsValue() throws ReflectiveOperationException, IOException {
        final Map<String, Long> expected = new TreeMap<>();
        for (final Class<?> type : List.of(Publication.class, ExclusivePublication.class, BufferClaim.class)) {
            for (final Field field : type.getDeclaredFields()) {
                final boolean isCode = Modifier.isStatic(field.getModifiers())
                    && Modifier.isPublic(field.getModifiers()) && field.getType() == long.class;
                if (isCode && field.getLong(null) < 0) {
                    expected.put(field.getName(), field.getLong(null));
                }
            }
        }
        assertTrue(expected.containsKey("BACK_PRESSURED"), () -> "codes found: " + expected);
        final Map<String, Long> listed = new TreeMap<>();
        for (final List<String> row : DocsTest.rows(GUIDE.resolve("back-pressure.md"), "value")) {
            DocsTest.codes(row.get(1)).forEach(name -> listed.put(name, Long.valueOf(row.getFirst())));
        }
        assertEquals(expected, listed);
    }

    @Test
    void shouldListEveryStateAndCauseOfBackPressure() throws IOException {
        final Path page = GUIDE.resolve("back-pressure.md");
        assertEquals(namesOf(PressureState.values()), firstCodes(page, "state"));
        final Set<String> causes = namesOf(BackPressureCause.values());
        causes.remove(BackPressureCause.NONE.name());
        assertEquals(causes, firstCodes(page, "cause"));
        final List<String> unknown = new ArrayList<>();
        for (final List<String> row : DocsTest.rows(page, "state")) {
            row.stream().skip(1).flatMap(cell -> DocsTest.codes(cell).stream())
                .filter(name -> !causes.contains(name)).forEach(unknown::add);
        }
        assertEquals(List.of(), unknown);
    }

    /** The variables of the launcher's usage with the words that it explains, and the one that the transport reads. */
    @Test
    void shouldListEveryVariableAndItsWords() throws IOException {
        final String launcher = Files.readString(Path.of("../sluice"));
        final String usage = launcher.substring(launcher.indexOf("\nEnvironment:\n"), launcher.indexOf("\nUSAGE\n"));
        final Map<String, String> texts = new TreeMap<>();
        final Matcher variables = Pattern.compile("(?s) (SLUICE_[A-Z_]+)(.*?)(?= SLUICE_[A-Z]|$)").matcher(usage);
        while (variables.find()) {
            texts.put(variables.group(1), variables.group(2));
        }
        final Set<String> listed = new TreeSet<>();
        for (final List<String> row : DocsTest.rows(GUIDE.resolve("configuration.md"), "variable")) {
            final String name = DocsTest.codes(row.getFirst()).getFirst();
            listed.add(name);
            for (final String word : DocsTest.codes(row.get(1))) {
                assertTrue(word.startsWith("./") || texts.get(name).contains(word), () -> name + "=" + word);
                assertEquals(row.get(1).contains("`" + word + "` (the default)"),
                    Pattern.compile("\\b" + word + " \\(the default").matcher(texts.get(name)).find(), word);
            }
        }
        final Set<String> expected = new TreeSet<>(texts.keySet());
        expected.add(Configuration.PRE_SHARED_KEY_VARIABLE);
        assertEquals(expected, listed);
    }

    /** A value that other pages call a default is one in the two references, which are compared with the code. */
    @Test
    void shouldCallADefaultOnlyWhatTheReferencesDo() throws IOException {
        final Map<String, String> ofKeys = new TreeMap<>();
        final Set<String> words = new TreeSet<>();
        for (final List<String> row : DocsTest.rows(GUIDE.resolve("channels.md"), "key")) {
            DocsTest.codes(row.get(2)).stream().findFirst().ifPresent(word -> {
                ofKeys.put(DocsTest.codes(row.getFirst()).getFirst(), word);
                words.add(word);
            });
        }
        for (final Class<?> type : DocsTest.CONFIGURED) {
            final String heading = "`" + type.getSimpleName() + "`";
            for (final List<String> row : DocsTest.rows(GUIDE.resolve("configuration.md"), heading)) {
                DocsTest.codes(row.get(2)).stream().findFirst().ifPresent(words::add);
            }
        }
        final List<String> wrong = new ArrayList<>();
        int found = 0;
        for (final Path page : Pages.below(GUIDE)) {
            final Matcher defaults = DEFAULT.matcher(
                Files.readString(page).replaceAll("(?s)## Launcher\n.*?(?=\n## |$)", ""));
            while (defaults.find()) {
                found++;
                final String word = defaults.group(1) == null ? defaults.group(2) : defaults.group(1);
                final String[] pair = word.split("=");
                if (pair.length == 2 ? !pair[1].equals(ofKeys.get(pair[0])) : !words.contains(pair[0])) {
                    wrong.add(page.getFileName() + ": " + defaults.group());
                }
            }
        }
        final int defaults = found;
        assertTrue(defaults > 5, () -> "defaults found: " + defaults);
        assertEquals(List.of(), wrong);
    }

    private static Set<String> namesOf(final Enum<?>... constants) {
        return Arrays.stream(constants).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> firstCodes(final Path page, final String heading) throws IOException {
        final Set<String> names = new TreeSet<>();
        for (final List<String> row : DocsTest.rows(page, heading)) {
            names.addAll(DocsTest.codes(row.getFirst()));
        }
        return names;
    }
}
