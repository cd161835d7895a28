package io.sluice.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cycles of classes, in each of which every class needs every other one. A nested class is a part of its outer one. */
final class ClassCycles {
    private ClassCycles() {
    }

    /**
     * Find the cycles of more classes than a reader should have to have in mind at once.
     *
     * @param classes with what they depend on.
     * @param limit   classes of a cycle.
     * @return names of the classes of each larger cycle, in order.
     */
    static List<Set<String>> largerThan(final JavaClasses classes, final int limit) {
        final Map<String, Set<String>> needed = new TreeMap<>();
        classes.forEach(one -> needed.put(file(one), new HashSet<>()));
        for (final JavaClass one : classes) {
            for (final Dependency dependency : one.getDirectDependenciesFromSelf()) {
                needed.get(file(one)).add(file(dependency.getTargetClass().getBaseComponentType()));
            }
        }
        final Map<String, Set<String>> reached = new TreeMap<>();
        needed.keySet().forEach(name -> reached.put(name, reachedFrom(name, needed)));
        return reached.keySet().stream().<Set<String>>map(name -> {
            final Set<String> cycle = new TreeSet<>(reached.get(name));
            cycle.removeIf(other -> !reached.get(other).contains(name));
            return cycle;
        }).filter(cycle -> cycle.size() > limit).distinct().toList();
    }

    /** All that a class needs, and what that needs in turn; itself only in a cycle. */
    private static Set<String> reachedFrom(final String name, final Map<String, Set<String>> needed) {
        final Set<String> reached = new HashSet<>();
        final ArrayDeque<String> next = new ArrayDeque<>(Set.of(name));
        while (!next.isEmpty()) {
            for (final String other : needed.get(next.remove())) {
                if (needed.containsKey(other) && reached.add(other)) {
                    next.add(other);
                }
            }
        }
        return reached;
    }

    /** The name of the class whose file it is in. */
    private static String file(final JavaClass one) {
        final String name = one.getName();
        final int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
