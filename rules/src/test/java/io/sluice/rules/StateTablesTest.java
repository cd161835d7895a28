package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables and pictures of states say what the code can do, step by step: each step of the code stands in the table of
 * its file, and each step of the table can be made. The state of a link is in a class of its own, which several parts
 * move: its enum says which steps it may take, an assertion holds that while tests run, and the enum is compared with
 * the table. Threads that are named are those of docs/architecture.md, and methods in pictures exist.
 */
class StateTablesTest {
    private static final Path TRANSPORT = Path.of("../transport/src/main/java/io/sluice/transport");
    private static final Path MAP = Path.of("../docs/architecture.md");
    /** Threads by the words that tables have for them, as the map has them. */
    private static final Map<String, String> THREADS = Map.of(
        "conductor", "`sluice-conductor`", "set-up", "`sluice-set-up`", "names", "`sluice-names`",
        "callback", "`sluice-callbacks`", "poller", "`sluice-poller-N`",
        "consumers'", "`sluice-consumer-STREAM-NAME`", "polling", "application, polling",
        "writing", "application, publishing");
    /** Names of fields that say how far something is; others note a reason, a setting or what was told. */
    private static final Set<String> FIELDS = Set.of("state", "phase");
    /** Classes whose state is what was measured last, whatever it was before. */
    private static final Set<String> MEASURED = Set.of("PressureGauge", "ConsumerProgress");
    /** Classes that have the state of a link, which is in several parts; the link's own file has the table. */
    private static final String STANDING = "Standing";
    /** States in which a method is not called, or does nothing, though it does not look itself. */
    private static final Map<String, Map<String, Set<String>>> KEPT = Map.of(
        // told by the handshake, which begins when the session is HANDSHAKING, and then while it is WAITING
        "ControlSession", Map.of("ready", Set.of("CONNECTING", "READY", "CLOSED")),
        // the begin of a cycle comes before its end, and nobody sleeps from there on
        "PollerSleep", Map.of("onCycleEnd", Set.of("SLEEPY", "SLEPT")),
        // those that were abandoned are asked; closed links alone lead to the release, which may wait for a set-up
        "SubscriptionState", Map.of("hasComeBack", Set.of("OPEN", "CLOSING", "CALLING_BACK", "RELEASED"),
            "release", Set.of("OPEN", "CLOSING", "ABANDONED")));
    private static final Pattern METHOD = Pattern.compile("\\b[a-z]+[A-Z]\\w*\\b");
    private static final String DOOR = """
        /**
         * A door.
         * <pre>
         *   SHUT ──→ OPEN ──→ SHUT      any of them ──→ GONE
         * </pre>
         * <table>
         *   <caption>What moves it, and the thread that does</caption>
         *   <tr><td>SHUT</td><td>somebody wants in</td><td>OPEN, GONE</td><td>any</td></tr>
         *   <tr><td>OPEN</td><td>a draught</td><td>SHUT, GONE</td><td>set-up (makes it), conductor</td></tr>
         *   <tr><td>GONE</td><td>nothing any more</td><td>–</td><td>conductor</td></tr>
         * </table>
         */
        """;

    @Test
    void shouldSayInTablesWhatTheCodeCanDo() throws IOException {
        final Map<String, List<String>> contradictions = new LinkedHashMap<>();
        tables().forEach((file, table) -> field(file, table).ifPresent(field ->
            contradictions.put(field.getFullName(), isStanding(field)
                ? table.contradictions(table.picture(), constants(field))
                : table.contradictions(constants(field), made(field)))));

        contradictions.values().removeIf(List::isEmpty);
        assertEquals(Map.of(), contradictions);
    }

    @Test
    void shouldSayInTablesWhichStepsTheStateOfALinkMayTake() throws Exception {
        for (final Map.Entry<Path, StateTable> each : tables().entrySet()) {
            final Optional<JavaField> field = field(each.getKey(), each.getValue()).filter(StateTablesTest::isStanding);
            if (field.isPresent()) {
                final Set<String> steps = new TreeSet<>(each.getValue().steps());
                steps.removeIf(step -> step.startsWith(StateTable.ARROW));
                assertEquals(steps, steps(load(field.get().getRawType().getName())));
            }
        }
    }

    private static Set<String> steps(final Class<?> states) throws ReflectiveOperationException {
        final Method mayBecome = states.getDeclaredMethod("mayBecome", states);
        mayBecome.setAccessible(true);
        final Set<String> steps = new TreeSet<>();
        for (final Object from : states.getEnumConstants()) {
            for (final Object to : states.getEnumConstants()) {
                if ((boolean) mayBecome.invoke(from, to)) {
                    steps.add(from + StateTable.ARROW + to);
                }
            }
        }
        return steps;
    }

