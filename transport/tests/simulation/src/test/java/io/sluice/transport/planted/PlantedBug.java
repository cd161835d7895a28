package io.sluice.transport.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A planted bug as its file tells it: sentences for people, what it breaks, who finds it when the simulation cannot,
 * and its changes.
 * <pre>
 *   A publication has one write more in flight than it may.
 *   To a user: the link breaks under load.
 *   Kind: flow control
 *   Found-by: test io.sluice.transport.SomeTest#shouldDoThis io.sluice.transport.OtherTest
 *
 *   in OutboundLink.hasRoom
 *   - inFlight &lt; max
 *   + inFlight &lt;= max
 * </pre>
 *
 * @param name     of the file, without its ending.
 * @param mistake  that it makes.
 * @param toAUser  what a user would see of it.
 * @param kind     of mechanism that it breaks.
 * @param finders  tests, as classes or {@code class#method}; none when the simulation finds it.
 * @param changes  in this order.
 */
record PlantedBug(
    String name, String mistake, String toAUser, BugKind kind, List<String> finders, List<Change> changes) {
    static final String ENDING = ".bug";
    private static final String TO_A_USER = "To a user: ";
    private static final String KIND = "Kind: ";
    private static final String FOUND_BY = "Found-by: test ";
    private static final String IN = "in ";

    PlantedBug {
        require(!mistake.isBlank(), "says not what is wrong", name);
        require(!toAUser.isBlank(), "has no line \"" + TO_A_USER + "…\"", name);
        require(kind != null, "has no line \"" + KIND + "…\"", name);
        require(!changes.isEmpty(), "has no change", name);
    }

    private static void require(final boolean condition, final String problem, final String name) {
        if (!condition) {
            throw new IllegalArgumentException("a planted bug " + problem + ": bug=" + name);
        }
    }

    /** {@return the bugs of a folder, by name} */
    static List<PlantedBug> readAll(final Path folder) throws IOException {
        final List<PlantedBug> bugs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path file : files.sorted().toList()) {
                bugs.add(read(file));
            }
        }
        return bugs;
    }

    static PlantedBug read(final Path file) throws IOException {
        final String fileName = file.getFileName().toString();
        require(fileName.endsWith(ENDING), "has a file whose name does not end with " + ENDING, fileName);
        final String name = fileName.substring(0, fileName.length() - ENDING.length());
        try {
            return parse(name, Files.readString(file));
        } catch (final IllegalArgumentException ex) {
            throw new IllegalArgumentException(file + ": " + ex.getMessage(), ex);
        }
    }

    static PlantedBug parse(final String name, final String text) {
        final StringBuilder mistake = new StringBuilder();
        final StringBuilder toAUser = new StringBuilder();
        StringBuilder sentence = mistake;
        BugKind kind = null;
        final List<String> finders = new ArrayList<>();
        final int firstChange = ("\n" + text).indexOf("\n" + IN);
        final int header = firstChange < 0 ? text.length() : firstChange;
        for (final String line : text.substring(0, header).lines().filter(each -> !each.isBlank()).toList()) {
            if (line.startsWith(KIND)) {
                kind = BugKind.of(line.substring(KIND.length()));
            } else if (line.startsWith(FOUND_BY)) {
                finders.addAll(List.of(line.substring(FOUND_BY.length()).strip().split(" +")));
            } else {
                sentence = line.startsWith(TO_A_USER) ? toAUser : sentence;
                sentence.append(line.startsWith(TO_A_USER) ? line.substring(TO_A_USER.length()) : line).append('\n');
            }
        }
        return new PlantedBug(
            name, mistake.toString(), toAUser.toString(), kind, finders, changes(text.substring(header)));
    }

    private static List<Change> changes(final String text) {
        final List<Change> changes = new ArrayList<>();
        for (final String part : text.split("(?m)^(?=" + IN + ")")) {
            final List<String> lines = part.lines().filter(line -> !line.isBlank()).toList();
            if (!lines.isEmpty()) {
                changes.add(change(lines.getFirst().substring(IN.length()).strip(), lines.subList(1, lines.size())));
            }
        }
        return changes;
    }

    private static Change change(final String place, final List<String> lines) {
        final StringBuilder there = new StringBuilder();
        final StringBuilder instead = new StringBuilder();
        for (final String line : lines) {
            final StringBuilder side = switch (line.charAt(0)) {
                case '-' -> there;
                case '+' -> instead;
                default -> throw new IllegalArgumentException(
                    "a line of a change begins neither with - nor with +: in " + place + ": " + line);
            };
            side.append(side.isEmpty() ? "" : "\n").append(line.substring(1).replaceFirst("^ ", ""));
        }
        return new Change(place, there.toString(), instead.toString());
    }
}
