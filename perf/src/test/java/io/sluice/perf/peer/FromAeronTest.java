package io.sluice.perf.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page for those who come from Aeron names every public method of both APIs, and no other.
 */
class FromAeronTest {
    private static final Path PAGE = Path.of("../docs/guide/from-aeron.md");
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    @ParameterizedTest
    @ValueSource(strings = {
        "Publication and ExclusivePublication", "Subscription", "Image", "Header and BufferClaim", "Client"})
    void shouldNameEveryMethodOfBoth(final String heading) throws IOException {
        assertEquals(methods(aeron(heading)), named(heading, 0), "of Aeron");
        assertEquals(methods(sluice(heading)), named(heading, 1), "of Sluice");
    }

    private static List<Class<?>> aeron(final String heading) {
        return switch (heading) {
            case "Subscription" -> List.of(io.aeron.Subscription.class);
            case "Image" -> List.of(io.aeron.Image.class);
            case "Header and BufferClaim" ->
                List.of(io.aeron.logbuffer.Header.class, io.aeron.logbuffer.BufferClaim.class);
            case "Client" -> List.of(io.aeron.Aeron.class);
            default -> List.of(io.aeron.Publication.class, io.aeron.ExclusivePublication.class);
        };
    }

    private static List<Class<?>> sluice(final String heading) {
        return switch (heading) {
            case "Subscription" -> List.of(Subscription.class);
            case "Image" -> List.of(Image.class);
            case "Header and BufferClaim" -> List.of(Header.class, BufferClaim.class);
            case "Client" -> List.of(Transport.class);
            default -> List.of(Publication.class, ExclusivePublication.class);
        };
    }

    private static Set<String> methods(final List<Class<?>> types) {
        final Set<String> names = new TreeSet<>();
        for (final Class<?> type : types) {
            Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName).forEach(names::add);
        }
        return names;
    }

    private static Set<String> named(final String heading, final int column) throws IOException {
        final Set<String> names = new TreeSet<>();
        final String page = Files.readString(PAGE);
        final String section = page.substring(page.indexOf("\n## " + heading + "\n")).substring(1).split("\n## ")[0];
        section.lines().filter(line -> line.startsWith("| `") || line.startsWith("| |"))
            .map(line -> line.substring(1).split("\\|", -1)[column])
            .forEach(cell -> CODE.matcher(cell).results().forEach(name -> names.add(name.group(1))));
        return names;
    }
}
