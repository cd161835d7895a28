package io.sluice.samples.machine;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads numbers and lists out of the kernel's texts; what is not as expected is absent. Stateless. */
final class KernelText {
    /** The pattern of a number with so few digits that it never overflows a long. */
    private static final String DIGITS = "(\\d{1,18})";
    private static final Pattern NUMBER = Pattern.compile(DIGITS);
    private static final Pattern CPU_LIST = Pattern.compile("\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*");
    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]{1,16}");
    private static final int HEXADECIMAL_BASE = 16;

    private KernelText() {
    }

    /** A text that is a number and nothing else. */
    static OptionalLong number(final String text) {
        final String stripped = text.strip();
        return NUMBER.matcher(stripped).matches() ? OptionalLong.of(Long.parseLong(stripped)) : OptionalLong.empty();
    }

    /** The number behind a name at the beginning of a line, as in proc_meminfo(5) and proc_pid_limits(5). */
    static OptionalLong field(final String text, final String name) {
        final Matcher matcher =
            Pattern.compile("(?m)^" + Pattern.quote(name) + "\\s{1,100}" + DIGITS + "\\b").matcher(text);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** The word behind a name at the beginning of a line; empty when there is none. */
    static String word(final String text, final String name) {
        final Matcher matcher =
            Pattern.compile("(?m)^" + Pattern.quote(name) + "\\s{1,100}(\\S{1,100})").matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** Whether a bit is set in a number of hexadecimal digits. */
    static boolean hasBit(final String hexadecimal, final int bit) {
        return HEXADECIMAL.matcher(hexadecimal).matches()
            && (Long.parseUnsignedLong(hexadecimal, HEXADECIMAL_BASE) >>> bit & 1) == 1;
    }

    /** A list of processors such as 1-3,5; empty when there are none or the text is something else. */
    static String cpuList(final String text) {
        final String stripped = text.strip();
        return CPU_LIST.matcher(stripped).matches() ? stripped : "";
    }
}
