package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The values that a context has: a setter makes a new one that differs in one setting. */
class ContextValuesTest {
    static Stream<Object> values() {
        return Stream.of(new LinkOptions(), new Timeouts(), new EvictionOptions(), new Quotas());
    }

    private static List<Method> setters(final Object value) {
        return Arrays.stream(value.getClass().getMethods())
            .filter(method -> method.getReturnType() == value.getClass() && method.getParameterCount() == 1).toList();
    }

    private static Object with(final Object value, final Method setter, final int number)
        throws ReflectiveOperationException {
        final boolean isInt = setter.getParameterTypes()[0] == int.class;
        return setter.invoke(value, isInt ? (Object) number : (Object) (long) number);
    }

    private static Map<String, Integer> settings(final Object value) throws ReflectiveOperationException {
        final Map<String, Integer> settings = new TreeMap<>();
        for (final Method setter : setters(value)) {
            final Object number = value.getClass().getMethod(setter.getName()).invoke(value);
            settings.put(setter.getName(), ((Number) number).intValue());
        }
        return settings;
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldChangeOneSettingAndKeepTheOthers(final Object defaults) throws ReflectiveOperationException {
        final Map<String, Integer> expected = settings(defaults);
        Object value = defaults;
        for (int round = 1; round <= 2; round++) {
            for (final Method setter : setters(defaults)) {
                final int number = 1000 * round + expected.keySet().stream().toList().indexOf(setter.getName());
                value = with(value, setter, number);
                expected.put(setter.getName(), number);
                assertEquals(expected, settings(value), setter.getName());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldLeaveAValueAsItIs(final Object value) throws ReflectiveOperationException {
        final Map<String, Integer> before = settings(value);
        for (final Method setter : setters(value)) {
            with(value, setter, 7);
        }
        assertEquals(before, settings(value));
    }

    @Test
    void shouldHaveTheValueThatWasSet() {
        final Timeouts timeouts = new Timeouts().lingerTimeoutNs(Configuration.TIMEOUT_MIN_NS);
        assertEquals(timeouts, new Context().timeouts(timeouts).timeouts());
        final LinkOptions links = new LinkOptions().receiveDepth(512);
        assertEquals(links, new Context().links(links).links());
        final EvictionOptions eviction = new EvictionOptions().evictBehindPercent(50);
        assertEquals(eviction, new Context().eviction(eviction).eviction());
        final Quotas quotas = new Quotas().linksPerHost(3);
        assertEquals(quotas, new Context().quotas(quotas).quotas());
    }

    @Test
    void shouldRefuseNoValue() {
        final Context context = new Context();
        assertThrows(NullPointerException.class, () -> context.timeouts(null));
        assertThrows(NullPointerException.class, () -> context.links(null));
        assertThrows(NullPointerException.class, () -> context.eviction(null));
        assertThrows(NullPointerException.class, () -> context.quotas(null));
        assertThrows(NullPointerException.class, () -> context.pollers(null));
    }
}
