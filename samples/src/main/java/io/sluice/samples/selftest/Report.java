package io.sluice.samples.selftest;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * The lines of a self-test, on the screen and in a file. Each line goes through {@link #line}, which takes addresses,
 * paths, and the names of this host and user out of it and writes it before the next thing is tried. What is tried is
 * a line of its own until the next one takes its place in the file: what is there when a device hangs, or brings the
 * machine down, tells what it was about. One thread.
 */
public final class Report implements Closeable {
    private static final long NONE = -1;
    private static final String TRYING = "  trying    ";

    private final Consumer<String> screen;
    /** The file of the report; null when there is none. */
    private final SeekableByteChannel file;
    private final PrivateNames names = PrivateNames.ofSystem();
    /** The place in the file where the line begins that the next one takes the place of, or {@link #NONE}. */
    private long replaced = NONE;

    private Report(final Consumer<String> screen, final SeekableByteChannel file) {
        this.screen = screen;
        this.file = file;
    }

    /**
     * A report without a file.
     *
     * @param screen told each line, without its end.
     * @return an empty report.
     */
    public static Report to(final Consumer<String> screen) {
        return new Report(screen, null);
    }

    /**
     * A report in a file, which is made anew.
     *
     * @param path   of the file.
     * @param screen told each line, without its end.
     * @return an empty report, to be closed.
     * @throws IOException when it cannot be written.
     */
    public static Report to(final Path path, final Consumer<String> screen) throws IOException {
        return new Report(screen, Files.newByteChannel(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.DSYNC));
    }

    /**
     * The name of a report's file for a device, whose own name may have an address.
     *
     * @param name of the device.
     * @return name of a file, without a folder.
     */
    public static String fileName(final String name) {
        return "sluice-selftest-" + AddressFilter.clean(name).replace(AddressFilter.PLACEHOLDER, "") + ".txt";
    }

    /**
     * Write a line.
     *
     * @param text without its end, from anywhere.
     * @throws UncheckedIOException when it cannot be written.
     */
    public void line(final String text) {
        try {
            write(text);
            replaced = NONE;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Write a line that stays in the file for as long as it is the last one.
     *
     * @param what is tried now.
     * @throws UncheckedIOException when it cannot be written.
     */
    public void trying(final String what) {
        try {
            replaced = write(TRYING + what);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a line, and returns where in the file it begins. */
    private long write(final String text) throws IOException {
        final String cleaned = names.clean(AddressFilter.clean(text.replaceAll("\\R", " ")));
        long start = NONE;
        if (file != null) {
            start = replaced == NONE ? file.position() : replaced;
            file.position(start);
            final ByteBuffer bytes =
                ByteBuffer.wrap((cleaned + System.lineSeparator()).getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.truncate(file.position());
        }
        screen.accept(cleaned);
        return start;
    }

    /**
     * A version as it can be written here: what has four numbers between dots is taken for an address.
     *
     * @param text with a version.
     * @return the text, in which no more than two dots are between numbers.
     */
    public static String version(final String text) {
        return text.replaceAll("(\\d+\\.\\d+\\.\\d+)\\.(?=\\d)", "$1_");
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
