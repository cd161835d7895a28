package io.sluice.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table of states in a Javadoc comment, and the picture that stands in the same comment. A row has a state, what
 * moves it, the states that may follow, and the thread. The first row is the state that all begins with; behind a final
 * state stands a dash, or it has no row.
 *
 * @param picture with arrows between states; empty when there is none.
 * @param rows    cells of each row, without tags.
 */
record StateTable(String picture, List<List<String>> rows) {
    /** The sign between two states, in a picture and in a step of {@link StateCode}. */
    static final String ARROW = " → ";
    /** Cells of a row that says which states may follow. */
    static final int CELLS = 4;
    private static final String NONE = "–";
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/");
    private static final Pattern TABLE = Pattern.compile("(?s)<table>.*?</table>");
    private static final Pattern PICTURE = Pattern.compile("(?s)<pre>(.*?)</pre>");
    private static final Pattern ROW = Pattern.compile("(?s)<tr>(.*?)</tr>");
    private static final Pattern CELL = Pattern.compile("(?s)<td>(.*?)</td>");
    private static final String STATE = "[A-Z][A-Z_]+";
    private static final Pattern STEP =
        Pattern.compile("(?<![\\w])(" + STATE + ") *(?:─+(?:[^─→\n]*─+)?)?→ *(?=(" + STATE + ")\\b)");
    private static final Pattern ANY = Pattern.compile("\\bany\\b[^→\n]*→ *(" + STATE + ")");

    /** {@return the tables of a source that tell of states and threads, which their captions say} */
    static List<StateTable> of(final String source) {
        final List<StateTable> found = new ArrayList<>();
        COMMENT.matcher(source).results().map(comment -> comment.group().replaceAll("(?m)^ *\\*/? ?", ""))
            .forEach(comment -> TABLE.matcher(comment).results().map(MatchResult::group)
                .filter(table -> table.contains("<caption>") && table.contains(" thread"))
                .forEach(table -> found.add(new StateTable(picture(comment), rows(table)))));
        return found;
    }

    private static String picture(final String comment) {
        final Matcher matcher = PICTURE.matcher(comment);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static List<List<String>> rows(final String table) {
        return ROW.matcher(table).results().map(row -> CELL.matcher(row.group(1)).results()
            .map(cell -> cell.group(1).replaceAll("\\s+", " ").trim()).toList()).toList();
    }

    List<String> states() {
        return rows.stream().map(List::getFirst).toList();
    }

    /** {@return the threads that are named, without what is said of them in brackets} */
    Set<String> threads() {
        final Set<String> threads = new TreeSet<>();
        rows.forEach(row -> threads.addAll(
            Arrays.asList(row.getLast().replaceAll(" *\\([^)]*\\)", "").split(", "))));
        return threads;
    }

    /** {@return the steps that the table has; the first state comes out of ""} */
    Set<String> steps() {
        final Set<String> steps = new LinkedHashSet<>(List.of(ARROW + rows.getFirst().getFirst()));
        for (final List<String> row : rows) {
            if (row.size() == CELLS && !row.get(2).equals(NONE)) {
                Arrays.stream(row.get(2).split(", ")).forEach(next -> steps.add(row.getFirst() + ARROW + next));
            }
        }
        return steps;
    }

    /**
     * Compares the table with the code.
     *
     * @param constants of the enum.
     * @param made      steps that the code can make, and methods that make them: see {@link StateCode}.
     * @return each way in which they differ, for people; empty when all is well.
     */
    List<String> contradictions(final Collection<String> constants, final Map<String, Set<String>> made) {
        final List<String> found = new ArrayList<>();
        final Set<String> steps = steps();
        rows.stream().filter(row -> row.size() != CELLS).forEach(row -> found.add("not four cells: " + row));
        made.keySet().stream().filter(step -> !steps.contains(step))
            .forEach(step -> found.add("not in the table: " + step + " by " + made.get(step)));
        steps.stream().filter(step -> !made.containsKey(step))
            .forEach(step -> found.add("not in the code: " + step));
        constants.stream().filter(one -> !states().contains(one) && steps.stream().noneMatch(
            step -> step.endsWith(ARROW + one))).forEach(one -> found.add("nowhere in the table: " + one));
        found.addAll(contradictions(picture, constants));
        return found;
    }

    /** {@return steps of a picture that the table lacks, and states that the picture lacks} */
    List<String> contradictions(final String other, final Collection<String> constants) {
        final List<String> found = new ArrayList<>();
        final Set<String> steps = steps();
        final Set<String> drawn = new LinkedHashSet<>();
        STEP.matcher(other).results().forEach(step -> drawn.add(step.group(1) + ARROW + step.group(2)));
        ANY.matcher(other).results().map(any -> any.group(1)).forEach(target -> states().stream()
            .filter(state -> !state.equals(target) && steps.stream().anyMatch(step -> step.startsWith(state + ARROW)))
            .forEach(state -> drawn.add(state + ARROW + target)));
        drawn.stream().filter(step -> !steps.contains(step))
            .forEach(step -> found.add("in the picture, and not in the table: " + step));
        if (!other.isBlank()) {
            constants.stream().filter(one -> !Pattern.compile("\\b" + one + "\\b").matcher(other).find())
                .forEach(one -> found.add("not in the picture: " + one));
        }
        return found;
    }
}
