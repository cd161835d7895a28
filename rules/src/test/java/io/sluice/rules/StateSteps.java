package io.sluice.rules;

import io.sluice.rules.StateCode.Code;
import io.sluice.rules.StateCode.Outcome;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The steps of {@link StateCode}, instruction by instruction. Known are the state, its constants, what the enum's own
 * methods say of them, and small numbers that stand in the code, such as true and false.
 */
final class StateSteps {
    private final StateCode code;
    private final ClassDesc holder;
    private final String field;
    private final Class<?> type;

    StateSteps(final StateCode code, final Class<?> holder, final String field, final Class<?> type) {
        this.code = code;
        this.holder = holder.describeConstable().orElseThrow();
        this.field = field;
        this.type = type;
    }

    /** {@return the places that a parameter takes} */
    static int slots(final ClassDesc parameter) {
        return TypeKind.from(parameter).slotSize();
    }

    /** {@return the points at which the method goes on from one; what it comes back with is added to those found} */
    List<StateFrame> next(
        final CodeElement element, final StateFrame frame, final Code body, final String method,
        final Set<Outcome> found) {
        if (!(element instanceof Instruction)) {
            return List.of(frame.at(frame.index() + 1));
        }
        final StateFrame next = frame.at(frame.index() + 1);
        return switch (element) {
            case final BranchInstruction branch -> branch(branch, next, body);
            case final TableSwitchInstruction one ->
                choose(next, one.cases(), body.place(one.defaultTarget()), body);
            case final LookupSwitchInstruction one ->
                choose(next, one.cases(), body.place(one.defaultTarget()), body);
            case final ReturnInstruction one -> {
                found.add(new Outcome(frame.state(), next.pop(one.typeKind())));
                yield List.of();
            }
            case final ThrowInstruction one -> List.of(frame.at(StateFrame.THROWN));
            case final InvokeInstruction invoke -> invoke(invoke, next);
            case final FieldInstruction access -> access(access, next, method);
            default -> {
                carryOut((Instruction) element, next);
                yield List.of(next);
            }
        };
    }

    private static void carryOut(final Instruction instruction, final StateFrame next) {
        switch (instruction) {
            case final LoadInstruction one -> next.load(one.typeKind(), one.slot());
            case final StoreInstruction one -> next.store(one.typeKind(), one.slot());
            case final IncrementInstruction one -> next.forget(one.slot());
            case final ConstantInstruction one -> next.push(one.typeKind(),
                one.constantValue() instanceof final Integer number ? number : StateFrame.UNKNOWN);
            case final StackInstruction one -> next.move(one.opcode());
            case final OperatorInstruction one -> next.compute(one.opcode(), one.typeKind());
            case final ConvertInstruction one -> {
                next.pop(one.fromType());
                next.push(one.toType(), StateFrame.UNKNOWN);
            }
            case final TypeCheckInstruction one -> {
                if (one.opcode() == Opcode.INSTANCEOF) {
                    next.pop();
                    next.push(TypeKind.INT, StateFrame.UNKNOWN);
                }
            }
            case final InvokeDynamicInstruction one -> {
                take(one.typeSymbol(), next);
                next.push(TypeKind.from(one.typeSymbol().returnType()), StateFrame.UNKNOWN);
            }
            case final MonitorInstruction one -> next.pop();
            case final NopInstruction one -> { }
            default -> carryOutArrays(instruction, next);
        }
    }

    private static void carryOutArrays(final Instruction instruction, final StateFrame next) {
        switch (instruction) {
            case final NewObjectInstruction one -> next.push(TypeKind.REFERENCE, StateFrame.UNKNOWN);
            case final NewPrimitiveArrayInstruction one -> makeArray(1, next);
            case final NewReferenceArrayInstruction one -> makeArray(1, next);
            case final NewMultiArrayInstruction one -> makeArray(one.dimensions(), next);
            case final ArrayLoadInstruction one -> {
                final Object index = next.pop();
                final Object array = next.pop();
                next.push(one.typeKind(), array instanceof final int[] known && index instanceof final Integer number
                    ? known[number] : StateFrame.UNKNOWN);
            }
            case final ArrayStoreInstruction one -> {
                next.pop(one.typeKind());
                next.pop();
                next.pop();
            }
            default -> throw new IllegalArgumentException(instruction.toString());
        }
    }

