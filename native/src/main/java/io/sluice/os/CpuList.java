package io.sluice.os;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sets of processors as the kernel writes them: "1-3,5,8-11", see cpuset(7), "List format". Any thread may call.
 */
final class CpuList {
    /** The largest number of processors that a Linux kernel can be built for (NR_CPUS on x86 and Arm). */
    static final int MAX_CPUS = 8192;

    private static final Pattern RANGE = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

    private CpuList() {
    }

    /**
     * Read a list.
     *
     * @param list ranges and numbers, separated by commas; blank for none.
     * @return the processors, ascending, each once.
     * @throws IllegalArgumentException when it is not such a list, or names a processor of {@link #MAX_CPUS} or more.
     */
    static int[] parse(final String list) {
        final String trimmed = list.trim();
        final BitSet cpus = new BitSet();
        if (!trimmed.isEmpty()) {
            for (final String range : trimmed.split(",", -1)) {
                addRange(cpus, range, list);
            }
        }
        return cpus.stream().toArray();
    }

    private static void addRange(final BitSet cpus, final String range, final String list) {
        final Matcher matcher = RANGE.matcher(range);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a list of cpus such as 1-3,5: list='" + list
                + "' at='" + range + "'");
        }
        final int first = cpu(matcher.group(1));
        final int last = matcher.group(2) == null ? first : cpu(matcher.group(2));
        if (first > last || last >= MAX_CPUS) {
            throw new IllegalArgumentException("cpus must ascend and be below " + MAX_CPUS + ": list='" + list
                + "' at='" + range + "'");
        }
        cpus.set(first, last + 1);
    }

    /** The number, or one that no processor has when it is beyond an int. */
    private static int cpu(final String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (final NumberFormatException ex) {
            return Integer.MAX_VALUE;
        }
    }

    /** Write ascending processors in the kernel's words; "none" when there are none. */
    static String format(final int[] cpus) {
        final StringBuilder list = new StringBuilder();
        int i = 0;
        while (i < cpus.length) {
            final int first = cpus[i];
            int last = first;
            while (++i < cpus.length && cpus[i] == last + 1) {
                last = cpus[i];
            }
            list.append(list.isEmpty() ? "" : ",").append(first);
            if (last > first) {
                list.append('-').append(last);
            }
        }
        return list.isEmpty() ? "none" : list.toString();
    }
}
