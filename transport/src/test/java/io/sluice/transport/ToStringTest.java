package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts of the API's objects, as a log shows them. */
class ToStringTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final List<String> PACKAGES =
        List.of("io.sluice.transport", "io.sluice.transport.completion", "io.sluice.transport.status");

    /** All but those that have no objects. */
    @Test
    void shouldShowEveryObjectOfTheApi() throws IOException, ReflectiveOperationException {
        final List<String> silent = new ArrayList<>();
        int seen = 0;
        for (final String name : PACKAGES) {
            for (final Class<?> type : types(name)) {
                if (Modifier.isPublic(type.getModifiers()) && !type.isInterface() && hasObjects(type)) {
                    seen++;
                    if (type.getMethod("toString").getDeclaringClass() == Object.class) {
                        silent.add(type.getName());
                    }
                }
            }
        }
        assertEquals(List.of(), silent);
        assertTrue(seen > 20, "types: " + seen);
    }

    private static boolean hasObjects(final Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).anyMatch(method ->
            Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()));
    }

    private static List<Class<?>> types(final String name) throws IOException, ReflectiveOperationException {
        final List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES.resolve(name.replace('.', '/')))) {
            for (final String file : files.map(path -> path.getFileName().toString()).toList()) {
                if (file.endsWith(".java") && !file.equals("package-info.java")) {
                    final Class<?> type = Class.forName(name + "." + file.substring(0, file.indexOf('.')));
                    types.add(type);
                    types.addAll(List.of(type.getDeclaredClasses()));
                }
            }
        }
        return types;
    }

    @Test
    void shouldShowWhoIsInAGraphAndWhomTheyWaitFor() {
        final MessageEventHandler ignore = (event, sequence, endOfBatch) -> { };
        final HandlerGraph graph = new HandlerGraph().waitStrategy("yielding");
        final HandlerGraph.Group group = graph.handleEventsWith(ignore, MessageEventHandler.named("books", ignore));
        group.then(MessageEventHandler.named("journal", ignore));
        assertEquals("HandlerGraph{handlers=[0, books, journal after [0, books]] waitStrategy=yielding used=false}",
            graph.toString());
        assertEquals("Group{handlers=[0, books]}", group.toString());
    }
}