    private static void makeArray(final int dimensions, final StateFrame next) {
        for (int i = 0; i < dimensions; i++) {
            next.pop();
        }
        next.push(TypeKind.REFERENCE, StateFrame.UNKNOWN);
    }

    /** Take what a method is called with from the stack, without its object. */
    private static List<Object> take(final MethodTypeDesc called, final StateFrame next) {
        final List<Object> arguments = new ArrayList<>();
        for (int i = called.parameterCount() - 1; i >= 0; i--) {
            arguments.addFirst(next.pop(TypeKind.from(called.parameterType(i))));
        }
        return arguments;
    }

    private List<StateFrame> access(final FieldInstruction access, final StateFrame next, final String method) {
        final TypeKind kind = TypeKind.from(access.typeSymbol());
        final boolean isState =
            access.owner().asSymbol().equals(holder) && access.name().stringValue().equals(field);
        switch (access.opcode()) {
            case GETSTATIC -> next.push(kind, constant(access));
            case PUTSTATIC -> next.pop(kind);
            case GETFIELD -> next.push(kind,
                next.pop() == StateFrame.THIS && isState && next.state() != null ? next.state() : StateFrame.UNKNOWN);
            default -> {
                final Object value = next.pop(kind);
                final Object object = next.pop();
                if (isState) {
                    return changed(next, value, object == StateFrame.THIS, method);
                }
            }
        }
        return List.of(next);
    }

    /** Note a step: all that are possible, where the object is another one or the value is not known. */
    private List<StateFrame> changed(
        final StateFrame next, final Object value, final boolean isOwn, final String method) {
        final List<Object> values = type.isInstance(value) ? List.of(value) : List.of(type.getEnumConstants());
        for (final Object to : values) {
            for (final Object from : isOwn ? Arrays.asList(next.state()) : List.of(type.getEnumConstants())) {
                code.onChange((Enum<?>) from, (Enum<?>) to, method);
            }
        }
        return isOwn ? values.stream().map(to -> next.at(next.index(), (Enum<?>) to)).toList() : List.of(next);
    }

    /** A state, or the table by which a switch finds its case. */
    private Object constant(final FieldInstruction access) {
        final String name = access.name().stringValue();
        final String owner = access.owner().asInternalName().replace('/', '.');
        if (!name.startsWith("$SwitchMap$")) {
            return owner.equals(type.getName()) && access.typeSymbol().equals(access.owner().asSymbol())
                ? Arrays.stream(type.getEnumConstants()).filter(one -> ((Enum<?>) one).name().equals(name))
                    .findFirst().orElseThrow()
                : StateFrame.UNKNOWN;
        }
        try {
            final Field table = Class.forName(owner).getDeclaredField(name);
            table.setAccessible(true);
            return table.get(null);
        } catch (final ReflectiveOperationException ex) {
            throw new AssertionError(ex);
        }
    }

    private List<StateFrame> invoke(final InvokeInstruction invoke, final StateFrame next) {
        final List<Object> arguments = take(invoke.typeSymbol(), next);
        final Object object = invoke.opcode() == Opcode.INVOKESTATIC ? StateFrame.UNKNOWN : next.pop();
        final TypeKind kind = TypeKind.from(invoke.typeSymbol().returnType());
        if (object == StateFrame.THIS && invoke.owner().asSymbol().equals(holder)) {
            arguments.addFirst(object);
            final Collection<Outcome> found = code.call(
                invoke.name().stringValue() + invoke.type().stringValue(), next.state(), arguments);
            if (found != null) {
                return found.stream().map(outcome -> after(outcome, kind, next)).toList();
            }
        }
        next.push(kind, object instanceof final Enum<?> state && type.isInstance(state)
            ? asked(state, invoke.name().stringValue(), arguments) : StateFrame.UNKNOWN);
        return List.of(next, next.at(StateFrame.THROWN));
    }

