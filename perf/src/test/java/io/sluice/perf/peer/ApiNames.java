package io.sluice.perf.peer;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names of types and members as pages write them, looked up by reflection. Stateless; any thread. */
final class ApiNames {
    /** A type, one of its members, or a member alone, perhaps with arguments. */
    private static final Pattern NAME = Pattern.compile("([A-Z]\\w*(?:\\.[A-Z]\\w*)*)?\\.?(\\w+)?(?:\\([\\w.]*\\))?");

    private ApiNames() {
    }

    /**
     * Whether a name is that of a type of some packages, of a public member of one, or of one of some types.
     *
     * @param name     as in {@code Type}, {@code Outer.Inner}, {@code Type.member(arguments)}, {@code member()}.
     * @param packages in which types are looked for, in this order.
     * @param types    whose members may stand alone.
     * @return false for anything else.
     */
    static boolean has(final String name, final List<String> packages, final List<Class<?>> types) {
        final Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return false;
        }
        if (matcher.group(1) == null) {
            return types.stream().anyMatch(type -> hasMember(type, matcher.group(2)));
        }
        // A constant looks like a type, and the last part of a name may be either.
        if (matcher.group(2) == null) {
            return types(packages, matcher.group(1)).findAny().isPresent()
                || types.stream().anyMatch(type -> hasMember(type, matcher.group(1)))
                || isConstantOfAType(packages, matcher.group(1));
        }
        return types(packages, matcher.group(1)).anyMatch(type -> hasMember(type, matcher.group(2)));
    }

    private static boolean isConstantOfAType(final List<String> packages, final String name) {
        final int dot = name.lastIndexOf('.');
        return dot > 0
            && types(packages, name.substring(0, dot)).anyMatch(type -> hasMember(type, name.substring(dot + 1)));
    }

    private static Stream<Class<?>> types(final List<String> packages, final String name) {
        final List<Class<?>> found = new ArrayList<>();
        for (final String candidate : packages) {
            try {
                found.add(Class.forName(candidate + "." + name.replace('.', '$')));
            } catch (final ClassNotFoundException e) {
                // It may be in the next one.
            }
        }
        return found.stream().filter(type -> Modifier.isPublic(type.getModifiers()));
    }

    private static boolean hasMember(final Class<?> type, final String name) {
        return Stream.of(type.getMethods()).map(Method::getName).anyMatch(name::equals)
            || Stream.of(type.getFields()).map(Field::getName).anyMatch(name::equals);
    }

    /** Values of the constants of texts of some types that begin so or whose name ends so. */
    static Set<String> texts(final String nameEnd, final String valueBegin, final Class<?>... types) {
        final Set<String> texts = new TreeSet<>();
        for (final Class<?> type : types) {
            for (final Field field : type.getFields()) {
                if (field.getType() == String.class && field.getName().endsWith(nameEnd)) {
                    texts.add((String) value(field));
                }
            }
        }
        texts.removeIf(text -> !text.startsWith(valueBegin));
        return texts;
    }

    static Object value(final Field field) {
        try {
            return field.get(null);
        } catch (final IllegalAccessException e) {
            throw new IllegalStateException(field.toString(), e);
        }
    }
}
