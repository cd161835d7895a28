package io.sluice.verbs.foreign;

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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** jextract leaves out in silence what it cannot bind: every name asked for must be in its output. */
class GeneratedBindingsTest {
    private static Set<String> methodsOf(final Class<?> type) {
        return Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"function", "struct", "union", "typedef", "constant"})
    void shouldHaveBeenAskedForEachNameOnce(final String kind) {
        for (final GeneratedBindings bindings : GeneratedBindings.values()) {
            final List<String> names = bindings.names(kind);

            assertEquals(new TreeSet<>(names).size(), names.size(), "a name is listed twice");
        }
    }

    @Test
    void shouldHaveBeenAskedForEveryKind() {
        for (final String kind : List.of("function", "struct", "union", "typedef", "constant")) {
            assertTrue(!GeneratedBindings.RDMA.names(kind).isEmpty(), kind);
        }
        for (final String kind : List.of("function", "struct", "constant")) {
            assertTrue(!GeneratedBindings.RPMA.names(kind).isEmpty(), kind);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveEveryFunctionAskedFor(final GeneratedBindings bindings) {
        final Set<String> missing = new TreeSet<>(
            bindings.names("function").stream().map(name -> name + "$descriptor").toList());
        missing.removeAll(methodsOf(bindings.functions()));

        assertEquals(Set.of(), missing);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveEveryConstantAskedFor(final GeneratedBindings bindings) {
        final Set<String> missing = new TreeSet<>(bindings.names("constant"));
        missing.removeAll(methodsOf(bindings.constants()));

        assertEquals(Set.of(), missing);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveEveryTypeAskedFor(final GeneratedBindings bindings) throws NoSuchMethodException {
        for (final String name : bindings.types().toList()) {
            assertNotNull(bindings.type(name).getMethod("layout"), name);
        }
    }
}
