package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void shouldFindACycleOfOneMoreThanTheLimit(@TempDir final Path folder) throws IOException {
        final Set<String> ring = new TreeSet<>(IntStream.range(0, 7).mapToObj(i -> "planted.Part" + i).toList());

        assertEquals(List.of(ring), ClassCycles.largerThan(ring(7, folder), LIMIT));
    }

    @Test
    void shouldLetACycleOfAsManyAsTheLimitPass(@TempDir final Path folder) throws IOException {
        assertEquals(List.of(), ClassCycles.largerThan(ring(6, folder), LIMIT));
    }

    /** Classes of which each has a field of the next one, and the last one of the first. */
    private static JavaClasses ring(final int count, final Path folder) throws IOException {
        for (int i = 0; i < count; i++) {
            final ClassDesc next = ClassDesc.of("planted.Part" + (i + 1) % count);
            ClassFile.of().buildTo(folder.resolve("Part" + i + ".class"), ClassDesc.of("planted.Part" + i),
                planted -> planted.withField("next", next, 0));
        }
        return new ClassFileImporter().importPath(folder);
    }
}
