package io.sluice.verbs;

import java.util.Arrays;
import java.util.List;

/** System properties of tests whose values are words: another word is refused, not taken for the default. Stateless. */
public final class TestProperties {
    private static final List<String> FLAGS = List.of("true", "false");

    private TestProperties() {
    }

    /**
     * A constant by its name.
     *
     * @param name         of the property.
     * @param defaultValue when it is not set.
     * @param type         of the constants.
     * @param <E>          the same.
     * @return the constant.
     * @throws IllegalArgumentException when there is no such constant; the message lists those there are.
     */
    public static <E extends Enum<E>> E word(final String name, final E defaultValue, final Class<E> type) {
        final String value = System.getProperty(name, defaultValue.name());
        return Arrays.stream(type.getEnumConstants()).filter(constant -> constant.name().equals(value)).findFirst()
            .orElseThrow(() -> unknown(name, value, Arrays.asList(type.getEnumConstants())));
    }

    /**
     * A flag, which is off by default.
     *
     * @param name of the property.
     * @return whether it is set to {@code true}.
     * @throws IllegalArgumentException when it is neither {@code true} nor {@code false}.
     */
    public static boolean flag(final String name) {
        final String value = System.getProperty(name, "false");
        if (!FLAGS.contains(value)) {
            throw unknown(name, value, FLAGS);
        }
        return Boolean.parseBoolean(value);
    }

    private static IllegalArgumentException unknown(final String name, final String value, final List<?> known) {
        return new IllegalArgumentException("unknown value: " + name + "=" + value + " known=" + known);
    }
}
