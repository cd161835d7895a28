package io.sluice.perf.side;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The result that a measuring process hands back, in a text file of its own that appears whole or not at all. One
 * thread.
 */
public final class SideResult {
    /** Round trips in nanoseconds. */
    public static final String ROUND_TRIPS = "round.trips";
    /** Nanoseconds from when each message was due until the stream took it. */
    public static final String OFFERS = "offers";
    /** A round trip, in nanoseconds: the median over batches of their mean. */
    public static final String BATCH_ROUND_TRIP_NS = "batch.round.trip.ns";
    /** The upper quartile of the batches' round trips divided by the lower one. */
    public static final String BATCH_SPREAD = "batch.spread";
    /** Half of a round trip, in nanoseconds: the median of batches. */
    public static final String ONE_WAY_NS = "one.way.ns";
    /** Messages received per second. */
    public static final String MESSAGES_PER_SECOND = "messages.per.second";
    /** Messages sent or received while it was measured. */
    public static final String MESSAGES = "messages";
    /** Messages sent or received from start to end. */
    public static final String TOTAL_MESSAGES = "total.messages";
    /** Offers that were refused because the stream was full. */
    public static final String REFUSED_OFFERS = "refused.offers";
    /** Bytes that the thread allocated while it was measured. */
    public static final String ALLOCATED_BYTES = "allocated.bytes";
    /** The number of times that the measured thread was interrupted while it was measured. */
    public static final String PREEMPTIONS = "preemptions";
    /** Round trip of a cache line between the two measuring threads just before they measured, in nanoseconds. */
    public static final String CORES_BEFORE_NS = "cores.before.ns";
    /** Round trip of a cache line between the two measuring threads just after they measured, in nanoseconds. */
    public static final String CORES_AFTER_NS = "cores.after.ns";
    /** Whether and where the measured thread was pinned. */
    public static final String PINNED = "pinned";

    private static final String FAILURE = "failure";
    private static final String MISSED_RATE = "missed.rate";
    private static final String SETTING_PREFIX = "setting.";

    private final Properties properties = new Properties();

    /** Creates an empty result. */
    public SideResult() {
    }

    /**
     * Read a result.
     *
     * @param file that a process wrote.
     * @return its content.
     */
    public static SideResult read(final Path file) {
        final SideResult result = new SideResult();
        try (Reader reader = Files.newBufferedReader(file)) {
            result.properties.load(reader);
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read a result: file=" + file, ex);
        }
        return result;
    }

    void write(final Path file) {
        final Path draft = file.resolveSibling(file.getFileName() + ".draft");
        try {
            try (Writer writer = Files.newBufferedWriter(draft)) {
                properties.store(writer, null);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot write a result: file=" + file, ex);
        }
    }

    void put(final String name, final Object value) {
        properties.setProperty(name, value.toString());
    }

    void settings(final Map<String, String> settings) {
        int number = 0;
        for (final Map.Entry<String, String> setting : settings.entrySet()) {
            // numbered, since properties keep no order
            put(SETTING_PREFIX + String.format(Locale.ROOT, "%02d.%s", number++, setting.getKey()),
                String.valueOf(setting.getValue()));
        }
    }

    void roundTrips(final Histogram histogram) {
        put(ROUND_TRIPS, histogram);
    }

    void offers(final Histogram histogram) {
        put(OFFERS, histogram);
    }

    private void put(final String name, final Histogram histogram) {
        final ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        put(name, Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
    }

    /** Notes a failure with a reason, of which the first one counts: those that follow are what it has led to. */
    void fail(final String reason) {
        properties.putIfAbsent(FAILURE, reason);
    }

    void missRate(final String reason) {
        put(MISSED_RATE, reason);
    }

    /**
     * The rate that was asked for and the one that was sent, when they are too far apart.
     *
     * @return both rates, or null when it was reached or there was none.
     */
    public String missedRate() {
        return properties.getProperty(MISSED_RATE);
    }

    /**
     * The common result of several receivers of one stream: all must have had every message, and the slowest counts.
     *
     * @param results one of each receiver, at least one.
     * @return the slowest one's, or a failure.
     */
    static SideResult slowest(final List<SideResult> results) {
        final SideResult slowest = results.stream().filter(result -> result.failure() != null).findFirst()
            .orElseGet(() -> results.stream()
                .min(Comparator.comparingDouble(SideResult::rate)).orElseThrow());
        final long counts = results.stream().map(result -> result.properties.get(TOTAL_MESSAGES)).distinct().count();
        if (slowest.failure() == null && counts > 1) {
            slowest.fail("receivers of one stream had different numbers of messages: " + results.stream()
                .map(result -> result.text(TOTAL_MESSAGES)).toList());
        }
        return slowest;
    }

    private double rate() {
        return Double.parseDouble(properties.getProperty(MESSAGES_PER_SECOND, "0"));
    }

    /**
     * The reason why the process failed.
     *
     * @return the reason, or null when it did not.
     */
    public String failure() {
        return properties.getProperty(FAILURE);
    }

    /**
     * Whether the process came so far as to tell a value.
     *
     * @param name one of the constants.
     * @return true when it is in the result.
     */
    public boolean has(final String name) {
        return properties.containsKey(name);
    }

    /**
     * A number of the result.
     *
     * @param name one of the constants.
     * @return its value.
     * @throws IllegalStateException when it is missing.
     */
    public double number(final String name) {
        return Double.parseDouble(text(name));
    }

    /**
     * A text of the result.
     *
     * @param name one of the constants.
     * @return its value.
     * @throws IllegalStateException when it is missing.
     */
    public String text(final String name) {
        final String value = properties.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("the result has no " + name + ": " + properties.stringPropertyNames());
        }
        return value;
    }

    /**
     * The measured round trips.
     *
     * @return a histogram of nanoseconds, or null when it measured something else.
     */
    public Histogram roundTrips() {
        return histogram(ROUND_TRIPS);
    }

    /**
     * The time that each message waited from when it was due until the stream took it.
     *
     * @return a histogram of nanoseconds, or null when it measured something else.
     */
    public Histogram offers() {
        return histogram(OFFERS);
    }

    private Histogram histogram(final String name) {
        if (!has(name)) {
            return null;
        }
        try {
            final byte[] bytes = Base64.getDecoder().decode(text(name));
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (final DataFormatException ex) {
            throw new IllegalStateException("the result's histogram is damaged", ex);
        }
    }

    /**
     * The settings that the peer ran with.
     *
     * @return name and value in the peer's order.
     */
    public Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        for (final String name : new TreeMap<>(properties).keySet().stream().map(Object::toString).toList()) {
            if (name.startsWith(SETTING_PREFIX)) {
                settings.put(name.substring(SETTING_PREFIX.length() + 3), properties.getProperty(name));
            }
        }
        return settings;
    }
}
