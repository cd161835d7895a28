package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No class is understood before all that it needs are: cycles are short, so that a reader has few in mind at once. */
class ClassCyclesTest {
    private static final int LIMIT = 6;

    @Test
    void shouldHaveNoLongerCycle() {
        assertEquals(List.of(), ClassCycles.largerThan(ProductClasses.ALL, LIMIT));
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