    @Test
    void shouldSayInTablesWhereTheCodeMovesAStandingTo() throws IOException {
        final Map<String, Set<String>> moved = new TreeMap<>();
        final Map<String, Set<String>> told = new TreeMap<>();
        tables().forEach((file, table) -> field(file, table).filter(StateTablesTest::isStanding).ifPresent(field -> {
            final Set<String> targets = new TreeSet<>();
            table.steps().forEach(step -> targets.add(step.substring(step.indexOf(StateTable.ARROW))));
            told.put(field.getFullName(), targets);
            moved.put(field.getFullName(), targets(field));
        }));

        assertEquals(2, told.size());
        assertEquals(told, moved);
    }

    private static boolean isStanding(final JavaField field) {
        return field.getOwner().getSimpleName().endsWith(STANDING);
    }

    /** {@return arrows to the states that are set by a standing itself, or named in a line that moves one} */
    private static Set<String> targets(final JavaField field) {
        final JavaClass owner = field.getOwner();
        final Set<String> lines = new TreeSet<>();
        owner.getMethodCallsToSelf().stream().filter(call -> call.getName().equals("moveTo"))
            .forEach(call -> lines.add(call.getOriginOwner().getName() + call.getLineNumber()));
        final Set<String> setting = new TreeSet<>();
        field.getAccessesToSelf().stream().filter(access -> access.getAccessType() == AccessType.SET)
            .forEach(access -> setting.add(access.getOwner().getFullName()));
        final Set<String> targets = new TreeSet<>();
        field.getRawType().getFieldAccessesToSelf().stream()
            .filter(access -> setting.contains(access.getOrigin().getFullName())
                || lines.contains(access.getOriginOwner().getName() + access.getLineNumber()))
            .forEach(access -> targets.add(StateTable.ARROW + access.getName()));
        return targets;
    }

