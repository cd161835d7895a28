package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.status.CounterType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counters of a program on their way to the conductor, which may not run for a while. */
class ApplicationCounterListTest {
    private static final int MANY = 3 * Configuration.COUNTERS_MAX;

    private final List<Runnable> inbox = new ArrayList<>();
    private final List<ApplicationCounter> shown = new ArrayList<>();
    private final ApplicationCounterList counters = new ApplicationCounterList(inbox::add, shown::add);

    private Counter add(final String label) {
        return counters.add(CounterType.APPLICATION_TYPE_ID_MIN, ApplicationCounterList.NO_KEY, label);
    }

    private List<String> labelsShown() {
        return shown.stream().map(ApplicationCounter::label).toList();
    }

    @Test
    void shouldLeaveOneTaskForAllThatAreAddedAndClosedBeforeTheConductorRuns() {
        for (int i = 0; i < MANY; i++) {
            add("short").close();
        }
        add("first");
        add("second");
        assertEquals(1, inbox.size());
        inbox.removeFirst().run();
        assertEquals(List.of("first", "second"), labelsShown());
    }

    @Test
    void shouldShowWhatIsAddedAfterTheConductorHasRun() {
        add("first");
        inbox.removeFirst().run();
        add("second");
        inbox.removeFirst().run();
        assertEquals(List.of("first", "second"), labelsShown());
    }
}