    private static StateFrame after(final Outcome outcome, final TypeKind kind, final StateFrame next) {
        if (outcome.value() == StateFrame.EXCEPTION) {
            return next.at(StateFrame.THROWN, outcome.state());
        }
        final StateFrame after = next.at(next.index(), outcome.state());
        after.push(kind, outcome.value());
        return after;
    }

    /** The answer of a state's own method; a method that needs more than states is not asked. */
    private Object asked(final Enum<?> state, final String name, final List<Object> arguments) {
        if (!arguments.stream().allMatch(type::isInstance)) {
            return StateFrame.UNKNOWN;
        }
        try {
            for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
                for (final Method method : owner.getDeclaredMethods()) {
                    if (method.getName().equals(name) && method.getParameterCount() == arguments.size()
                        && (owner == type || name.equals("ordinal") || name.equals("compareTo"))) {
                        return owner == type ? answer(method, state, arguments)
                            : arguments.isEmpty() ? state.ordinal()
                            : state.ordinal() - ((Enum<?>) arguments.getFirst()).ordinal();
                    }
                }
            }
            return StateFrame.UNKNOWN;
        } catch (final ReflectiveOperationException ex) {
            throw new AssertionError(ex);
        }
    }

    private static Object answer(final Method method, final Enum<?> state, final List<Object> arguments)
        throws ReflectiveOperationException {
        method.setAccessible(true);
        return switch (method.invoke(state, arguments.toArray())) {
            case final Boolean answer -> answer ? 1 : 0;
            case final Integer answer -> answer;
            case null, default -> StateFrame.UNKNOWN;
        };
    }

    private static List<StateFrame> choose(
        final StateFrame next, final List<SwitchCase> cases, final int otherwise, final Code body) {
        final Object value = next.pop();
        final List<StateFrame> chosen = new ArrayList<>();
        for (final SwitchCase one : cases) {
            if (!(value instanceof Integer) || value.equals(one.caseValue())) {
                chosen.add(next.at(body.place(one.target())));
            }
        }
        if (!(value instanceof Integer) || chosen.isEmpty()) {
            chosen.add(next.at(otherwise));
        }
        return chosen;
    }

    private static List<StateFrame> branch(
        final BranchInstruction branch, final StateFrame next, final Code body) {
        final int target = body.place(branch.target());
        final String name = branch.opcode().name();
        if (name.startsWith("GOTO")) {
            return List.of(next.at(target));
        }
        final Boolean isTaken;
        if (name.startsWith("IF_")) {
            final Object right = next.pop();
            final Object left = next.pop();
            isTaken = left instanceof final Enum<?> one && right instanceof final Enum<?> other
                ? Boolean.valueOf(name.endsWith("EQ") == (one == other))
                : left instanceof final Integer a && right instanceof final Integer b
                ? (Boolean) holds(name.substring("IF_ICMP".length()), Integer.compare(a, b)) : null;
        } else {
            final Object value = next.pop();
            isTaken = name.endsWith("NULL")
                ? value instanceof Enum<?> || value == StateFrame.THIS ? (Boolean) name.contains("NON") : null
                : value instanceof final Integer number ? (Boolean) holds(name.substring(2), number) : null;
        }
        return isTaken == null ? List.of(next.at(target), next) : List.of(isTaken ? next.at(target) : next);
    }

    private static boolean holds(final String relation, final int number) {
        return switch (relation) {
            case "EQ" -> number == 0;
            case "NE" -> number != 0;
            case "LT" -> number < 0;
            case "GE" -> number >= 0;
            case "GT" -> number > 0;
            case "LE" -> number <= 0;
            default -> throw new IllegalArgumentException(relation);
        };
    }
}
