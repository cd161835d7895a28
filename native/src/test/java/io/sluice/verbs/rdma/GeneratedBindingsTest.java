package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** jextract leaves out in silence what it cannot bind: every name asked for must be in its output. */
class GeneratedBindingsTest {
    private static Set<String> methodsOf(final String className) {
        return Arrays.stream(IncludeLists.generatedClass(className).getMethods())
            .map(Method::getName).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"function", "struct", "union", "typedef", "constant"})
    void shouldHaveBeenAskedForEachNameOnce(final String kind) {
        final List<String> names = IncludeLists.names(kind);

        assertTrue(!names.isEmpty());
        assertEquals(new TreeSet<>(names).size(), names.size(), "a name is listed twice");
    }

    @Test
    void shouldHaveEveryFunctionAskedFor() {
        final Set<String> missing = new TreeSet<>(
            IncludeLists.names("function").stream().map(name -> name + "$descriptor").toList());
        missing.removeAll(methodsOf("rdma_h"));

        assertEquals(Set.of(), missing);
    }

    @Test
    void shouldHaveEveryConstantAskedFor() {
        final Set<String> missing = new TreeSet<>(IncludeLists.names("constant"));
        missing.removeAll(methodsOf("rdma_constants"));

        assertEquals(Set.of(), missing);
    }

    @Test
    void shouldHaveEveryTypeAskedFor() throws NoSuchMethodException {
        for (final String name : IncludeLists.types().toList()) {
            assertNotNull(IncludeLists.generatedClass(name).getMethod("layout"), name);
        }
    }
}
