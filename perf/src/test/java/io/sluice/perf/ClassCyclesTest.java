package io.sluice.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** No class is understood before all that it needs are: cycles are short, so that a reader has few in mind at once. */
class ClassCyclesTest {
    private static final int LIMIT = 6;
    /**
     * Cycles that are longer today, by their package, with the number of their classes: the only table. Whoever
     * shortens one changes its row, and takes it out at {@value #LIMIT}; no row is added.
     */
    private static final Map<String, Integer> KNOWN = new TreeMap<>(Map.of(
        "io.sluice.verbs.rdma", 32));

    @Test
    void shouldHaveNoLongerCycleThanKnown() {
        final Map<String, Integer> found = new TreeMap<>();
        for (final Set<String> cycle : ClassCycles.largerThan(ProductClasses.ALL, LIMIT)) {
            final String first = cycle.iterator().next();
            found.merge(first.substring(0, first.lastIndexOf('.')), cycle.size(), Integer::sum);
        }
        assertEquals(KNOWN, found, () -> "classes of each: " + ClassCycles.largerThan(ProductClasses.ALL, LIMIT));
    }

    @Test
    void shouldFindACycleOfTwo() {
        final JavaClasses planted = new ClassFileImporter().importClasses(
            ClassCyclesTest.class, ClassCyclesNeighbour.class);

        final List<Set<String>> cycles = ClassCycles.largerThan(planted, 1);

        assertEquals(
            List.of(Set.of(ClassCyclesTest.class.getName(), ClassCyclesNeighbour.class.getName())), cycles);
    }

    @Test
    void shouldFindNoCycleWhereOneClassNeedsAnother() {
        final JavaClasses planted = new ClassFileImporter().importClasses(ClassCyclesTest.class, ClassCycles.class);

        assertEquals(List.of(), ClassCycles.largerThan(planted, 1));
    }
}
