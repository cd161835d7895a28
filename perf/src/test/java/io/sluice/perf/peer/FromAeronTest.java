package io.sluice.perf.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.Counter;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Quotas;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The pages for those who come from Aeron name every public member of both APIs, every key of a channel and every
 * property, on its side, and nothing that is not there.
 */
class FromAeronTest {
    private static final Path GUIDE = Path.of("../docs/guide");
    private static final String NAMES = "from-aeron.md";
    private static final String SETTINGS = "from-aeron-settings.md";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

    /** A section whose table has all public members of some types in its first two columns. */
    private enum Section {
        PUBLICATIONS(NAMES, "Publication and ExclusivePublication",
            List.of(io.aeron.Publication.class, io.aeron.ExclusivePublication.class),
            List.of(Publication.class, ExclusivePublication.class)),
        SUBSCRIPTIONS(NAMES, "Subscription", List.of(io.aeron.Subscription.class), List.of(Subscription.class)),
        IMAGES(NAMES, "Image", List.of(io.aeron.Image.class), List.of(Image.class)),
        HEADERS(NAMES, "Header", List.of(io.aeron.logbuffer.Header.class), List.of(Header.class)),
        CLAIMS(NAMES, "BufferClaim", List.of(io.aeron.logbuffer.BufferClaim.class), List.of(BufferClaim.class)),
        HANDLERS(NAMES, "Handlers",
            List.of(io.aeron.logbuffer.FragmentHandler.class, io.aeron.logbuffer.ControlledFragmentHandler.class,
                io.aeron.logbuffer.ControlledFragmentHandler.Action.class, io.aeron.AvailableImageHandler.class,
                io.aeron.UnavailableImageHandler.class),
            List.of(FragmentHandler.class, ControlledFragmentHandler.class, ControlledFragmentHandler.Action.class,
                io.sluice.transport.AvailableImageHandler.class, io.sluice.transport.UnavailableImageHandler.class)),
        CLIENT(SETTINGS, "Client", List.of(Aeron.class), List.of(Transport.class)),
        COUNTERS(SETTINGS, "Counter", List.of(io.aeron.Counter.class, AtomicCounter.class), List.of(Counter.class)),
        CONTEXT(SETTINGS, "Context", List.of(Aeron.Context.class, CommonContext.class),
            List.of(Context.class, Timeouts.class, LinkOptions.class, EvictionOptions.class, Quotas.class));

        private final String page;
        private final String heading;
        private final List<Class<?>> aeron;
        private final List<Class<?>> sluice;

        Section(final String page, final String heading, final List<Class<?>> aeron, final List<Class<?>> sluice) {
            this.page = page;
            this.heading = heading;
            this.aeron = aeron;
            this.sluice = sluice;
        }
    }

    @ParameterizedTest
    @EnumSource(Section.class)
    void shouldNameEveryMemberOfBoth(final Section section) throws IOException {
        final List<List<String>> rows = rows(section.page, section.heading);
        assertEquals(members(section.aeron), named(rows, 0), "of Aeron");
        assertEquals(members(section.sluice), named(rows, 1), "of Sluice");
    }

    /** A method of the same name with other parameters is no counterpart, unless the page says so. */
    @ParameterizedTest
    @EnumSource(Section.class)
    void shouldHaveEveryFormOfAMethodOrSayWhichIsNotThere(final Section section) throws IOException {
        final List<String> missing = new ArrayList<>();
        for (final List<String> row : rows(section.page, section.heading)) {
            final Set<String> names = named(List.of(row), 0);
            names.retainAll(named(List.of(row), 1));
            for (final String name : names) {
                final Set<Integer> forms = forms(section.aeron, name);
                forms.removeAll(forms(section.sluice, name));
                forms.removeIf(count -> row.get(2).contains("none of " + count + " parameter"));
                forms.forEach(count -> missing.add(name + " " + count));
            }
        }
        assertEquals(List.of(), missing, "methods by their numbers of parameters");
    }

