package io.sluice.transport.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.kit.Checkout;
import io.sluice.transport.kit.GuidePage;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.SettingDescriptor;
import org.junit.jupiter.api.Test;

/** The page and the profile have all events, as their classes are. */
class FlightRecorderPageTest {
    private static final String PREFIX = "io.sluice.";
    private static final List<String> SETTINGS = List.of("enabled", "threshold", "throttle");

    private static final List<String> OF_THE_RECORDER = List.of("startTime", "duration", "eventThread", "stackTrace");

    private final GuidePage page = new GuidePage("flight-recorder.md");

    private static List<Class<? extends TransportEvent>> classes() throws IOException, URISyntaxException {
        final Path folder = Path.of(
                FlightEvents.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve(FlightEvents.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith("Event.class"))
                .<Class<? extends TransportEvent>>map(FlightRecorderPageTest::load)
                .filter(type -> !Modifier.isAbstract(type.getModifiers())).toList();
        }
    }

    private static Class<? extends TransportEvent> load(final String file) {
        try {
            return Class.forName(FlightEvents.class.getPackageName() + "." + file.replace(".class", ""))
                .asSubclass(TransportEvent.class);
        } catch (final ClassNotFoundException ex) {
            throw new AssertionError(ex);
        }
    }

    /** The recorder itself adds fields to a class. */
    private static String fields(final Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).filter(field -> field.isAnnotationPresent(Label.class))
            .map(field -> "`" + field.getName() + "`").collect(Collectors.joining(" "));
    }

    private static String row(final Class<? extends TransportEvent> type) {
        final String of = LinkEvent.class.isAssignableFrom(type) ? "of a link, "
            : StreamEvent.class.isAssignableFrom(type) ? "of a stream, " : "";
        return EventType.getEventType(type).getDescription() + " | " + of + fields(type);
    }

    @Test
    void shouldHaveEachEventWithItsFieldsOnThePage() throws Exception {
        final Map<String, String> expected = new TreeMap<>();
        for (final Class<? extends TransportEvent> type : classes()) {
            expected.put("`" + EventType.getEventType(type).getName().substring(PREFIX.length()) + "`", row(type));
        }
        final Map<String, String> told = new TreeMap<>();
        page.rows("event").forEach(row -> told.put(row.getFirst(), row.get(1) + " | " + row.get(2)));
        assertEquals(expected, told);
    }

    @Test
    void shouldHaveTheFieldsOfAllOnThePage() {
        final Map<String, String> told = new TreeMap<>();
        page.rows("fields of").forEach(row -> told.put(row.getFirst(),
            GuidePage.codes(row.get(1)).stream().map(name -> "`" + name + "`").collect(Collectors.joining(" "))));
        assertEquals(Map.of("every event", fields(TransportEvent.class), "a stream", fields(StreamEvent.class),
            "a link", fields(LinkEvent.class)), told);
    }

    @Test
    void shouldHaveEachEventAsItsClassSetsItInTheProfile() throws Exception {
        final Map<String, String> expected = new TreeMap<>();
        for (final Class<? extends TransportEvent> type : classes()) {
            final EventType event = EventType.getEventType(type);
            event.getSettingDescriptors().stream().filter(setting -> isTold(type, setting))
                .forEach(setting -> expected.put(event.getName() + "#" + setting.getName(),
                    setting.getDefaultValue()));
        }
        assertEquals(expected, new TreeMap<>(profile().getSettings()));
    }

    /** A threshold says something of an event that lasts, a throttle of one that others cause. */
    private static boolean isTold(final Class<?> type, final SettingDescriptor setting) {
        return SETTINGS.contains(setting.getName()) && switch (setting.getName()) {
            case "threshold" -> type == SlowHandlerEvent.class;
            case "throttle" -> type == PeerRefusedEvent.class;
            default -> true;
        };
    }

    private static Configuration profile() throws IOException, ParseException {
        return Configuration.create(Checkout.root().resolve("docs/ops/sluice.jfc"));
    }

    @Test
    void shouldSayForPeopleWhatEachEventAndFieldIs() throws Exception {
        for (final Class<? extends TransportEvent> type : classes()) {
            final EventType event = EventType.getEventType(type);
            assertEquals("Sluice", event.getCategoryNames().getFirst(), event.getName());
            assertEquals(event.getName().substring(PREFIX.length()) + "Event", type.getSimpleName());
            assertTrue(event.getSettingDescriptors().stream()
                .noneMatch(setting -> setting.getName().equals("stackTrace")
                    && setting.getDefaultValue().equals("true")), event.getName());
            event.getFields().stream().filter(field -> !OF_THE_RECORDER.contains(field.getName())).forEach(field ->
                assertTrue(field.getLabel() != null && field.getDescription() != null,
                    () -> type + " " + field.getName()));
        }
    }
}
