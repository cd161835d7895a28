package io.sluice.transport.kit;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The inputs of a fuzzer: how many, and from which seed. Each input is drawn from a seed of its own, that of the run
 * and those after it, so that the one that failed is replayed alone with what the failure says. The system property
 * {@value #INPUTS} makes them as many as one likes, {@value #SEED} begins elsewhere.
 */
public final class FuzzInputs {
    /** Inputs of each fuzzer, at most some millions in a few minutes. */
    public static final String INPUTS = "sluice.fuzz.inputs";

    /** Seed of the first input. */
    public static final String SEED = "sluice.fuzz.seed";

    private static final long DEFAULT_SEED = 20_261_122;
    /** The part of all seeds, one in so many, after which every table has its size. */
    private static final int WARM_UP_SHARE = 4;
    /** Bytes that the heap may be fuller at the end than then: less than a byte for each of ten million inputs. */
    private static final long MAX_GROWTH = 8 << 20;

    private FuzzInputs() {
    }

    /** Feed a fuzzer so many inputs, or as many as the property says. */
    public static void feed(final String fuzzer, final int ordinaryInputs, final Input input) {
        feed(fuzzer, ordinaryInputs, 1, input);
    }

    /** Feed as above a fuzzer that takes about {@code inputsAtOnce} inputs from one seed. */
    public static void feed(
        final String fuzzer, final int ordinaryInputs, final int inputsAtOnce, final Input input) {
        final long inputs = Long.parseLong(System.getProperty(INPUTS, String.valueOf(ordinaryInputs)));
        final long seeds = Math.max(1, inputs / inputsAtOnce);
        final long firstSeed = Long.parseLong(System.getProperty(SEED, String.valueOf(DEFAULT_SEED)));
        final long startNs = System.nanoTime();
        long usedAtFirst = 0;
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            if (seed == firstSeed + seeds / WARM_UP_SHARE) {
                usedAtFirst = heapUsed();
            }
            try {
                input.feed(new SplittableRandom(seed));
            } catch (final Throwable ex) {
                throw new AssertionError("fuzzer " + fuzzer + " failed; replay it with -D" + SEED + "=" + seed + " -D"
                    + INPUTS + "=1", ex);
            }
        }
        final long growth = heapUsed() - usedAtFirst;
        System.out.println("fuzzer=" + fuzzer + " inputs=" + inputs + " seed=" + firstSeed + " ms="
            + (System.nanoTime() - startNs) / 1_000_000 + " heap-growth=" + growth);
        if (growth > MAX_GROWTH) {
            throw new AssertionError("fuzzer " + fuzzer + " keeps memory: heap-growth=" + growth + " max=" + MAX_GROWTH
                + " inputs=" + inputs);
        }
    }

    /** Bytes of the heap that are reachable. */
    private static long heapUsed() {
        final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** {@return whether so many inputs were fed that each kind of answer must have occurred} */
    public static boolean areMany() {
        return Long.parseLong(System.getProperty(INPUTS, String.valueOf(Integer.MAX_VALUE))) >= 100_000;
    }

    /** Change some bytes, or the length, or nothing. */
    public static byte[] mutated(final byte[] valid, final SplittableRandom random) {
        byte[] bytes = valid.clone();
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            final int index = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[index] = 0;
                case 1 -> bytes[index] = (byte) 0xFF;
                case 2 -> bytes[index] ^= (byte) (1 << random.nextInt(8));
                case 3 -> bytes[index] = (byte) random.nextInt(256);
                case 4 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                default -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(16));
            }
        }
        return bytes;
    }

    /** One of some texts, with some characters changed, inserted or removed. */
    public static String mutated(final String valid, final String alphabet, final SplittableRandom random) {
        final StringBuilder text = new StringBuilder(valid);
        for (int i = random.nextInt(5); i > 0; i--) {
            final int index = random.nextInt(text.length() + 1);
            final char c = random.nextInt(8) == 0
                ? (char) random.nextInt(Character.MAX_VALUE + 1) : alphabet.charAt(random.nextInt(alphabet.length()));
            if (index == text.length() || random.nextInt(3) == 0) {
                text.insert(index, c);
            } else if (random.nextBoolean()) {
                text.setCharAt(index, c);
            } else {
                text.delete(index, Math.min(text.length(), index + 1 + random.nextInt(4)));
            }
        }
        return text.toString();
    }

    /** Takes one input. */
    @FunctionalInterface
    public interface Input {
        void feed(SplittableRandom random) throws Exception;
    }
}
