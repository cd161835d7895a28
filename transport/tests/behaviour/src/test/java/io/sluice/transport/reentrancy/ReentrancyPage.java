package io.sluice.transport.reentrancy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page that tells of every call and place what comes of it, made of what was observed. */
final class ReentrancyPage {
    private static final String INTRODUCTION = """
        # Calls from inside callbacks

        What a call of the API does when a handler or listener makes it, by who runs the transport's agents
        (`ThreadingMode`). It is the same with shared and copied logs, and with `completion=memory` and `queue`. This
        page is written by a test, which makes every call in every place: `ReentrancyTest`.

        The rules behind it:

        - Any handler or listener may offer, claim, add, ask, and close publications and subscriptions, its own too;
          those calls never wait.
        - A call that would have to wait for the very handler that makes it, or hand its message out once more, is
          refused with `ReentrantCallException` before anything is done. That goes for `Transport.close()` in every
          handler and listener, for `doWork()` in what `doWork()` calls, and for a poll of a subscription in its own
          poll.
        - Close a transport from another thread, which waits until the handlers have returned, or after the return.
          Of a transport that is being closed already, `close()` is no more than a look: it returns.
        - A handler that must wait uses `controlledPoll` and `ABORT`. A handler of `poll` may call `doWork()`.
        - A subscription that is closed in its own handler hands out nothing more, but for the rest of a poll that is
          under way.
        - A poll belongs to one thread: handlers on a thread of the transport's cannot poll what another thread polls.
        - A handler of a `MessageDispatcher` may poll another subscription with the same dispatcher, and keeps its own
          message.
        - A close handler runs inside `close()`, at its end: nothing can be added any more.
        - A `ReservedValueSupplier` runs inside an offer, which has a claim open meanwhile: places 8 and 9 tell.

        An idle strategy of `Context.idleStrategies` runs on the thread of its agent, and closes no transport.
        What an add calls, a thread factory or a provider of devices, closes none either.

        """;

    /** Text of a cell where there is nothing to call. */
    private static final String NOTHING = "–";

    private final Map<Place, Map<Call, String>> outcomes = new EnumMap<>(Place.class);
    private final List<String> refusals = new ArrayList<>();

    /** A page of what was observed in each mode: one outcome, or two where the modes differ. */
    ReentrancyPage(final Map<Place, Map<Call, String>> dedicated, final Map<Place, Map<Call, String>> invoker) {
        for (final Place place : Place.values()) {
            final Map<Call, String> both = new EnumMap<>(Call.class);
            for (final Call call : Call.values()) {
                both.put(call, cell(dedicated.get(place).get(call), invoker.get(place).get(call)));
            }
            outcomes.put(place, both);
        }
    }

    private String cell(final String dedicated, final String invoker) {
        return dedicated.equals(invoker) ? shortly(dedicated) : shortly(dedicated) + " / " + shortly(invoker);
    }

    private String shortly(final String outcome) {
        if (outcome.isEmpty()) {
            return NOTHING;
        }
        if (!outcome.contains(": ")) {
            return outcome;
        }
        if (!refusals.contains(outcome)) {
            refusals.add(outcome);
        }
        return "**" + letter(refusals.indexOf(outcome)) + "**";
    }

    /** {@return the page, in Markdown} */
    String text() {
        final Map<Map<Call, String>, List<Place>> groups = new LinkedHashMap<>();
        outcomes.forEach((place, observed) -> groups.computeIfAbsent(observed, key -> new ArrayList<>()).add(place));
        final StringBuilder text = new StringBuilder(INTRODUCTION).append("## Places\n\n");
        int number = 0;
        for (final List<Place> places : groups.values()) {
            text.append("- **").append(++number).append("** ")
                .append(String.join("; ", places.stream().map(Place::label).toList())).append('\n');
        }
        appendCalls(text, List.copyOf(groups.keySet()));
        for (int i = 0; i < refusals.size(); i++) {
            text.append("- **").append(letter(i)).append("** throws `")
                .append(refusals.get(i).replaceFirst(": ", "`: ")).append('\n');
        }
        return text.toString();
    }

    private static void appendCalls(final StringBuilder text, final List<Map<Call, String>> columns) {
        final Map<List<String>, List<String>> rows = new LinkedHashMap<>();
        final List<String> plain = new ArrayList<>();
        for (final Call call : Call.values()) {
            final List<String> cells = columns.stream().map(column -> column.get(call)).toList();
            if (cells.stream().allMatch(ReentrancyPage::isPlain)) {
                plain.add(call.label());
            } else {
                rows.computeIfAbsent(cells, key -> new ArrayList<>()).add(call.label());
            }
        }
        text.append("\n## Calls\n\nThese work in every place:\n\n");
        plain.forEach(label -> text.append("- ").append(label).append('\n'));
        text.append("\nThe others, by the number of the place. Where the modes differ, DEDICATED comes first, then"
            + " INVOKER;\n" + NOTHING + " means that there is nothing to call.\n\n| call |");
        for (int i = 1; i <= columns.size(); i++) {
            text.append(' ').append(i).append(" |");
        }
        text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        rows.forEach((cells, labels) -> text.append("| ").append(String.join("; ", labels)).append(" | ")
            .append(String.join(" | ", cells)).append(" |\n"));
        text.append('\n');
    }

    private static boolean isPlain(final String cell) {
        return Arrays.stream(cell.split(" / ")).allMatch(
            outcome -> outcome.equals(Cells.WORKS) || outcome.equals(NOTHING));
    }

    private static String letter(final int index) {
        return String.valueOf((char) ('A' + index));
    }
}
