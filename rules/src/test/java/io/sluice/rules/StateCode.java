package io.sluice.rules;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds out of a class file what states a class can put into a field of its own, and out of which. Each method that
 * others can call, each lambda and each method that is handed on begins in every state, unless a caller is known to
 * keep from that; what such a method calls of its own class is followed. Conditions that ask for the state decide, all
 * others go both ways. So no step is missed, but for two: one that another class makes, which cannot happen to a
 * private field, and one after a call of another class that comes back and changes the state in between.
 */
final class StateCode {
    private final Class<?> holder;
    private final ClassModel model;
    private final StateSteps steps;
    private final List<Enum<?>> states;
    private final Map<String, Set<String>> changes = new TreeMap<>();
    private final Set<Call> walked = new HashSet<>();
    private final Map<Call, Set<Outcome>> outcomes = new HashMap<>();
    private boolean hasGrown;

    /**
     * Reads a class.
     *
     * @param holder of the field.
     * @param field  that has the state, of an enum's type.
     */
    StateCode(final Class<?> holder, final String field) {
        this.holder = holder;
        final String name = holder.getName();
        try (InputStream file = holder.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            model = ClassFile.of().parse(file.readAllBytes());
            final Class<?> type = holder.getDeclaredField(field).getType();
            states = Arrays.stream(type.getEnumConstants()).<Enum<?>>map(one -> (Enum<?>) one).toList();
            steps = new StateSteps(this, holder, field, type);
        } catch (final IOException | NoSuchFieldException ex) {
            throw new AssertionError(ex);
        }
    }

    /** The state and the value that a call comes back with. */
    record Outcome(Enum<?> state, Object value) {
    }

    private record Call(String method, Enum<?> state, List<Object> arguments) {
    }

    /**
     * Walks through all methods, until nothing new is found.
     *
     * @param kept states in which callers do not call a method, by its name.
     * @return steps, each with the methods that make it; the first states come out of "".
     */
    Map<String, Set<String>> changes(final Map<String, Set<String>> kept) {
        final Set<String> handedOn = handedOn();
        do {
            hasGrown = false;
            walked.clear();
            for (final MethodModel method : model.methods()) {
                final String name = method.methodName().stringValue();
                if (name.equals("<init>")) {
                    walk(method, null, arguments(method));
                } else if (isEntered(method, handedOn)) {
                    states.stream().filter(state -> !kept.getOrDefault(name, Set.of()).contains(state.name()))
                        .forEach(state -> walk(method, state, arguments(method)));
                }
            }
        } while (hasGrown);
        return changes;
    }

    private static boolean isEntered(final MethodModel method, final Set<String> handedOn) {
        return method.code().isPresent() && !method.flags().has(AccessFlag.STATIC)
            && (!method.flags().has(AccessFlag.PRIVATE) || handedOn.contains(key(method)));
    }

    /** Lambdas, and private methods that are handed on: whoever has them calls them at any time. */
    private Set<String> handedOn() {
        final Set<String> found = new HashSet<>();
        for (final MethodModel method : model.methods()) {
            method.code().stream().flatMap(code -> code.elementStream())
                .filter(InvokeDynamicInstruction.class::isInstance).map(InvokeDynamicInstruction.class::cast)
                .forEach(made -> made.bootstrapArgs().forEach(argument -> addHandle(argument, found)));
        }
        return found;
    }

    private void addHandle(final ConstantDesc argument, final Set<String> found) {
        if (argument instanceof final DirectMethodHandleDesc handle
            && handle.owner().equals(holder.describeConstable().orElseThrow())) {
            found.add(handle.methodName() + handle.lookupDescriptor());
        }
    }

    private static String key(final MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    private static List<Object> arguments(final MethodModel method) {
        final List<Object> arguments = new ArrayList<>(List.of(StateFrame.THIS));
        method.methodTypeSymbol().parameterList().forEach(type -> arguments.add(StateFrame.UNKNOWN));
        return arguments;
    }

    /** Notes that a method has put a state into the field; the first one comes out of "". */
    void onChange(final Enum<?> from, final Enum<?> to, final String method) {
        if (from != to) {
            changes.computeIfAbsent((from == null ? "" : from.name()) + StateTable.ARROW + to.name(),
                step -> new TreeSet<>()).add(method);
        }
    }

    /** {@return the outcomes of a method of the class; null when it is another class's, or has no code} */
    Set<Outcome> call(final String key, final Enum<?> state, final List<Object> arguments) {
        for (final MethodModel method : model.methods()) {
            if (key(method).equals(key) && method.code().isPresent()) {
                return walk(method, state, arguments);
            }
        }
        return null;
    }

    private Set<Outcome> walk(final MethodModel method, final Enum<?> state, final List<Object> arguments) {
        final Call call = new Call(key(method), state, arguments);
        final Set<Outcome> found = outcomes.computeIfAbsent(call, one -> new LinkedHashSet<>());
        if (walked.add(call)) {
            final List<Object> locals = new ArrayList<>(List.of(arguments.getFirst()));
            for (int i = 1; i < arguments.size(); i++) {
                locals.add(arguments.get(i));
                if (StateSteps.slots(method.methodTypeSymbol().parameterType(i - 1)) == 2) {
                    locals.add(StateFrame.UNKNOWN);
                }
            }
            hasGrown |= found.addAll(walk(
                new Code(method.code().orElseThrow()), method.methodName().stringValue(),
                new StateFrame(0, state, new ArrayList<>(), locals)));
        }
        return new LinkedHashSet<>(found);
    }

    private Set<Outcome> walk(final Code code, final String method, final StateFrame first) {
        final Set<Outcome> found = new LinkedHashSet<>();
        final Set<StateFrame> seen = new HashSet<>(Set.of(first));
        final Deque<StateFrame> ahead = new ArrayDeque<>(seen);
        while (!ahead.isEmpty()) {
            final StateFrame frame = ahead.removeLast();
            final List<StateFrame> next = new ArrayList<>(
                steps.next(code.elements.get(frame.index()), frame, code, method, found));
            final List<StateFrame> caught = new ArrayList<>();
            code.handlers(frame.index()).forEach(handler -> Stream.concat(Stream.of(frame), next.stream())
                .forEach(one -> caught.add(one.caught(handler))));
            next.stream().filter(one -> one.index() == StateFrame.THROWN)
                .forEach(one -> found.add(new Outcome(one.state(), StateFrame.EXCEPTION)));
            Stream.concat(next.stream().filter(one -> one.index() != StateFrame.THROWN), caught.stream())
                .filter(seen::add).forEach(ahead::add);
        }
        return found;
    }

    /** The elements of a method, with the places of its labels. */
    static final class Code {
        private final List<CodeElement> elements;
        private final Map<Label, Integer> places = new HashMap<>();

        private Code(final CodeModel code) {
            elements = code.elementList();
            for (int i = 0; i < elements.size(); i++) {
                if (elements.get(i) instanceof final LabelTarget target) {
                    places.put(target.label(), i);
                }
            }
        }

        int place(final Label label) {
            return places.get(label);
        }

        private List<Integer> handlers(final int index) {
            return elements.stream().filter(ExceptionCatch.class::isInstance).map(ExceptionCatch.class::cast)
                .filter(one -> place(one.tryStart()) <= index && index < place(one.tryEnd()))
                .map(one -> place(one.handler())).toList();
        }
    }
}