    private static Set<Integer> forms(final List<Class<?>> types, final String name) {
        return types.stream().flatMap(type -> Stream.of(type.getMethods()))
            .filter(method -> method.getName().equals(name)).map(Method::getParameterCount)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Methods and constants; those of the contexts as settings, not as names of properties. */
    private static Set<String> members(final List<Class<?>> types) {
        final Set<String> names = new TreeSet<>();
        for (final Class<?> type : types) {
            if (type.isEnum()) {
                Stream.of(type.getEnumConstants()).map(String::valueOf).forEach(names::add);
                continue;
            }
            Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .forEach(method -> names.add(method.getName()));
            if (type != CommonContext.class) {
                Stream.of(type.getDeclaredFields()).filter(field -> Modifier.isPublic(field.getModifiers()))
                    .forEach(field -> names.add(field.getName()));
            }
        }
        return names;
    }

    @Test
    void shouldNameEveryKeyOfAChannel() throws IOException {
        final List<List<String>> rows = rows(SETTINGS, "Keys of channels");
        assertEquals(new TreeSet<>(AeronNames.KEYS), named(rows, 0), "of Aeron");
        assertEquals(new TreeSet<>(SluiceNames.KEYS), named(rows, 1), "of Sluice");
    }

    @Test
    void shouldNameEveryPropertyOfTheClient() throws IOException {
        final List<List<String>> rows = rows(SETTINGS, "Properties");
        final Set<String> ofTheClient = AeronNames.properties(CommonContext.class, Aeron.Configuration.class);
        final Set<String> named = named(rows, 0);
        assertEquals(List.of(), ofTheClient.stream().filter(name -> !named.contains(name)).toList(), "of Aeron");
        assertEquals(SluiceNames.PROPERTIES, named(rows, 1), "of Sluice");
        final Set<String> withCounterpart = named(rows.stream().filter(row -> !row.get(1).isEmpty()).toList(), 0);
        assertEquals(List.of(), named.stream()
            .filter(name -> !ofTheClient.contains(name) && !withCounterpart.contains(name)).toList(), "of the driver");
    }

    @Test
    void shouldNameEveryTypeOfBoth() throws Exception {
        final String pages = read(NAMES) + read(SETTINGS);
        assertEquals(List.of(), Stream.concat(AeronNames.types().stream(), SluiceNames.types().stream())
            .filter(type -> !Pattern.compile("\\b" + type + "\\b").matcher(pages).find()).distinct().toList());
    }

    /** Names in any table and in the text between them are looked up. */
    @Test
    void shouldNameNothingThatIsNotThere() throws IOException {
        final List<String> unknown = new ArrayList<>();
        for (final String page : List.of(NAMES, SETTINGS)) {
            List<String> heading = List.of();
            for (final String line : read(page).lines().toList()) {
                final List<String> cells = cells(line);
                if (cells.contains("Aeron") && cells.contains("Sluice") || line.startsWith("## ")) {
                    heading = cells;
                }
                final List<String> parts = cells.isEmpty() ? List.of(line) : cells;
                for (int i = 0; i < parts.size(); i++) {
                    final String side = cells.isEmpty() || i >= heading.size() ? "" : heading.get(i);
                    codes(parts.get(i)).stream().filter(name -> !isThere(side, name))
                        .forEach(name -> unknown.add(page + " " + side + ": " + name));
                }
            }
        }
        assertEquals(List.of(), unknown);
    }

    private static boolean isThere(final String side, final String name) {
        return !side.equals("Sluice") && AeronNames.has(name) || !side.equals("Aeron") && SluiceNames.has(name);
    }

    @Test
    void shouldKnowWhatIsNotThere() {
        for (final String name : List.of("ofer", "Publication.ofer", "Publicatio", "aeron.dri", "aeron:tcp?endpoint=a",
            "LosStat", "term-lenght", "INVOCER")) {
            assertTrue(!AeronNames.has(name), name);
        }
        for (final String name : List.of("ofer", "Publication.ofer()", "Publicatio", "sluice.dri", "./sluice stats",
            "slow=evikt", "fc=maxx", "sluice:ipc?endpont=a", "sluice:tcp", "subscribers-lots", "INVOCER")) {
            assertTrue(!SluiceNames.has(name), name);
        }
    }

    @Test
    void shouldHaveTheSameReturnCodes() {
        assertEquals(io.aeron.Publication.NOT_CONNECTED, Publication.NOT_CONNECTED);
        assertEquals(io.aeron.Publication.BACK_PRESSURED, Publication.BACK_PRESSURED);
        assertEquals(io.aeron.Publication.ADMIN_ACTION, Publication.ADMIN_ACTION);
        assertEquals(io.aeron.Publication.CLOSED, Publication.CLOSED);
        assertEquals(io.aeron.Publication.MAX_POSITION_EXCEEDED, Publication.MAX_POSITION_EXCEEDED);
    }

    @Test
    void shouldLetTheLastOfEqualKeysWinInBoth() {
        assertEquals("b", io.aeron.ChannelUri.parse("aeron:ipc?alias=a|alias=b").get("alias"));
        assertTrue(SluiceNames.isChannel("sluice:ipc?window=7|window=8k"), "the last of two windows");
    }

    @Test
    void shouldHaveTheSameBounds() throws IOException {
        assertEquals(Aeron.Configuration.MAX_CLIENT_NAME_LENGTH, Configuration.CLIENT_NAME_MAX_LENGTH);
        assertTrue(read(SETTINGS).contains("at most " + Configuration.CLIENT_NAME_MAX_LENGTH + " characters"));
        final int maxMessageLength = io.aeron.logbuffer.FrameDescriptor.MAX_MESSAGE_LENGTH;
        final String bound = "min\\(term / 8, " + maxMessageLength / (1024 * 1024) + " MiB\\)";
        assertEquals(2, Pattern.compile(bound).matcher(read(NAMES)).results().count());
    }

    private static String read(final String page) throws IOException {
        return Files.readString(GUIDE.resolve(page));
    }

    /** Rows of the table of a section without its heading. */
    private static List<List<String>> rows(final String page, final String heading) throws IOException {
        final String text = read(page);
        final int begin = text.indexOf("\n## " + heading + "\n");
        assertTrue(begin >= 0, () -> page + " has no section " + heading);
        final String section = text.substring(begin + 1).split("\n## ")[0];
        return section.lines().map(FromAeronTest::cells).filter(cells -> !cells.isEmpty()).skip(2).toList();
    }

    private static List<String> cells(final String line) {
        return line.startsWith("|") && line.endsWith("|")
            ? Stream.of(line.substring(1, line.length() - 1).split("\\|", -1)).map(String::trim).toList() : List.of();
    }

    private static List<String> codes(final String cell) {
        return CODE.matcher(LINK.matcher(cell).replaceAll("$1")).results().map(code -> code.group(1)).toList();
    }

    private static Set<String> named(final List<List<String>> rows, final int column) {
        final Set<String> names = new TreeSet<>();
        rows.forEach(row -> names.addAll(codes(row.get(column))));
        return names;
    }
}
