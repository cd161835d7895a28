package io.sluice.rules;

import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.util.ArrayList;
import java.util.List;

/**
 * One point in a method as {@link StateCode} walks through it: the next element, the state that the field has, and what
 * is known of stack and locals. A long or double takes two places. Changed while it is the only one of its kind, and
 * never after it was compared.
 *
 * @param index  of the next element.
 * @param state  of the field; null before a constructor has set it.
 * @param stack  values, of which most are {@link #UNKNOWN}.
 * @param locals values.
 */
record StateFrame(int index, Enum<?> state, List<Object> stack, List<Object> locals) {
    /** A value of which nothing is known. */
    static final Object UNKNOWN = "unknown";
    /** The object whose method it is. */
    static final Object THIS = "this";
    /** A value in place of that of a call which has thrown. */
    static final Object EXCEPTION = "exception";
    /** The number in place of the next element, where an exception leaves the method or is caught. */
    static final int THROWN = -1;

    /** This point with another next element and a stack and locals of its own. */
    StateFrame at(final int newIndex) {
        return at(newIndex, state);
    }

    StateFrame at(final int newIndex, final Enum<?> newState) {
        return new StateFrame(newIndex, newState, new ArrayList<>(stack), new ArrayList<>(locals));
    }

    /** The point where an exception is caught that comes from here. */
    StateFrame caught(final int handler) {
        return new StateFrame(handler, state, new ArrayList<>(List.of(UNKNOWN)), new ArrayList<>(locals));
    }

    /** Take a value from the stack. */
    Object pop() {
        return stack.removeLast();
    }

    Object pop(final TypeKind kind) {
        for (int i = 1; i < kind.slotSize(); i++) {
            pop();
        }
        return kind.slotSize() == 0 ? UNKNOWN : pop();
    }

    void push(final TypeKind kind, final Object value) {
        for (int i = 0; i < kind.slotSize(); i++) {
            stack.add(i == 0 ? value : UNKNOWN);
        }
    }

    void load(final TypeKind kind, final int slot) {
        push(kind, slot < locals.size() ? locals.get(slot) : UNKNOWN);
    }

    void store(final TypeKind kind, final int slot) {
        final Object value = pop(kind);
        while (locals.size() < slot + kind.slotSize()) {
            locals.add(UNKNOWN);
        }
        locals.set(slot, value);
    }

    /** Forget a local: of numbers that are counted nothing is known, or a loop would have no end. */
    void forget(final int slot) {
        locals.set(slot, UNKNOWN);
    }

    /** Carry out an instruction that moves values on the stack only. */
    void move(final Opcode opcode) {
        switch (opcode) {
            case POP -> pop();
            case POP2 -> {
                pop();
                pop();
            }
            case DUP -> copy(1, 0);
            case DUP_X1 -> copy(1, 1);
            case DUP_X2 -> copy(1, 2);
            case DUP2 -> copy(2, 0);
            case DUP2_X1 -> copy(2, 1);
            case DUP2_X2 -> copy(2, 2);
            case SWAP -> stack.add(stack.size() - 1, pop());
            default -> throw new IllegalArgumentException(opcode.name());
        }
    }

    private void copy(final int count, final int below) {
        final int size = stack.size();
        stack.addAll(size - count - below, List.copyOf(stack.subList(size - count, size)));
    }

    /** Carry out arithmetic: its result is not known. */
    void compute(final Opcode opcode, final TypeKind kind) {
        final String name = opcode.name();
        if (name.endsWith("ARRAYLENGTH")) {
            pop();
            push(TypeKind.INT, UNKNOWN);
            return;
        }
        if (name.endsWith("SHL") || name.endsWith("SHR")) {
            pop();
        } else if (!name.endsWith("NEG")) {
            pop(kind);
        }
        pop(kind);
        push(name.contains("CMP") ? TypeKind.INT : kind, UNKNOWN);
    }
}
