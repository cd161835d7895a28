package io.sluice.transport.reentrancy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ThreadingMode;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.kit.Checkout;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every call of the public API from inside every callback, in both threading modes, under all logs and completions:
 * each in a process that may crash, and with a deadline. What comes of them is {@code docs/reentrancy.md}, which is
 * written anew with {@code -Dsluice.test.reentrancy.write=true}.
 */
class ReentrancyTest {
    private static final Path PAGE = Checkout.root().resolve("docs/reentrancy.md");
    private static final String WRITE = "sluice.test.reentrancy.write";
    /** The time for all calls of one place: many times what they take. */
    private static final long PLACE_DEADLINE_SECONDS = 120;
    /** The time for all of them: many times half a minute, which two processors take. */
    private static final long DEADLINE_SECONDS = 600;
    /** Children at a time: they mostly wait for their conductors. */
    private static final int CHILDREN = 3;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private final List<String> problems = new ArrayList<>();

    @Test
    @Tag("slow")
    @Timeout(DEADLINE_SECONDS)
    void shouldDoWhatThePageSaysForEveryCallInEveryPlace() throws Exception {
        TestMedium.assumeIpc();
        final Map<Column, Map<Place, Map<Call, String>>> observed = observe();
        for (final ThreadingMode mode : ThreadingMode.values()) {
            assertLogsAreAlike(mode, observed);
        }
        assertEquals(List.of(), problems);
        final String page = new ReentrancyPage(
            observed.get(Column.DEDICATED_MEMORY), observed.get(Column.INVOKER_MEMORY)).text();
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page);
        }
        assertEquals(Files.readString(PAGE), page, "written anew with -D" + WRITE + "=true: " + PAGE);
    }

    private Map<Column, Map<Place, Map<Call, String>>> observe() throws InterruptedException, ExecutionException {
        final Map<Column, Map<Place, Map<Call, String>>> observed = new EnumMap<>(Column.class);
        try (ExecutorService executor = Executors.newFixedThreadPool(CHILDREN)) {
            final Map<Column, Future<Map<Place, Map<Call, String>>>> running = new EnumMap<>(Column.class);
            for (final Column column : Column.values()) {
                final Callable<Map<Place, Map<Call, String>>> play = () -> new Player(column).play();
                running.put(column, executor.submit(play));
            }
            for (final Column column : Column.values()) {
                observed.put(column, running.get(column).get());
            }
        }
        return observed;
    }

    private void assertLogsAreAlike(
        final ThreadingMode mode, final Map<Column, Map<Place, Map<Call, String>>> observed) {
        final List<Column> columns =
            Arrays.stream(Column.values()).filter(column -> column.threadingMode() == mode).toList();
        for (final Place place : Place.values()) {
            for (final Call call : Call.values()) {
                final List<String> outcomes =
                    columns.stream().map(column -> observed.get(column).get(place).get(call)).toList();
                if (outcomes.stream().distinct().count() != 1) {
                    problem(mode + " " + place + " " + call + ": not the same under all logs: " + outcomes);
                }
            }
        }
    }

    private synchronized void problem(final String text) {
        problems.add(text);
    }

    /** Plays all places of one column, in one process as long as that lives. */
    private final class Player {
        private final Column column;
        private ChildJvm child;
        private int children;

        private Player(final Column column) {
            this.column = column;
        }

        private Map<Place, Map<Call, String>> play() {
            final Map<Place, Map<Call, String>> observed = new EnumMap<>(Place.class);
            for (final Place place : Place.values()) {
                observed.put(place, play(place));
            }
            child.close();
            return observed;
        }

        private Map<Call, String> play(final Place place) {
            if (child == null || !child.isAlive()) {
                child = fabric.startMain(
                    column + "-" + children++, CallsInCallbacks.class, "test.column=" + column);
                child.await("READY");
            }
            final Map<Call, String> outcomes = new EnumMap<>(Call.class);
            String end;
            try {
                end = decoded(child.tell(place.name()).await("PLAYED", PLACE_DEADLINE_SECONDS).text("problems"));
            } catch (final AssertionError ex) {
                // the call that has not returned is among the lines, and where its threads are
                end = (child.isAlive() ? "hangs: " : "has ended the process: ") + ex.getMessage();
                child.close();
            }
            for (Line line = child.poll("RESULT"); line != null; line = child.poll("RESULT")) {
                outcomes.put(Call.valueOf(line.text("name")), decoded(line.text("outcome")));
            }
            String last = "none";
            for (Line line = child.poll("CALL"); line != null; line = child.poll("CALL")) {
                last = line.text("name");
            }
            if (!end.isEmpty()) {
                problem(column + " " + place + " last call " + last + ": " + end);
            }
            for (final Call call : Call.values()) {
                outcomes.putIfAbsent(call, "not made");
            }
            return outcomes;
        }

        private static String decoded(final String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }
}
