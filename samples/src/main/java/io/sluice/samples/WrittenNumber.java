package io.sluice.samples;

import java.math.BigInteger;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A whole number as somebody wrote it on a command line, however large, so that one beyond every range is told the
 * range and not that it is no number. Immutable; any thread.
 */
public final class WrittenNumber {
    private static final Pattern FORM = Pattern.compile("[+-]?[0-9]+");

    private final String text;
    private final BigInteger value;

    private WrittenNumber(final String text, final BigInteger value) {
        this.text = text;
        this.value = value;
    }

    static WrittenNumber parse(final String text) {
        if (!FORM.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
        return new WrittenNumber(text, new BigInteger(text));
    }

    /**
     * Have a command line read its numbers so: those of the options that take a {@code WrittenNumber}, and those that
     * take an {@code int} or a {@code long}, whose range is then the type's.
     *
     * @param commandLine with all its subcommands.
     * @return the command line.
     */
    public static CommandLine register(final CommandLine commandLine) {
        final ITypeConverter<Integer> ints = text -> (int) parse(text).within(Integer.MIN_VALUE, Integer.MAX_VALUE);
        final ITypeConverter<Long> longs = text -> parse(text).within(Long.MIN_VALUE, Long.MAX_VALUE);
        return commandLine.registerConverter(WrittenNumber.class, WrittenNumber::parse)
            .registerConverter(int.class, ints).registerConverter(Integer.class, ints)
            .registerConverter(long.class, longs).registerConverter(Long.class, longs);
    }

    private long within(final long minimum, final long maximum) {
        if (!isWithin(minimum, maximum)) {
            throw new TypeConversionException("'" + text + "' " + outOf(minimum, maximum));
        }
        return value.longValueExact();
    }

    boolean isWithin(final long minimum, final long maximum) {
        return value.compareTo(BigInteger.valueOf(minimum)) >= 0 && value.compareTo(BigInteger.valueOf(maximum)) <= 0;
    }

    static String outOf(final long minimum, final long maximum) {
        return "is not from " + minimum + " to " + maximum;
    }

    /** The value, which is known to lie within the range of a long. */
    long value() {
        return value.longValueExact();
    }

    @Override
    public String toString() {
        return text;
    }
}