    private static Map<Path, StateTable> tables() throws IOException {
        final Map<Path, StateTable> tables = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(TRANSPORT)) {
            for (final Path file : files.filter(one -> one.toString().endsWith(".java")).sorted().toList()) {
                StateTable.of(Files.readString(file)).forEach(table -> tables.put(file, table));
            }
        }
        return tables;
    }

    /** The field of the file's class, or of one in it, that has the states of the table; some have names for people. */
    private static Optional<JavaField> field(final Path file, final StateTable table) {
        final String name = file.getFileName().toString().replace(".java", "");
        return stateFields().filter(one -> outermost(one.getOwner()).equals(name)
                || outermost(one.getOwner()).equals(name + STANDING))
            .filter(one -> constants(one).containsAll(table.states())).findFirst();
    }

    private static String outermost(final JavaClass one) {
        return one.getName().substring(one.getPackageName().length() + 1).replaceFirst("\\$.*", "");
    }

    private static Stream<JavaField> stateFields() {
        return ProductClasses.ALL.stream().filter(one -> one.getPackageName().startsWith("io.sluice.transport"))
            .flatMap(one -> one.getFields().stream()).filter(one -> one.getRawType().isEnum()
                && !one.getModifiers().contains(JavaModifier.STATIC)
                && !one.getModifiers().contains(JavaModifier.FINAL));
    }

    private static List<String> constants(final JavaField field) {
        return Arrays.stream(load(field.getRawType().getName()).getEnumConstants())
            .map(one -> ((Enum<?>) one).name()).toList();
    }

    private static Map<String, Set<String>> made(final JavaField field) {
        field.getAccessesToSelf().stream().filter(access -> access.getAccessType() == AccessType.SET)
            .forEach(access -> assertEquals(field.getOwner(), access.getOriginOwner(), access.getDescription()));
        final JavaClass owner = field.getOwner();
        return new StateCode(load(owner.getName()), field.getName())
            .changes(KEPT.getOrDefault(owner.getSimpleName(), Map.of()));
    }

    private static Class<?> load(final String name) {
        try {
            return Class.forName(name);
        } catch (final ClassNotFoundException ex) {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldHaveATableOfEachStateThatTheCodeMoves() throws IOException {
        final Set<String> withTable = new TreeSet<>();
        tables().forEach((file, table) ->
            field(file, table).ifPresent(field -> withTable.add(field.getFullName())));

        assertEquals(withTable, new TreeSet<>(stateFields()
            .filter(field -> FIELDS.contains(field.getName()) && !MEASURED.contains(field.getOwner().getSimpleName()))
            .map(JavaField::getFullName).toList()));
    }

    @Test
    void shouldNameThreadsOfTheMap() throws IOException {
        final String map = Files.readString(MAP);
        assertEquals(List.of(), THREADS.values().stream().filter(row -> !map.contains("\n| " + row + " |")).toList());
        final List<String> unknown = new ArrayList<>();
        tables().forEach((file, table) -> table.threads().stream()
            .filter(thread -> !thread.equals("any") && !THREADS.containsKey(thread))
            .forEach(thread -> unknown.add(file.getFileName() + ": " + thread)));

        assertEquals(List.of(), unknown);
    }

    @Test
    void shouldNameMethodsThatExist() throws IOException {
        final List<String> missing = new ArrayList<>();
        for (final Map.Entry<Path, StateTable> one : tables().entrySet()) {
            final String source = Files.readString(one.getKey());
            METHOD.matcher(one.getValue().picture()).results().map(method -> method.group())
                .filter(method -> !source.contains(" " + method + "("))
                .forEach(method -> missing.add(one.getKey().getFileName() + ": " + method));
        }

        assertEquals(List.of(), missing);
    }

    @ParameterizedTest
    @CsvSource({"stream/PublicationLink, PublicationLinkState", "stream/SubscriptionLink, SubscriptionLinkState"})
    void shouldDrawThatOnTheMap(final String file, final String type) throws IOException {
        final Path source = TRANSPORT.resolve(file + ".java");
        final StateTable table = tables().get(source);
        final Matcher picture =
            Pattern.compile("\\(`" + type + "`\\):\n\n```\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(MAP));

        assertTrue(picture.find());
        assertEquals(List.of(), table.contradictions(picture.group(1), constants(field(source, table).orElseThrow())));
    }

    @Test
    void shouldLetARightTablePass() {
        assertEquals(List.of(), contradictions(DOOR));
        assertEquals(Set.of("any", "set-up", "conductor"), StateTable.of(DOOR).getFirst().threads());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<td>SHUT, GONE | <td>SHUT | not in the table: OPEN → GONE by [remove]",
        "<td>SHUT, GONE | <td>GONE | not in the table: OPEN → SHUT by [move]",
        "<td>nothing any more</td><td>– | <td>a miracle</td><td>SHUT | not in the code: GONE → SHUT",
        "SHUT ──→ OPEN | SHUT ──→ GONE ──again──→ OPEN | in the picture, and not in the table: GONE → OPEN",
        "any of them ──→ GONE | at last | not in the picture: GONE",
        "<td>OPEN, GONE | <td>OPEN | in the picture, and not in the table: SHUT → GONE",
        "<td>OPEN, GONE</td> | '' | not four cells: [SHUT, somebody wants in, any]"})
    void shouldRefuseAWrongTable(final String part, final String other, final String contradiction) {
        final String planted = DOOR.replace(part, other);

        assertTrue(!planted.equals(DOOR), part);
        assertTrue(contradictions(planted).contains(contradiction), () -> contradictions(planted).toString());
    }

    @Test
    void shouldFollowAnExceptionToWhereItIsCaught() {
        final Set<String> steps =
            new StateCode(Hatch.class, "position").changes(Map.of("open", Set.of("OPEN", "GONE"))).keySet();

        assertEquals(Set.of(" → SHUT", "SHUT → OPEN", "OPEN → SHUT"), steps);
    }

    private static List<String> contradictions(final String source) {
        return StateTable.of(source).getFirst().contradictions(
            Arrays.stream(Door.Position.values()).map(Enum::name).toList(),
            new StateCode(Door.class, "position").changes(Map.of("open", Set.of("GONE"))));
    }

    /** A door that is opened, falls shut, and is taken away. */
    static final class Door {
        private Position position = Position.SHUT;

        /** The states of a door. */
        enum Position {
            /** A door that keeps all out. */
            SHUT,
            /** A door that lets all in. */
            OPEN,
            /** A hole in the wall. */
            GONE;

            boolean isThere() {
                return this != GONE;
            }
        }

        /** Open the door, which its caller knows to be there. */
        void open() {
            position = Position.OPEN;
        }

        Runnable later() {
            return () -> fall(position.isThere());
        }

        private void fall(final boolean isThere) {
            final boolean isOpen = position == Position.OPEN;
            for (int i = 0; i < 3 && isThere; i++) {
                switch (position) {
                    case OPEN -> move(isOpen ? Position.SHUT : Position.GONE);
                    default -> { }
                }
            }
        }

        private void move(final Position next) {
            position = next;
        }

        void remove() {
            position = Position.GONE;
        }
    }

    /** A hatch that falls shut again, since its spring is too weak. */
    static final class Hatch {
        private Door.Position position = Door.Position.SHUT;

        void open() {
            try {
                push();
            } catch (final IllegalStateException ex) {
                position = Door.Position.SHUT;
            }
        }

        private void push() {
            position = Door.Position.OPEN;
            throw new IllegalStateException("too weak");
        }
    }
}
