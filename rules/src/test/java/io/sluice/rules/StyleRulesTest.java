package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the house that Checkstyle holds finds a planted violation: the configuration is that of the build. */
class StyleRulesTest {
    private static final Path CONFIGURATION = Path.of("../.config/checkstyle.xml");
    private static final String MAIN = "src/main/java";
    private static final String TEST = "src/test/java";
    private static final String INNOCENT = """
        package io.sluice.planted;

        /** A planted class. Nobody runs it. */
        public final class Planted {
            private Planted() {
            }

            /**
             * Add two numbers. It wraps.
             *
             * @param left  What is added to.
             * @param right What is added.
             * @return These two.
             */
            public static int add(final int left, final int right) {
                // An overflow wraps.
                return left + right;
            }
        }
        """;
    private static final String BODY = "        return left + right;\n";
    private static final String METHOD_COMMENT = "     * Add two numbers. It wraps.\n";
    private static final String CLASS_COMMENT = "/** A planted class. Nobody runs it. */\n";
    // in two parts, since the rule holds for this test as well
    private static final String UNNAMED = "/*" + "* What is planted. */\n";

    @TempDir
    Path module;

    @ParameterizedTest
    @ValueSource(strings = {
        "What", "Who", "Whom", "Whose", "It", "It's", "Its", "They", "Nobody", "Both", "Likewise", "The same", "These",
        "Those", "That", "This is", "This one", "There", "Once", "Also", "And", "Or", "Not", "Of", "For", "With", "As",
        "By", "Nothing", "Said", "Held", "Told", "Written", "Counted", "Seen", "Kept", "Copied", "Guarded", "Entered",
        "If", "Through", "Whenever", "Since", "Up to", "Whether it"})
    void shouldRefuseAFirstSentenceThatDoesNotNameItsSubject(final String opening) throws Exception {
        assertEquals(List.of("JavadocFirstWords"),
            violated(MAIN, replaced(CLASS_COMMENT, "/** " + opening + " is planted. */\n")));
        assertEquals(List.of("JavadocFirstWords"),
            violated(MAIN, replaced(METHOD_COMMENT, "     * " + opening + " is planted.\n")));
        assertEquals(List.of("JavadocFirstWords"),
            violated(MAIN, replaced(METHOD_COMMENT, "     * " + opening.replace(" ", "\n     * ") + "\n     * is.\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "what", "who", "whom", "whose", "it", "its", "they", "nobody", "both", "likewise", "the same", "these", "those",
        "that", "this is", "this one", "there", "once", "also", "and", "or", "not", "of", "for", "with", "as", "by",
        "nothing", "said", "held", "told", "written", "counted", "if", "up to", "whether it", "What"})
    void shouldRefuseAReturnThatDoesNotNameItsSubject(final String opening) throws Exception {
        assertEquals(List.of("JavadocFirstWords"),
            violated(MAIN, replaced(METHOD_COMMENT, "     * {@return " + opening + " is planted}\n")));
        assertEquals(List.of("JavadocFirstWords"),
            violated(MAIN, replaced(METHOD_COMMENT, "     * {@return\n     * " + opening + "\n     * is planted}\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Whole numbers", "Items", "The sameness of two", "This thread's time", "Seeds", "Ifs", "Uptime", "Throughput",
        "Howls", "Nulls", "Inputs", "On-heap bytes", "In-flight writes", "Beforehand", "Callers", "Onlookers",
        "Notes that all is planted", "Orders", "Androids", "Thatched", "Offers", "Forms",
        "Within a row", "Assets", "Bytes", "Whether items are planted", "Whether the class is planted"})
    void shouldLetAFirstSentencePassThatOnlyBeginsAlike(final String opening) throws Exception {
        assertEquals(List.of(), violated(MAIN, replaced(METHOD_COMMENT, "     * " + opening + ".\n")));
        assertEquals(List.of(), violated(MAIN, replaced(
            METHOD_COMMENT, "     * {@return " + opening.toLowerCase(Locale.ROOT) + "}\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"this", "whether the class is planted", "the number that was planted"})
    void shouldLetAReturnPassThatNamesItsSubject(final String value) throws Exception {
        assertEquals(List.of(), violated(MAIN, replaced(METHOD_COMMENT, "     * {@return " + value + "}\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Where", "Wherever", "How", "When", "Why", "Which", "Whichever", "Whatever", "Whoever", "Null", "Called",
        "Until", "While", "After", "Before", "From", "In", "On", "Without", "Behind", "Unlike", "Only", "Never"})
    void shouldRefuseAQuestionOrACircumstance(final String opening) throws Exception {
        final String sentence = replaced(METHOD_COMMENT, "     * " + opening + "\n     * it is planted.\n");

        assertEquals(List.of("JavadocSubject"), violated(MAIN, sentence));
        assertEquals(List.of("JavadocSubject"), violated(MAIN, replaced(
            METHOD_COMMENT, "     * {@return " + opening.toLowerCase(Locale.ROOT) + " it is planted}\n")));
        assertEquals(List.of("JavadocSubject"), violated(TEST, sentence));
    }

    @Test
    void shouldTellHowAFirstSentenceBegins() throws Exception {
        final List<AuditEvent> events = audit(MAIN, replaced(CLASS_COMMENT, UNNAMED));

        assertEquals(
            List.of("3: Name the subject: begin the first sentence, or what an inline return tag says, with a verb or a"
                + " noun phrase, not with What, Who, Whom, Whose, It, Its, They, Nobody, Both, Likewise, The same,"
                + " These, Those, That, This is, This one, There, Once, Also, And, Or, Not, Of, For, With, As, By,"
                + " Nothing, Said, Held, Told, Written, Counted, Seen, Kept, Copied, Guarded, Entered, If, Through,"
                + " Whenever, Since, Up to or Whether it."),
            events.stream().map(event -> event.getLine() + ": " + event.getMessage()).toList());
    }

    @Test
    void shouldLetInnocentCodePass() throws Exception {
        assertEquals(List.of(), violated(MAIN, INNOCENT));
    }

    @Test
    void shouldRefuseAFirstSentenceOfATestThatDoesNotNameItsSubject() throws Exception {
        assertEquals(List.of("JavadocFirstWords"), violated(TEST, replaced(CLASS_COMMENT, UNNAMED)));
    }

    @Test
    void shouldRefuseEachViolationOfARuleOfTheHouse() throws Exception {
        final Map<String, String> planted = new TreeMap<>(Map.of(
            "FileLength", INNOCENT + "// A line.\n".repeat(700),
            "MethodLength", replaced(BODY, "        // A line.\n".repeat(40) + BODY),
            "LineLength", replaced(BODY, "        // " + "x".repeat(110) + "\n" + BODY),
            "FileTabCharacter", replaced(BODY, "        //\tA line.\n" + BODY),
            "TrailingSpace", replaced(BODY, "        // A line. \n" + BODY),
            "ConsoleOutput", replaced(BODY, "        System.out.println();\n" + BODY),
            // in two parts here and below, since the rule holds for this test as well
            "DefaultLocale", replaced(BODY, "        String" + ".format(\"%d\", left);\n" + BODY),
            "MissingJavadocType", replaced(CLASS_COMMENT, "")));
        planted.putAll(Map.of(
            "MissingJavadocMethod", INNOCENT.replaceFirst("(?s)    /\\*\\*.*?\\*/\n", ""),
            "TypeNameSaysNothing", replaced(BODY, BODY + "    }\n\n    private static final class PlantedUtil {\n"),
            "FinalParameters", replaced("final int left", "int left"),
            "FinalLocalVariable", replaced(BODY, "        int sum = left + right;\n        return sum;\n"),
            "TodoComment", replaced(BODY, "        // TO" + "DO later\n" + BODY),
            "AvoidStarImport", replaced(CLASS_COMMENT, "import java.util.*;\n\n" + CLASS_COMMENT),
            "EmptyCatchBlock", replaced(
                BODY, "        try {\n            left.x();\n        } catch (final Error e) {\n        }\n" + BODY),
            "NeedBraces", replaced(BODY, "        if (left == 0)\n            return right;\n" + BODY)));
        for (final Map.Entry<String, String> one : planted.entrySet()) {
            assertEquals(List.of(one.getKey()), violated(MAIN, one.getValue()), one.getValue());
        }
    }

    private static String replaced(final String part, final String other) {
        final String result = INNOCENT.replace(part, other);
        if (result.equals(INNOCENT)) {
            throw new IllegalArgumentException("the innocent class lacks: " + part);
        }
        return result;
    }

    /** Ids of the rules, or names of those without one, that a class breaks. */
    private List<String> violated(final String folder, final String source) throws IOException, CheckstyleException {
        return audit(folder, source).stream().map(StyleRulesTest::rule).toList();
    }

    private static String rule(final AuditEvent event) {
        final String name = event.getSourceName();
        return event.getModuleId() != null
            ? event.getModuleId() : name.substring(name.lastIndexOf('.') + 1).replaceFirst("Check$", "");
    }

    private List<AuditEvent> audit(final String folder, final String source) throws IOException, CheckstyleException {
        final Path directory = Files.createDirectories(module.resolve(folder).resolve("io/sluice/planted"));
        Files.writeString(directory.resolve("package-info.java"),
            "/** A package of planted classes. */\npackage io.sluice.planted;\n");
        final File planted = Files.writeString(directory.resolve("Planted.java"), source).toFile();
        final Checker checker = new Checker();
        try {
            final Listener listener = new Listener();
            checker.setModuleClassLoader(Checker.class.getClassLoader());
            checker.configure(ConfigurationLoader.loadConfiguration(
                CONFIGURATION.toString(), new PropertiesExpander(new Properties())));
            checker.addListener(listener);
            checker.process(List.of(directory.resolve("package-info.java").toFile(), planted));
            return listener.events;
        } finally {
            checker.destroy();
        }
    }

    /** Keeps what Checkstyle tells. */
    private static final class Listener implements AuditListener {
        private final List<AuditEvent> events = new ArrayList<>();

        @Override
        public void auditStarted(final AuditEvent event) {
            // told of nothing yet
        }

        @Override
        public void auditFinished(final AuditEvent event) {
            // all was told
        }

        @Override
        public void fileStarted(final AuditEvent event) {
            // told of nothing yet
        }

        @Override
        public void fileFinished(final AuditEvent event) {
            // all was told
        }

        @Override
        public void addError(final AuditEvent event) {
            events.add(event);
        }

        @Override
        public void addException(final AuditEvent event, final Throwable throwable) {
            throw new AssertionError(event.getFileName(), throwable);
        }
    }
}
