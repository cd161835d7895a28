package io.sluice.rules;

/** Planted beside {@link ClassCyclesTest}: each names the other. */
final class ClassCyclesNeighbour {
    private final ClassCyclesTest other = new ClassCyclesTest();

    ClassCyclesTest other() {
        return other;
    }
}
